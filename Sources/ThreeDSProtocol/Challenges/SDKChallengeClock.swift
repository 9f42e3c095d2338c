/// The times of one challenge at the SDK.
///
/// `now` is a time of a clock that never goes back.
package struct SDKChallengeClock: Sendable {
    package enum Action: Equatable, Sendable {
        case none
        /// Send the same bytes once more.
        case retry
        /// Send an Erro with the code 402, and end the challenge.
        case timeOut
        /// End the challenge: the ACS cannot be reached.
        case fail
    }

    private let end: Duration
    private var awaitedUntil: Duration?
    private var hasRetried = false

    /// Nil for less than five minutes.
    package init?(at now: Duration, minutes: Int) {
        guard minutes >= 5 else { return nil }
        end = now + .seconds(60 * Int64(min(minutes, 99)))
    }

    package mutating func requestSent(at now: Duration) {
        awaitedUntil = now + ProtocolTimer.challengeResponse.duration
        hasRetried = false
    }

    package mutating func responseReceived() {
        awaitedUntil = nil
    }

    /// A connection may fail once for each request.
    package mutating func connectionFailed(at now: Duration) -> Action {
        if clock(at: now) == .timeOut { return .timeOut }
        guard awaitedUntil != nil, !hasRetried else { return .fail }
        hasRetried = true
        return .retry
    }

    package func clock(at now: Duration) -> Action {
        now >= end || awaitedUntil.map { now >= $0 } == true ? .timeOut : .none
    }
}
