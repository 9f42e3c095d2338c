/// A challenge at the ACS: each event leads to a state and to actions.
///
/// It holds no message and reads no clock. `now` is a time of a clock that goes back only if it was
/// far ahead.
package struct Challenge: Equatable, Sendable {
    package enum Flow: UInt8, CaseIterable, Sendable {
        /// An SDK sends encrypted requests, and gets one response to each.
        case app
        /// A browser shows a page of the ACS, which it can load at any time.
        case browser
        /// No message comes between ARes and RReq: the shopper does not wait.
        case decoupled
    }

    package enum State: Equatable, Sendable {
        /// The ARes has the status C, and the first CReq is awaited.
        case promised
        /// The device shows the transaction to the person.
        case asked
        /// The transaction expired, and the shopper can request another one.
        ///
        /// `isShown` states that a page has shown this.
        case unanswered(isShown: Bool)
        /// The challenge ends with this result, unless the person has decided before.
        case withdrawing(ResultReport)
        /// The result is committed, and its RReq is on the way.
        case decided(ResultReport)
        /// The 3DS server has the result.
        case reported(ResultReport)
        case ended
    }

    package enum Event: Equatable, Sendable {
        /// An accepted CReq of an app; in a browser the first CReq, a load or a button of the page.
        ///
        /// `waited` states that its response can no longer be held.
        case request(Request, waited: Bool = false)
        case verdict(Verdict)
        /// No device can decide about the transaction, which the verifier may still have.
        case unapprovable(Verdict)
        /// The transaction expired, and another one may follow.
        case unanswered
        /// The transaction was withdrawn before the person decided.
        case withdrawn
        /// An RRes came, whatever its status.
        case resultAcknowledged
        /// No valid RRes came, and none is awaited: an app gets this error.
        case resultUnacknowledged(MessageErrorCode)
        /// The directory server sent an Erro, so the shop may not have the challenge.
        case refusedByDirectory
        /// The SDK sent an Erro.
        case errorReceived
        /// The ACS sent an Erro in response to a CReq.
        case requestRefused
        /// Time has passed.
        case clock
    }

    package enum Request: Equatable, Sendable {
        case show
        /// A page loads itself again, without an action of the person.
        case load
        case resend
        /// The shopper ends the challenge.
        case cancel
        /// The SDK ends the challenge by itself.
        case abandon(isTimeout: Bool)

        /// Nil if the challenge goes on.
        fileprivate var report: ResultReport? {
            switch self {
            case .show, .load, .resend: nil
            case .cancel: .cancelled
            case .abandon(let isTimeout): isTimeout ? .timedOutAtSDK : .failed
            }
        }
    }

    /// The decision about the transaction of the challenge.
    package enum Verdict: CaseIterable, Sendable {
        case approved, rejected
        /// The person did not make the purchase.
        case suspected
        case locked
        /// No device can approve any more.
        case noDevice
        /// The person approved, and the issuer no longer accepts the card.
        case cardBlocked
        /// The transaction expired.
        case expired
        /// The verifier does not create such a transaction.
        case failed
    }

    package enum Action: Equatable, Sendable {
        case createTransaction
        case withdrawTransaction
        /// Notify the person once more; the verifier decides whether that is too often.
        case notifyAgain
        /// A response with the page, which is a repetition after the first one.
        case showPage(isRepeated: Bool)
        /// Hold the response until the challenge changes, or for `maximumResponseTime`; then apply
        /// the request again.
        case wait
        /// The last CRes, with this `transStatus`.
        case finish(ResultReport.Status)
        case sendResult(ResultReport)
        case sendError(MessageErrorCode)
        case eraseKeys
    }

    /// The maximum of transactions in any flow.
    static let maximumRequests = 3
    private static let maximumRequestsOfShopper = 2
    /// A person who does not wait at a shop can look at the device later.
    private static let pauseBetweenRequests = Duration.seconds(900)

    package let flow: Flow
    package internal(set) var state = State.promised
    package internal(set) var deadline: Duration
    /// When a withdrawal counts as impossible, or an unanswered challenge has its result.
    var stateEnd = Duration.zero
    /// When each transaction may be created; the last one is the present one.
    package internal(set) var requests: [Duration] = []
    /// Whether the person could decide, because the verifier created a transaction.
    package internal(set) var hasReachedPerson = false
    /// The error for all later requests, once no CRes can follow.
    package internal(set) var closingError: MessageErrorCode?

    package init(_ flow: Flow, at now: Duration) {
        self.flow = flow
        deadline = now + ProtocolTimer.firstChallengeRequest.duration
    }

    /// The person has the request at once, and this time for it.
    package init(decoupledFor time: Duration, at now: Duration) {
        flow = .decoupled
        state = .asked
        deadline = now + time
        requests = [now]
    }

    /// When `.clock` must be applied next; nil if never.
    package var due: Duration? {
        let isOpen = closingError == nil && state != .ended
        let end: Duration? =
            switch state {
            case .withdrawing, .unanswered: stateEnd
            case .promised, .asked, .decided, .reported, .ended: nil
            }
        return [isOpen ? deadline : nil, end].compactMap { $0 }.min()
    }

    /// The shop gets its result also while the verifier does not respond.
    ///
    /// After a decoupled challenge, a 3DS server waits 30 s longer.
    static let maximumWithdrawalTime = Duration.seconds(25)

    /// An end gives this time to its RRes, and to the message that fetches it.
    private static let minimumTimeAfterEnd = Duration.seconds(60)

    /// Without an RRes, the SDK gets one more page before its own ten seconds end.
    package static let maximumResponseTime = Duration.seconds(8)

    /// Notes that the verifier has created a transaction.
    package mutating func noteTransaction() { hasReachedPerson = true }

    package mutating func apply(_ event: Event, at now: Duration) -> [Action] {
        correctTimes(at: now)
        // A request that comes late is late, whether or not the clock was read before.
        let expired: [Action] =
            switch event {
            case .resultAcknowledged, .resultUnacknowledged: []
            default: expire(at: now)
            }
        return expired + follow(event, at: now)
    }

    private mutating func follow(_ event: Event, at now: Duration) -> [Action] {
        switch (event, state) {
        case (.clock, .withdrawing(let report)) where now >= stateEnd: decide(report, at: now)
        case (.clock, _): []
        case (.request(let request, let waited), _): receive(request, waited, at: now)
        case (.verdict(let verdict), .asked): decide(verdict.report, at: now)
        case (.verdict(let verdict), .withdrawing(let report)):
            decide(verdict.isByPerson ? verdict.report : report, at: now)
        case (.unapprovable(let verdict), .asked): end(verdict.report, at: now)
        case (.unanswered, .asked): missDecision(at: now)
        case (.unanswered, .withdrawing(let report)): decide(reached(report), at: now)
        case (.withdrawn, .withdrawing(let report)): decide(report, at: now)
        // Too late: the result was sent before.
        case (.verdict, _), (.unapprovable, _), (.unanswered, _), (.withdrawn, _): []
        case (.resultAcknowledged, .decided(let report)): acknowledge(report, at: now)
        case (.resultUnacknowledged(let code), .decided(let report)):
            endDelivery(of: report, with: code, at: now)
        case (.resultAcknowledged, _), (.resultUnacknowledged, _): []
        case (.refusedByDirectory, .promised): cancel()
        case (.refusedByDirectory, .asked), (.refusedByDirectory, .withdrawing):
            flow == .decoupled ? [.withdrawTransaction] + cancel() : []
        case (.refusedByDirectory, _): []
        case (.errorReceived, _): abandon(.errorReceived, at: now)
        case (.requestRefused, _): abandon(.requestRefused, at: now)
        }
    }
}

