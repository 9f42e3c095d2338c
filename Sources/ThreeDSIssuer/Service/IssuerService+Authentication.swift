import Cryptography
import JOSE
package import Storage
import StrictJSON
import ThreeDSProtocol
import Transactions

/// The response to a message of a directory server.
package struct DirectoryResponse: Sendable {
    package let body: [UInt8]
    /// `transStatus`, or the code of an error message; `errorReceived` after one of the directory.
    package let outcome: String
}

/// An AReq that is read and checked.
struct ReadRequest: Sendable {
    let message: Message
    let facts: RequestFacts
    /// A keyed hash of its bytes.
    let digest: [UInt8]
    let directory: ServedDirectory

    init(
        _ message: Message,
        _ facts: RequestFacts,
        _ digest: [UInt8],
        from directory: ServedDirectory
    ) {
        (self.message, self.facts, self.digest) = (message, facts, digest)
        self.directory = directory
    }
}

extension IssuerService {
    /// The ARes or the error message to an AReq of a directory server.
    ///
    /// Nil if the protocol forbids a response. The response to an error message has no body.
    package func response(
        to body: [UInt8],
        from directory: ServedDirectory
    ) async throws(StoreFailure) -> DirectoryResponse? {
        let message: Message
        do throws(MessageReader.Failure) {
            message = try directory.cards.reader.read(body, as: [.areq], in: .first)
        } catch {
            switch error {
            case .fault(let fault) where fault.messageType == .erro:
                return try await response(toErrorIn: body, from: directory)
            case .fault(let fault): return try refusal(fault)
            case .system(let failure): throw .system(SystemFailure(failure))
            }
        }
        guard let facts = RequestFacts(message, by: settings) else { throw .misuse }
        let digest = try orStoreFailure(store.secrets.digest(ofRequest: body))
        let request = ReadRequest(message, facts, digest, from: directory)
        var unchanged = UnchangedRow()
        while true {
            switch try await attempt(request) {
            case .responded(let response): return response
            case .fault(let fault): return try refusal(fault)
            case .repeated(let earlier): return try await response(to: request, repeating: earlier)
            case .changedCard(let row):
                try unchanged.note(row.content, of: .card(row.stored.card.reference))
            case .outdated: continue
            }
        }
    }

    private func refusal(_ fault: MessageFault) throws(StoreFailure) -> DirectoryResponse? {
        guard let body = try fault.errorMessage(from: .acs)?.bytes() else { return nil }
        return DirectoryResponse(body: body, outcome: fault.code.rawValue)
    }

    private enum Outcome: Sendable {
        case responded(DirectoryResponse)
        case fault(MessageFault)
        case repeated(EarlierRequest)
        /// The card as it was read: it has changed meanwhile.
        case changedCard(CardRow)
        /// The number of challenges or the key of the rows has changed meanwhile.
        case outdated
    }

    /// An AReq with the same identifier of the directory.
    private struct EarlierRequest: Sendable {
        let authentication: Authentication
        let response: StoredResponse
    }

    /// The contents of the store that concern an AReq.
    private enum Known: Sendable {
        case repeated(EarlierRequest)
        /// The card is nil if the issuer does not have it.
        case new(CardRow?, LiveChallenges)
    }

    private func known(
        _ request: Message,
        with number: CardNumber
    ) async throws(StoreFailure) -> Known {
        guard let id = request.ids.directory else { throw .misuse }
        let digest = try fingerprint(of: number)
        let count = liveCount.value(for: settings)
        let known: Known = try await store.database.read {
            [store] connection throws(StoreFailure) in
            let table = store.authentications(connection)
            if let earlier = try Self.earlier(in: table, ofDirectory: id) {
                return .repeated(earlier)
            }
            guard let row = try store.cards(connection).row(withDigest: digest) else {
                return .new(nil, .none)
            }
            let card = row.stored.card.reference
            return .new(row, try table.liveChallenges(of: card, ofACS: count))
        }
        if count == nil, case .new(.some, let live) = known { liveCount.note(live) }
        return known
    }

    private static func earlier(
        in table: AuthenticationTable,
        ofDirectory id: String
    ) throws(StoreFailure) -> EarlierRequest? {
        guard let found = try table.authentication(ofDirectory: id) else { return nil }
        return EarlierRequest(authentication: found, response: try table.response(of: found))
    }

