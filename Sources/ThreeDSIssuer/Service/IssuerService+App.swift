import Cryptography
import JOSE
package import Storage
import StrictJSON
import ThreeDSProtocol
import Transactions

/// The response to a message of an SDK.
package enum AppResponse: Equatable, Sendable {
    /// An encrypted CRes.
    case sealed([UInt8])
    /// An error message.
    case error([UInt8])
    /// To an error message of the SDK.
    case none
}

extension IssuerService {
    /// The response to an encrypted CReq, or to an error message of the SDK.
    ///
    /// A response waits up to eight seconds for the acknowledgement of the result, and not while the
    /// process ends.
    package func response(
        toApp body: [UInt8]
    ) async throws(StoreFailure) -> AppResponse {
        if UnencryptedMessage.canBe(body) { return try await note(error: body) }
        let received = try orChannelMisuse(ReceivedToken(body, from: .sdk))
        guard let id = received.claimedTransactionID else {
            return try error(.decryptionFailed)
        }
        let arrival = ContinuousClock.now
        var call = VerifierCall.none
        while true {
            let ticket = changes.ticket(for: id)
            defer { changes.discard(ticket) }
            let left = arrival + Challenge.maximumResponseTime - ContinuousClock.now
            let hasWaited = left <= .zero || changes.hasEnded
            let message = AppMessage(received: received, call: call, hasWaited: hasWaited)
            let outcome = try await step(at: .id(id)) { [settings] step throws(StoreFailure) in
                try step.response(to: message, by: settings)
            }
            switch outcome {
            case .none: return try error(.transactionIDNotRecognised)
            case .response(let response)?: return response
            case .order(let order)?: call = .order(await attempt(order))
            case .notify(let order)?: call = .notification(await notify(order))
            case .wait?:
                call = .order(.settled)
                // Another node may have the acknowledgement, so the row is read every second. A
                // wait that is cut with the connection would follow again without a pause.
                await untilItsEnd { await changes.wait(ticket, atMost: min(left, .seconds(1))) }
            }
        }
    }

    /// The error message to a CReq that the ACS cannot process now; nil to an error message.
    package func transientFailure(
        ofApp body: [UInt8],
        after failure: StoreFailure
    ) async -> [UInt8]? {
        // Without a hash, the status shows the failure: `try?`.
        let received = try? ReceivedToken(body, from: .sdk)
        guard let id = received?.claimedTransactionID else { return nil }
        // An app would not wait again for a database that cannot be reached. A full store can still be
        // read: `try?`.
        let found = failure.reason == .unavailable ? nil : try? await authentication(id)
        let fault = MessageFault(
            .transientFailure,
            detail: "",
            in: .creq,
            version: found?.facts.version ?? .twoTwo,
            ids: found?.facts.ids
                ?? TransactionIDs(in: [.init(name: "acsTransID", value: .string(id))])
        )
        // Without the message, the status shows the failure: `try?`.
        return try? fault.errorMessage(from: .acs)?.bytes()
    }

    /// An error without a known challenge.
    private func error(_ code: MessageErrorCode) throws(StoreFailure) -> AppResponse {
        let fault = MessageFault(
            code,
            detail: "acsTransID",
            in: .creq,
            version: .twoTwo,
            ids: TransactionIDs()
        )
        guard let message = fault.errorMessage(from: .acs) else { return .none }
        return .error(try message.bytes())
    }

    /// An SDK reports an error without encryption, so a stranger who knows the identifiers can.
    private func note(error body: [UInt8]) async throws(StoreFailure) -> AppResponse {
        let message = UnencryptedMessage(reading: body)
        guard let id = message.challenge else {
            return message.isErrorMessage ? .none : try error(.messageInvalid)
        }
        let response = try await step(at: .id(id.text)) { step throws(StoreFailure) in
            guard case .app = step.challenge.party else { return AppResponse.none }
            // An error message never causes another one, but a CReq without encryption does.
            guard message.isErrorMessage else {
                return try step.response(step.fault(.messageInvalid))
            }
            if let error = step.error(ReceivedError(reading: body)) {
                try step.abandon(because: error)
            }
            return .none
        }
        return response ?? .none
    }
}

/// A CReq in its encrypted form.
private struct AppMessage: Sendable {
    let received: ReceivedToken
    let call: VerifierCall
    /// Whether its response can no longer be held.
    let hasWaited: Bool
}