// MARK: Requests

extension Challenge {
    private mutating func receive(
        _ request: Request,
        _ waited: Bool,
        at now: Duration
    ) -> [Action] {
        if let closingError { return [.sendError(closingError)] }
        // The page of a browser waits by itself.
        let holds = flow == .app && !waited
        if let report = request.report, isUndecided {
            deadline = now + ProtocolTimer.nextChallengeRequest.duration
            return end(report, at: now) + [holds ? .wait : .showPage(isRepeated: true)]
        }
        switch (state, request) {
        case (.promised, _), (.unanswered, .resend):
            let isRepeated = state != .promised
            state = .asked
            requests.append(now)
            deadline = now + ProtocolTimer.nextChallengeRequest.duration
            return [.createTransaction, .showPage(isRepeated: isRepeated)]
        case (.unanswered, _):
            state = .unanswered(isShown: true)
            if request != .load {
                deadline = now + ProtocolTimer.nextChallengeRequest.duration
            }
            return [.showPage(isRepeated: true)]
        case (.asked, .load): return [.showPage(isRepeated: true)]
        case (.asked, _):
            deadline = now + ProtocolTimer.nextChallengeRequest.duration
            return (request == .resend ? [.notifyAgain] : []) + [.showPage(isRepeated: true)]
        case (.decided, _), (.withdrawing, _):
            if request != .load {
                deadline = now + ProtocolTimer.nextChallengeRequest.duration
            }
            return [holds ? .wait : .showPage(isRepeated: true)]
        case (.reported(let report), _):
            // The last page can be loaded again, with the same CRes.
            return flow == .app ? finish(report) : [.finish(report.finalStatus)]
        case (.ended, _): return [.sendError(.transactionDataInvalid)]
        }
    }