    private func attempt(_ request: ReadRequest) async throws(StoreFailure) -> Outcome {
        guard let number = request.message.cardNumber else { throw .misuse }
        let (row, live): (CardRow?, LiveChallenges)
        switch try await known(request.message, with: number) {
        case .repeated(let earlier): return .repeated(earlier)
        case .new(let card, let challenges): (row, live) = (card, challenges)
        }
        let stored = row?.stored
        let lookup = CardLookup(of: number, in: request.directory.cards, record: stored?.card)
        let readiness = await readiness(of: lookup)
        let decision = RequestDecision(
            on: RequestDecision.Facts(
                request.facts,
                lookup,
                readiness,
                exempted: stored?.exempted ?? .none,
                live: live
            ),
            by: settings
        )
        if let fault = decision.fault(in: request.message) { return .fault(fault) }
        switch try prepared(decision, on: request, stored, readiness) {
        case .failure(let fault): return .fault(fault)
        case .success(let response): return try await commit(response, ifStill: row)
        }
    }

    /// A card that the issuer does not have takes the same calls as others (SEC-85).
    private func readiness(of lookup: CardLookup) async -> Readiness {
        let account =
            if case .active(let card) = lookup { card.account } else { verifier.unknownAccount }
        do throws(VerifierFailure) {
            let report = try await untilItsEnd { () async throws(VerifierFailure) in
                try await verifier.readiness(of: account)
            }
            if case .active = lookup { return .reported(report) }
        } catch {
            if case .active(let card) = lookup {
                // Without the verifier, each card would be one more line.
                observer.report(
                    .verifierFailed(
                        error,
                        authentication: nil,
                        card: error.isAboutAccount ? card.reference : nil
                    )
                )
            }
        }
        return .unreachable
    }

    private func fingerprint(of number: CardNumber) throws(StoreFailure) -> Digest {
        try orStoreFailure(number.fingerprint(store.secrets.cardKey()).digest)
    }
}

// MARK: Repeated requests

extension IssuerService {
    /// The same ARes again, or an error if the identifier was used for something else.
    private func response(
        to request: ReadRequest,
        repeating earlier: EarlierRequest
    ) async throws(StoreFailure) -> DirectoryResponse? {
        // One directory server gets nothing that is for another one.
        let authentication = earlier.authentication
        if authentication.requestDigest == request.digest,
            authentication.directory == request.directory.cards.id
        {
            let body = earlier.response.message(with: try await value(inResponseTo: authentication))
            // An ACS wrote it: `try?`.
            let sent = try? JSONValue(reading: body, limits: MessageType.ares.limits)
            let outcome = sent?["transStatus"]?.text ?? "unknown"
            return DirectoryResponse(body: body, outcome: outcome)
        }
        return try refusal(request.message.fault(.messageRepeated, naming: "dsTransID"))
    }

    private func commit(
        _ response: PreparedResponse,
        ifStill card: CardRow?
    ) async throws(StoreFailure) -> Outcome {
        let row = try store.seal.row(
            of: response.authentication,
            sealedKey: response.sealedKey,
            response: StoredResponse(of: response.message, without: response.value)
        )
        let count = liveCount.value(for: settings)
        let outcome: Outcome = try await store.database.write {
            [store, settings] connection throws(StoreFailure) in
            let table = store.authentications(connection)
            let authentication = response.authentication
            guard try table.isCurrent(row) else { return .outdated }
            if let card {
                guard try store.cards(connection).has(card) else { return .changedCard(card) }
                if authentication.challenge != nil {
                    let reference = card.stored.card.reference
                    let live = try table.liveChallenges(of: reference, ofACS: count)
                    let isDecoupled = authentication.facts.isDecoupled
                    guard live.refusal(isDecoupled: isDecoupled, by: settings) == nil else {
                        return .outdated
                    }
                }
            }
            guard try table.add(row) else {
                let id = authentication.facts.ids.directory ?? ""
                guard let earlier = try Self.earlier(in: table, ofDirectory: id) else {
                    // A random identifier that exists.
                    throw .conflict
                }
                return .repeated(earlier)
            }
            if let stored = card?.stored, let exempted = response.exempted {
                try store.cards(connection).replace(StoredCard(stored.card, exempted: exempted))
            }
            if let event = response.event {
                try store.events(connection).add(event)
            }
            try store.records(connection).add(
                IssuerRecord(
                    time: authentication.made,
                    subject: .authentication(authentication.id),
                    step: .answered,
                    details: response.details
                )
            )
            return .responded(response.sent)
        }
        if case .responded = outcome {
            let authentication = response.authentication
            var works = authentication.challenge?.wakes.works(after: nil, at: clock()) ?? []
            if response.event != nil { works.insert(.sendingEvents) }
            changes.changed(authentication.id, concerning: works)
        }
        return outcome
    }
}

/// A failed hash or random number of the machine.
func orStoreFailure<Outcome: ~Copyable>(
    _ body: @autoclosure () throws(CryptographyFailure) -> Outcome
) throws(StoreFailure) -> Outcome {
    try translatingSystemFailure(body(), to: StoreFailure.system)
}
