import Cryptography
import JOSE
import Storage
import StrictJSON
import ThreeDSProtocol
import Transactions

/// An ARes that is not committed yet, with the row that belongs to it.
struct PreparedResponse: Sendable {
    var authentication: Authentication
    /// The ARes.
    let message: [UInt8]
    /// The authentication value in the ARes.
    var value: AuthenticationValue?
    /// The key of the secure channel of an app.
    var sealedKey = SQLValue.null
    /// The new counts of the card, after a payment that needs no approval.
    var exempted: ExemptedPayments?

    /// For the record.
    let details: [String]
    /// The event of a result that the ARes has already, if the card is one of the issuer.
    var event: StoredEvent?

    var sent: DirectoryResponse {
        // `transStatus` is the first detail.
        DirectoryResponse(body: message, outcome: details.first ?? "unknown")
    }
}

extension IssuerService {
    /// Makes the ARes; fails if a part of the AReq is wrong that only the ACS can read.
    func prepared(
        _ decision: RequestDecision,
        on request: ReadRequest,
        _ stored: StoredCard?,
        _ readiness: Readiness
    ) throws(StoreFailure) -> Result<PreparedResponse, MessageFault> {
        let id = try orStoreFailure(newUUID())
        let facts = CardAuthentication(
            of: request.message,
            acsTransID: id,
            decision,
            ways: settings.ways(for: request.facts)
        )
        guard let facts else { throw .misuse }
        let draft = Draft(
            request: request,
            facts: facts,
            stored: stored,
            readiness: readiness,
            now: clock()
        )
        switch decision {
        case .challenge: return try challenge(draft)
        case .frictionless: return .success(try ended(exemption(draft), draft))
        case .decoupled: return .success(try decoupled(draft))
        case .informationOnly:
            return .success(try ended(response(.informationOnly, draft, details: ["I"]), draft))
        case .refused(let refusal):
            let reason = refusal.reason(in: facts.version)
            let details = [refusal.status.rawValue, reason.rawValue]
            return .success(
                try ended(
                    response(.refused(refusal), draft, details: details),
                    draft,
                    reason: reason.rawValue
                )
            )
        case .error: throw .misuse
        }
    }

    /// The parts of a response that do not depend on the decision.
    private struct Draft {
        let request: ReadRequest
        let facts: CardAuthentication
        let stored: StoredCard?
        let readiness: Readiness
        let now: Timestamp

        var message: Message { request.message }
        var card: Card? { stored?.card }

        func fault(_ name: String) -> MessageFault { message.fault(.elementInvalid, naming: name) }
    }

    private func response(
        _ response: AuthenticationResponse,
        _ draft: Draft,
        details: [String]
    ) throws(StoreFailure) -> PreparedResponse {
        let message = draft.facts.message(
            response,
            to: draft.message,
            rejectedECI: draft.request.directory.cards.rejectedECI,
            by: settings
        )
        let authentication = Authentication(
            facts: draft.facts,
            directory: draft.request.directory.id,
            card: draft.card?.reference,
            made: draft.now,
            requestDigest: draft.request.digest
        )
        return PreparedResponse(
            authentication: authentication,
            message: try message.bytes(),
            details: details
        )
    }

    /// Adds the event of a response that no challenge follows.
    private func ended(
        _ response: PreparedResponse,
        _ draft: Draft,
        reason: String? = nil
    ) throws(StoreFailure) -> PreparedResponse {
        guard webhook != nil, let card = draft.card, let status = response.details.first else {
            return response
        }
        var response = response
        let event = AuthenticatedCard(
            response.authentication,
            DecidedResult(time: draft.now, status: status, reason: reason),
            purchase: AuthenticatedPurchase(of: draft.message, draft.facts, card: card),
            of: card
        )
        response.event = try StoredEvent(event, at: draft.now)
        return response
    }

    private func exemption(_ draft: Draft) throws(StoreFailure) -> PreparedResponse {
        guard let stored = draft.stored,
            let purchase = AuthenticatedPurchase(of: draft.message, draft.facts, card: stored.card)
        else { throw .misuse }
        let number = store.secrets.newestValueKey
        let value = try value(of: purchase, by: .exemption, number)
        let eci = draft.request.directory.cards.eci
        var prepared = try response(.frictionless(value, eci), draft, details: ["Y", "exempted"])
        prepared.authentication.purchase = purchase
        prepared.authentication.basis = .exemption
        prepared.authentication.valueKey = number
        prepared.value = value
        prepared.exempted = purchase.amount.map { stored.exempted.adding($0) }
        return prepared
    }

    /// The authentication value in the ARes of an exempted payment.
    func value(
        inResponseTo authentication: Authentication
    ) async throws(StoreFailure) -> AuthenticationValue? {
        guard authentication.basis == .exemption, let purchase = authentication.purchase,
            let number = authentication.valueKey
        else { return nil }
        // Another node can have added it.
        try await store.knowValueKey(number)
        try store.secrets.requireValueKey(number)
        return try value(of: purchase, by: .exemption, number)
    }

    /// The authentication value, which is never stored.
    func value(
        of purchase: AuthenticatedPurchase,
        by basis: AuthenticationBasis,
        _ number: UInt8
    ) throws(StoreFailure) -> AuthenticationValue {
        try orStoreFailure(
            store.secrets.withValueKey(number) { key throws(CryptographyFailure) in
                try AuthenticationValue(of: purchase, by: basis, under: key)
            }
        )
    }
}

// MARK: Challenges