/// The call of the verifier that a CReq has led to.
private enum VerifierCall: Sendable {
    case none
    case order(TransactionAttempt)
    case notification(NotificationReport)
}

private enum AppOutcome: Sendable {
    case response(AppResponse)
    case order(TransactionOrder)
    case notify(NotificationOrder)
    case wait
}

extension AppMessage {
    var attempt: TransactionAttempt {
        if case .order(let attempt) = call { attempt } else { .notMade }
    }

    /// Whether the verifier was called for it, so that it only shows the page.
    var isCalled: Bool { if case .none = call { false } else { true } }
}

extension ChallengeStep {
    fileprivate mutating func response(
        to message: AppMessage,
        by settings: IssuerSettings
    ) throws(StoreFailure) -> AppOutcome {
        guard case .app(let session) = challenge.party else {
            return try error(.transactionDataInvalid)
        }
        if let last = session.lastResponse, session.channel.hasResponded,
            session.channel.repeats(message.received)
        {
            return .response(.sealed(last))
        }
        guard let key = try channelKey() else {
            // Without a key, the challenge has ended for all requests.
            _ = apply(.clock)
            return try error(challenge.progress.closingError ?? .transactionDataInvalid)
        }
        var channel = SecureChannel(
            of: .acs,
            key,
            transactionID: authentication.id,
            state: session.channel
        )
        let request: Message
        switch try opened(message.received, in: &channel) {
        case .message(let message): request = message
        case .error(let error):
            try abandon(because: error)
            return .response(.none)
        case .fault(let fault): return try end(by: fault, channel)
        }
        settle(message.attempt)
        let isFirst = challenge.progress.state == .promised
        // A message that waits or has called the verifier counts once, so its time stays.
        let choice = message.isCalled ? .load : choice(in: request)
        let actions = apply(.request(choice, waited: message.hasWaited))
        if isFirst, let address = ReturnURL(ofApp: request) {
            change { $0.document = address.added(to: $0.document) }
        }
        if let order = order(after: message.attempt) { return .order(order) }
        if let order = notification(for: actions) { return .notify(order) }
        return try outcome(of: actions, after: message.call, in: &channel, by: settings)
    }

    private enum Opened {
        case message(Message)
        /// An error message about this challenge, although SDKs send it without encryption.
        case error(ReceivedError)
        case fault(MessageFault)
    }

    private func opened(
        _ received: ReceivedToken,
        in channel: inout SecureChannel
    ) throws(StoreFailure) -> Opened {
        let document: MessageDocument
        do throws(ChannelFailure) {
            switch try channel.open(received) {
            case .message(let opened), .repeated(.withoutResponse(let opened)): document = opened
            // Its response was found before.
            case .repeated(.withResponse): throw ChannelFailure.refused
            }
        } catch {
            switch error {
            case .refused: return .fault(fault(error.errorCode))
            case .system(let failure): throw .system(failure)
            }
        }
        if let error = error(ReceivedError(document)) { return .error(error) }
        do throws(MessageReader.Failure) {
            return .message(try read(document, as: .creq))
        } catch {
            switch error {
            case .fault(let fault): return .fault(fault)
            case .system(let failure): throw .system(SystemFailure(failure))
            }
        }
    }

    /// A CReq that is refused ends the challenge.
    private mutating func end(
        by fault: MessageFault,
        _ channel: borrowing SecureChannel
    ) throws(StoreFailure) -> AppOutcome {
        try abandon(because: fault)
        let state = channel.state
        change { $0.party = .app(.init(channel: state, lastResponse: nil)) }
        return .response(try response(fault))
    }

    private mutating func outcome(
        of actions: [Challenge.Action],
        after call: VerifierCall,
        in channel: inout SecureChannel,
        by settings: IssuerSettings
    ) throws(StoreFailure) -> AppOutcome {
        for action in actions {
            switch action {
            case .wait: return .wait
            case .sendError(let code): return try error(code)
            case .showPage:
                var page = challenge.page(after: call)
                page.logos = settings.logos(of: authentication.directory)
                let message = authentication.facts.message(
                    page,
                    isRepeated: challenge.hasShownPage,
                    by: settings
                )
                change { $0.hasShownPage = true }
                return .response(try sealed(message, in: &channel))
            case .finish(let status):
                return .response(
                    try sealed(authentication.facts.lastMessage(status), in: &channel)
                )
            case .createTransaction, .withdrawTransaction, .notifyAgain, .sendResult, .eraseKeys:
                continue
            }
        }
        // A request always has one of the actions above.
        throw .misuse
    }

