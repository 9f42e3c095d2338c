import Cryptography
import JOSE
package import Storage
import StrictJSON
import ThreeDSProtocol
import Transactions

extension IssuerService {
    /// The ARes or the error message to an AReq of a directory server; nil if the protocol forbids
    /// a response.
    package func response(
        to body: [UInt8],
        from directory: ServedDirectory
    ) async throws(StoreFailure) -> [UInt8]? {
        let request: Message
        do throws(MessageReader.Failure) {
            request = try directory.cards.reader.read(body, as: [.areq], in: .first)
        } catch {
            switch error {
            case .fault(let fault): return try written(fault.errorMessage(from: .acs))
            case .system(let failure): throw .system(SystemFailure(failure))
            }
        }
        let digest = try orStoreFailure(store.secrets.digest(ofRequest: body))
        if let earlier = try await authentication(like: request) {
            return try response(to: request, digest, repeating: earlier)
        }
        while true {
            switch try await attempt(request, digest, from: directory) {
            case .responded(let response): return response
            case .fault(let fault): return try written(fault.errorMessage(from: .acs))
            case .repeated(let earlier):
                return try response(to: request, digest, repeating: earlier)
            // The row of the card or the number of challenges has changed since it was read.
            case .outdated: continue
            }
        }
    }

    private enum Outcome: Sendable {
        case responded([UInt8])
        case fault(MessageFault)
        case repeated(Authentication)
        case outdated
    }

    private func attempt(
        _ request: Message,
        _ digest: [UInt8],
        from directory: ServedDirectory
    ) async throws(StoreFailure) -> Outcome {
        guard let number = request.cardNumber, let facts = RequestFacts(request, by: settings)
        else { throw .misuse }
        let cardDigest = try fingerprint(of: number)
        let (stored, live) = try await store.database.read {
            [store] connection throws(StoreFailure) -> (StoredCard?, LiveChallenges) in
            guard let stored = try store.cards(connection).card(withDigest: cardDigest) else {
                return (nil, .none)
            }
            let table = store.authentications(connection)
            return (stored, try table.liveChallenges(of: stored.card.reference))
        }
        let lookup = CardLookup(of: number, in: directory.cards, record: stored?.card)
        let readiness = await readiness(of: lookup)
        let decision = Decision(
            on: Decision.Facts(
                facts,
                lookup,
                readiness,
                exempted: stored?.exempted ?? .none,
                live: live
            ),
            by: settings
        )
        if let fault = decision.fault(in: request) { return .fault(fault) }
        switch try prepared(request, digest, decision, stored, readiness, directory) {
        case .failure(let fault): return .fault(fault)
        case .success(let response): return try await commit(response, ifStill: stored)
        }
    }

    /// A card that the issuer does not have takes the same calls as others (SEC-85).
    private func readiness(of lookup: CardLookup) async -> Readiness {
        let account =
            if case .active(let card) = lookup { card.account.key } else { Self.unknownAccount }
        do throws(VerifierFailure) {
            let report = try await verifier.readiness(of: account)
            if case .active = lookup { return .reported(report) }
        } catch {
            if case .active = lookup {
                observer.report(.verifierFailed(error, authentication: nil))
            }
        }
        return .unreachable
    }

    static let unknownAccount = AccountKey(
        type: AccountType(checked: "card"),
        id: AccountID(checked: "unknown")
    )

    private func fingerprint(of number: CardNumber) throws(StoreFailure) -> Digest {
        try orStoreFailure(number.fingerprint(store.secrets.cardKey()).digest)
    }
}

// MARK: Repeated requests

extension IssuerService {
    private func authentication(
        like request: Message
    ) async throws(StoreFailure) -> Authentication? {
        guard let id = request.ids.directory else { return nil }
        return try await store.database.read { [store] connection throws(StoreFailure) in
            try store.authentications(connection).authentication(ofDirectory: id)
        }
    }

    /// The same ARes again, or an error if the identifier was used for something else.
    private func response(
        to request: Message,
        _ digest: [UInt8],
        repeating earlier: Authentication
    ) throws(StoreFailure) -> [UInt8]? {
        if earlier.requestDigest == digest { return earlier.response }
        let fault = MessageFault(
            .transactionIDNotRecognised,
            detail: "dsTransID",
            in: .areq,
            version: request.version,
            ids: request.ids
        )
        return try written(fault.errorMessage(from: .acs))
    }

    private func commit(
        _ response: PreparedResponse,
        ifStill stored: StoredCard?
    ) async throws(StoreFailure) -> Outcome {
        let outcome: Outcome = try await store.database.write {
            [store, settings] connection throws(StoreFailure) in
            let table = store.authentications(connection)
            let authentication = response.authentication
            if let stored {
                let cards = store.cards(connection)
                guard try cards.card(stored.card.reference) == stored else { return .outdated }
                if authentication.challenge != nil {
                    let live = try table.liveChallenges(of: stored.card.reference)
                    guard live.refusal(by: settings) == nil else { return .outdated }
                }
            }
            guard try table.add(authentication, sealedKey: response.sealedKey) else {
                let id = authentication.facts.ids.directory ?? ""
                guard let earlier = try table.authentication(ofDirectory: id) else {
                    // A random identifier that exists.
                    throw .conflict
                }
                return .repeated(earlier)
            }
            if let stored, let exempted = response.exempted {
                try store.cards(connection).replace(StoredCard(stored.card, exempted: exempted))
            }
            if let notification = response.notification {
                try store.notifications(connection).add(notification)
            }
            try store.records(connection).add(
                IssuerRecord(
                    time: authentication.made,
                    authentication: authentication.id,
                    step: .answered,
                    details: response.details
                )
            )
            return .responded(authentication.response)
        }
        if case .responded = outcome {
            let authentication = response.authentication
            var works = authentication.challenge?.wakes.works(after: nil) ?? []
            if response.notification != nil { works.insert(.notifying) }
            changes.changed(authentication.id, concerning: works)
        }
        return outcome
    }
}

extension IssuerService {
    /// The bytes of a message of this ACS.
    func written(_ message: Message?) throws(StoreFailure) -> [UInt8]? {
        guard let message else { return nil }
        do throws(StrictJSON.Unwritable) {
            return try message.written()
        } catch {
            // Its texts were checked when they came.
            throw .misuse
        }
    }
}

/// A failed hash or random number of the machine.
func orStoreFailure<Outcome: ~Copyable>(
    _ body: @autoclosure () throws(CryptographyFailure) -> Outcome
) throws(StoreFailure) -> Outcome {
    try translatingSystemFailure(body(), to: StoreFailure.system)
}