extension IssuerService {
    private func challenge(
        _ draft: Draft
    ) throws(StoreFailure) -> Result<PreparedResponse, MessageFault> {
        let (card, approval) = try approval(draft)
        let flow: Challenge.Flow
        let party: StoredChallenge.Party
        let entrance: AuthenticationResponse.Entrance
        var sealedKey = SQLValue.null
        switch draft.facts.channel {
        case .app:
            guard let sdkKey = draft.message.sdkKey,
                let reference = draft.message["sdkReferenceNumber"]
            else { return .failure(draft.fault("sdkEphemPubKey")) }
            let keys = try orStoreFailure(P256.PrivateKey())
            let key = try orChannelMisuse(
                ChannelKey(own: keys, other: sdkKey, sdkReferenceNumber: reference)
            )
            sealedKey = try store.sealed(key, of: draft.facts.acsTransID)
            let content = try orChannelMisuse(
                signed(keys.publicKey, sdkKey, draft.request.directory)
            )
            entrance = .app(signedContent: content)
            let state = SecureChannel.State(choosing: nil)
            (flow, party) = (.app, .app(StoredChallenge.AppSession(channel: state)))
        case .browser:
            guard let address = draft.message["notificationURL"],
                WebAddress(address, isSandbox: addresses.isSandbox) != nil
            else { return .failure(draft.fault("notificationURL")) }
            let session = StoredChallenge.BrowserSession(
                handle: try orStoreFailure(PageHandle.random()),
                notificationURL: address,
                amount: approval.shownAmount,
                shop: approval.shop,
                lastFour: card.lastFour,
                language: draft.message.browserLanguage
            )
            entrance = .browser(acsURL: addresses.browser)
            (flow, party) = (.browser, .browser(session))
        case .requestor: throw .misuse
        }
        var prepared = try response(.challenge(entrance), draft, details: ["C"])
        prepared.sealedKey = sealedKey
        let progress = Challenge(flow, at: draft.now.sinceStart)
        try add(progress, with: party, approval, card, draft, to: &prepared.authentication)
        return .success(prepared)
    }

    private func approval(_ draft: Draft) throws(StoreFailure) -> (Card, ApprovalRequest) {
        guard let card = draft.card,
            let approval = ApprovalRequest(
                for: draft.message,
                draft.request.facts,
                draft.facts,
                card: card,
                policySeconds: draft.readiness.transactionSeconds,
                by: settings
            )
        else { throw .misuse }
        return (card, approval)
    }

    private func add(
        _ progress: Challenge,
        with party: StoredChallenge.Party,
        _ approval: ApprovalRequest,
        _ card: Card,
        _ draft: Draft,
        to authentication: inout Authentication
    ) throws(StoreFailure) {
        authentication.purchase = AuthenticatedPurchase(of: draft.message, draft.facts, card: card)
        authentication.dsURL = draft.message["dsURL"].flatMap {
            draft.request.directory.senderTo($0) == nil ? nil : $0
        }
        authentication.challenge = StoredChallenge(
            progress: progress,
            account: card.account,
            document: try approval.document.bytes(),
            summary: approval.summary,
            isMuted: draft.readiness.isMuted,
            party: party,
            laterPayments: approval.laterPayments
        )
    }

    private func decoupled(_ draft: Draft) throws(StoreFailure) -> PreparedResponse {
        let (card, approval) = try approval(draft)
        var prepared = try response(.decoupled, draft, details: ["D"])
        let time = draft.facts.decoupledTime(for: draft.message, approval.seconds)
        let progress = Challenge(decoupledFor: time, at: draft.now.sinceStart)
        try add(progress, with: .none, approval, card, draft, to: &prepared.authentication)
        return prepared
    }

    private func signed(
        _ acsKey: P256.PublicKey,
        _ sdkKey: P256.PublicKey,
        _ directory: ServedDirectory
    ) throws(ChannelFailure) -> String {
        let content = SignedContent(
            acsKey: acsKey,
            sdkKey: sdkKey,
            acsURL: addresses.app,
            isSandbox: addresses.isSandbox
        )
        guard let content else { throw .refused }
        return try content.signed(by: directory.signer)
    }
}

extension Message {
    /// Nil if the element is not a point on the curve.
    fileprivate var sdkKey: P256.PublicKey? {
        // The sender gets an error that names the element: `try?`.
        self[value: "sdkEphemPubKey"].flatMap {
            try? P256.PublicKey(jwk: $0, for: .encryption(.ecdhES))
        }
    }
}

/// A failure with keys and texts that are this ACS's own.
func orChannelMisuse<Outcome: ~Copyable>(
    _ body: @autoclosure () throws(ChannelFailure) -> Outcome
) throws(StoreFailure) -> Outcome {
    do throws(ChannelFailure) {
        return try body()
    } catch .system(let failure) {
        throw .system(failure)
    } catch {
        throw .misuse
    }
}

extension PageHandle {
    static func random() throws(CryptographyFailure) -> PageHandle {
        let bytes = try randomBytes(count: 16)
        guard let handle = PageHandle(TextEncoding.base64URL.encode(bytes.span)) else {
            throw .invalidArgument
        }
        return handle
    }
}

/// A random UUID (RFC 9562, version 4).
func newUUID() throws(CryptographyFailure) -> String {
    var bytes = try randomBytes(count: 16)
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    var text: [UInt8] = []
    for (place, digit) in TextEncoding.hexadecimal.encode(bytes.span).utf8.enumerated() {
        if [8, 12, 16, 20].contains(place) { text.append(UInt8(ascii: "-")) }
        text.append(digit)
    }
    return String(decoding: text, as: UTF8.self)
}