    private mutating func sealed(
        _ message: Message,
        in channel: inout SecureChannel
    ) throws(StoreFailure) -> AppResponse {
        do throws(ChannelFailure) {
            let text = Array(try channel.seal(message).utf8)
            let state = channel.state
            change { $0.party = .app(.init(channel: state, lastResponse: text)) }
            return .sealed(text)
        } catch {
            switch error {
            // After 256 messages.
            case .refused:
                let fault = fault(error.errorCode)
                try abandon(because: fault)
                return try response(fault)
            case .system(let failure): throw .system(failure)
            }
        }
    }

    private func error(_ code: MessageErrorCode) throws(StoreFailure) -> AppOutcome {
        .response(try response(fault(code)))
    }

    fileprivate func response(_ fault: MessageFault) throws(StoreFailure) -> AppResponse {
        guard let message = fault.errorMessage(from: .acs) else { return .none }
        return .error(try message.bytes())
    }
}

extension ChallengeStep {
    private static let reader = MessageReader(for: .acs)

    /// Reads a message of the shopper's side; nil for a text that is not a document.
    func read(
        _ document: MessageDocument?,
        as type: MessageType
    ) throws(MessageReader.Failure) -> Message {
        let facts = authentication.facts
        var known = TransactionFacts(
            version: facts.version,
            channel: facts.channel,
            category: facts.category,
            ids: facts.ids
        )
        if challenge.hasShownPage { known.add("acsUiType", ["04"]) }
        return try Self.reader.read(document, as: [type], in: .transaction(known))
    }

    /// The error message if it is about this challenge.
    func error(_ received: ReceivedError?) -> ReceivedError? {
        received.flatMap { $0.concerns(authentication.facts.ids) ? $0 : nil }
    }

    /// Ends the challenge after an Erro of the SDK.
    fileprivate mutating func abandon(because error: ReceivedError) throws(StoreFailure) {
        let facts = authentication.facts
        try abandon(.errorReceived, because: error.report(in: facts.version, about: facts.ids))
    }

    /// Ends the challenge after a CReq that is refused.
    mutating func abandon(because fault: MessageFault) throws(StoreFailure) {
        try abandon(.requestRefused, because: fault.errorMessage(from: .acs)?.members ?? [])
    }

    /// Ends the challenge after an Erro with the elements `error`, which the RReq of version 2.3.1
    /// contains.
    private mutating func abandon(
        _ event: Challenge.Event,
        because error: [JSONValue.Member]
    ) throws(StoreFailure) {
        if challenge.progress.isUndecided, authentication.facts.version >= .twoThree, !error.isEmpty
        {
            let document = try JSONValue.object(error).bytes()
            change { $0.error = document }
        }
        _ = apply(event)
    }

    /// A fault of a CReq.
    func fault(_ code: MessageErrorCode) -> MessageFault {
        let facts = authentication.facts
        return MessageFault(code, detail: "", in: .creq, version: facts.version, ids: facts.ids)
    }
}

extension ChallengeStep {
    /// The person's choice in a CReq of an app.
    fileprivate func choice(in request: Message) -> Challenge.Request {
        if let reason = request["challengeCancel"] {
            return reason == "01" ? .cancel : .abandon(isTimeout: reason == "08")
        }
        // The page of an expired request has this label on its button.
        let hasAsked = challenge.progress.state == .unanswered(isShown: true) && request.isContinued
        return request["resendChallenge"] == "Y" || hasAsked ? .resend : .show
    }
}

extension Message {
    /// Whether the person has pressed the button of the page.
    ///
    /// An app of version 2.3.1 has another value if it comes back by itself.
    fileprivate var isContinued: Bool {
        if case .boolean(let isContinued)? = self[value: "oobContinue"] { return isContinued }
        return self["oobContinue"] == "01"
    }
}

extension StoredChallenge {
    /// The page in the shop's app.
    fileprivate func page(after call: VerifierCall) -> ChallengePage {
        var page = ChallengePage(
            summary: summary,
            number: transaction?.number,
            isMuted: isMuted,
            isRequested: transaction != nil
        )
        switch call {
        case .notification(let report): page.notification = report
        case .order(.made(.created, _)) where progress.requests.count > 1:
            page.notification = .sent
        case .none, .order: break
        }
        if case .unanswered = progress.state { page.isExpired = true }
        return page
    }
}