    package var isUndecided: Bool {
        switch state {
        case .promised, .asked, .unanswered: true
        case .withdrawing, .decided, .reported, .ended: false
        }
    }

    private mutating func finish(_ report: ResultReport) -> [Action] {
        state = .ended
        closingError = .transactionDataInvalid
        return [.finish(report.finalStatus), .eraseKeys]
    }
}

// MARK: Results

extension Challenge {
    /// Another transaction follows: by itself if the shopper does not wait, and otherwise if the
    /// shopper requests it.
    private mutating func missDecision(at now: Duration) -> [Action] {
        hasReachedPerson = true
        switch flow {
        case .decoupled:
            let next = now + Self.pauseBetweenRequests
            guard requests.count < Self.maximumRequests, next < deadline else {
                return decide(.expired, at: now)
            }
            requests.append(next)
        case .app, .browser:
            guard requests.count < Self.maximumRequestsOfShopper else {
                return decide(.expired, at: now)
            }
            state = .unanswered(isShown: false)
            // Later pages do not extend the time to request another transaction.
            stateEnd = deadline
        }
        return []
    }

    private mutating func decide(_ report: ResultReport, at now: Duration) -> [Action] {
        let report = flow == .decoupled && report == .expired ? .undecided : report
        state = .decided(report)
        postponeDeadline(at: now)
        return [.sendResult(report)]
    }

    /// The shopper also gets a result of the last seconds, and no error instead.
    private mutating func postponeDeadline(at now: Duration) {
        guard flow != .decoupled, closingError == nil else { return }
        deadline = max(deadline, now + Self.minimumTimeAfterEnd)
    }

    /// Ends the challenge; a person who has decided before keeps the decision.
    private mutating func end(_ report: ResultReport, at now: Duration) -> [Action] {
        guard state == .asked else { return decide(report, at: now) }
        state = .withdrawing(report)
        stateEnd = now + Self.maximumWithdrawalTime
        postponeDeadline(at: now)
        return [.withdrawTransaction]
    }

    private mutating func acknowledge(_ report: ResultReport, at now: Duration) -> [Action] {
        guard closingError == nil else {
            state = .ended
            return []
        }
        guard flow != .decoupled else {
            state = .ended
            return close(with: .transactionDataInvalid)
        }
        state = .reported(report)
        deadline = now + ProtocolTimer.nextChallengeRequest.duration
        return []
    }

    /// A browser gets its last page nevertheless.
    private mutating func endDelivery(
        of report: ResultReport,
        with code: MessageErrorCode,
        at now: Duration
    ) -> [Action] {
        guard flow == .app, closingError == nil else { return acknowledge(report, at: now) }
        state = .ended
        return close(with: code)
    }
}

// MARK: Ends

extension Challenge {
    private mutating func expire(at now: Duration) -> [Action] {
        guard now >= deadline else {
            if case .unanswered = state, now >= stateEnd { return decide(.expired, at: now) }
            return []
        }
        guard closingError == nil else { return [] }
        switch state {
        case .asked where flow == .browser, .unanswered where flow == .browser:
            // The page returns to the shop with the last CRes.
            deadline = now + ProtocolTimer.browserPage.duration
            return end(lateReport, at: now)
        case .promised: return end(.notBegun, at: now) + close(with: .timedOut)
        case .asked, .unanswered: return end(lateReport, at: now) + close(with: .timedOut)
        case .decided, .withdrawing: return close(with: .transientFailure)
        case .reported, .ended:
            state = .ended
            return close(with: .timedOut)
        }
    }

    /// The person did not decide, or could not.
    private var lateReport: ResultReport { hasReachedPerson ? .expired : .failed }

    /// The result of a challenge whose transaction expired: the verifier had it after all.
    private func reached(_ report: ResultReport) -> ResultReport {
        report == .failed && !hasReachedPerson ? .expired : report
    }

    /// No CRes can follow, so the keys are erased before the result is acknowledged.
    private mutating func close(with error: MessageErrorCode) -> [Action] {
        closingError = error
        return [.eraseKeys]
    }

    /// Ends the challenge without a result.
    private mutating func cancel() -> [Action] {
        state = .ended
        return closingError == nil ? close(with: .transactionDataInvalid) : []
    }

    private mutating func abandon(_ report: ResultReport, at now: Duration) -> [Action] {
        guard closingError == nil else { return [] }
        let closing = close(with: .transactionDataInvalid)
        switch state {
        case .promised, .asked, .unanswered:
            return end(report, at: now) + closing
        case .decided, .withdrawing: return closing
        case .reported, .ended:
            state = .ended
            return closing
        }
    }
}
