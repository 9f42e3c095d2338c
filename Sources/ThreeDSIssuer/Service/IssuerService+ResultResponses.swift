import Cryptography
import Storage
import ThreeDSProtocol
import Transactions

/// The response to an RReq.
typealias ResultReply = Result<[UInt8], ServedDirectory.ResultFailure>

/// The effect of a response to an RReq.
enum ResultOutcome: Sendable {
    /// By an RRes, or by a response to another node.
    case taken
    /// By an error message: the result is not sent again.
    case refused(code: String)
    /// The directory gets this error message, and the result is not sent again.
    case unacknowledged(MessageFault)
    /// The result is sent again.
    case failed(reason: String)
}

extension IssuerService {
    /// How long an RReq is sent again, from the result on.
    private static let deliveryLimit = Duration.seconds(86_400)

    /// Notes the end of a delivery, unless the result is sent again.
    ///
    /// It is noted before an error message is sent. So a crash can lose the error message, and
    /// never repeats it.
    func note(
        _ reply: ResultReply,
        on authentication: Authentication
    ) async throws(StoreFailure) -> ResultOutcome {
        let outcome = try await step(at: .id(authentication.id)) { step throws(StoreFailure) in
            try step.note(reply)
        }
        return outcome ?? .taken
    }

    private enum Attempt: Sendable {
        /// Another node has delivered it meanwhile.
        case delivered
        case failed(count: Int)
        case givenUp
    }

    func noteFailure(_ reason: String, of id: String) async throws(StoreFailure) {
        let attempt = try await step(at: .id(id)) { step throws(StoreFailure) in
            guard step.challenge.resultDue != nil else { return Attempt.delivered }
            let count = step.challenge.failedResults + 1
            step.change { $0.failedResults = count }
            let decided = step.challenge.result?.time ?? step.authentication.made
            // An operator sends a result once.
            guard step.challenge.endOfDelivery == nil,
                step.now.elapsed(since: decided) < Self.deliveryLimit
            else {
                step.giveUpResult()
                return .givenUp
            }
            let next = step.now + ResultDelivery.delay(afterFailures: count)
            step.change { $0.resultDue = next }
            return .failed(count: count)
        }
        switch attempt {
        case .delivered, nil: break
        case .failed(let count):
            observer.report(.resultFailed(authentication: id, reason: reason, count: count))
        case .givenUp: observer.report(.resultGivenUp(authentication: id))
        }
    }

    func giveUp(_ id: String) async throws(StoreFailure) {
        _ = try await step(at: .id(id)) { step throws(StoreFailure) in step.giveUpResult() }
        observer.report(.resultGivenUp(authentication: id))
    }
}

// MARK: Steps

extension ChallengeStep {
    mutating func giveUpResult() {
        change { $0.resultDue = nil }
        add(.givenUp, [])
    }

    fileprivate mutating func note(_ reply: ResultReply) throws(StoreFailure) -> ResultOutcome {
        let reading = try reading(of: reply)
        guard challenge.sentReport != nil else { return .taken }
        switch reading {
        case .acknowledged(let type, let code):
            endDelivery(nil)
            add(.reported, [type.rawValue, code])
            _ = apply(.resultAcknowledged)
            return .taken
        case .refused(let code):
            endDelivery(.refused)
            add(.reported, [MessageType.erro.rawValue, code])
            _ = apply(.resultUnacknowledged(.transientFailure))
            return .refused(code: code)
        case .faulty(let fault):
            // Another node has noted the end of its own attempt.
            guard challenge.resultDue != nil, let report = challenge.sentReport else {
                return .taken
            }
            endDelivery(.unacknowledged(report))
            change { $0.failedResults += 1 }
            add(.unacknowledged, [fault.code.rawValue])
            _ = apply(.resultUnacknowledged(fault.code.forApp))
            return .unacknowledged(fault)
        case .transient(let reason): return .failed(reason: reason)
        }
    }

    private mutating func endDelivery(_ end: StoredChallenge.EndOfDelivery?) {
        change {
            $0.resultDue = nil
            $0.endOfDelivery = end
        }
    }
}

extension MessageErrorCode {
    /// The error of the app after a fault of the response to a result.
    fileprivate var forApp: MessageErrorCode { self == .timedOut ? .transientFailure : self }
}

// MARK: Responses

/// The meaning of a response to an RReq.
private enum ReplyReading {
    case acknowledged(by: MessageType, code: String)
    case refused(code: String)
    /// The directory gets an error message.
    case faulty(MessageFault)
    case transient(reason: String)
}

extension ChallengeStep {
    private func reading(of reply: ResultReply) throws(StoreFailure) -> ReplyReading {
        switch reply {
        case .success(let body): return try reading(of: body)
        case .failure(let failure) where failure.isTimeout:
            return .faulty(authentication.facts.lateResponse)
        case .failure(let failure):
            guard !failure.body.isEmpty else { return .transient(reason: failure.reason) }
            let reading = try reading(of: failure.body)
            // The page of a proxy, for example, is not a message.
            if case .faulty(let fault) = reading, fault.code == .messageInvalid {
                return .transient(reason: failure.reason)
            }
            return reading
        }
    }

    private func reading(of body: [UInt8]) throws(StoreFailure) -> ReplyReading {
        let document = MessageDocument(body, limits: MessageType.rres.limits)
        if let received = document.flatMap({ ReceivedError($0) }) {
            // An error message never causes another one.
            guard let error = error(received) else {
                return .transient(reason: "the directory returned an error of another transaction")
            }
            return reading(ofError: error.code)
        }
        do throws(MessageReader.Failure) {
            let response = try read(document, as: .rres)
            return .acknowledged(by: .rres, code: response["resultsStatus"] ?? "")
        } catch {
            switch error {
            case .fault(let fault):
                return .faulty(fault.naming(authentication.facts))
            case .system(let failure): throw .system(SystemFailure(failure))
            }
        }
    }

    private func reading(ofError code: String) -> ReplyReading {
        // An earlier attempt, whose response was lost, delivered it. Earlier versions have one code for
        // a repeated and for an unknown identifier.
        if code == MessageErrorCode.messageRepeated.rawValue,
            authentication.facts.version >= .twoThree, challenge.failedResults > 0
        {
            return .acknowledged(by: .erro, code: code)
        }
        guard code == MessageErrorCode.transientFailure.rawValue else {
            return .refused(code: code)
        }
        return .transient(reason: "the directory returned the error \(code)")
    }
}

extension CardAuthentication {
    /// No RRes came in time.
    fileprivate var lateResponse: MessageFault {
        MessageFault(.timedOut, detail: "", in: .rres, version: version, ids: ids)
    }
}

extension MessageFault {
    /// With the identifiers of the RReq, by which its receiver knows the transaction.
    fileprivate func naming(_ facts: CardAuthentication) -> MessageFault {
        MessageFault(
            code,
            detail: detail,
            in: messageType,
            version: facts.version,
            ids: facts.ids,
            isReported: isReported
        )
    }
}
