extension Challenge {
    /// No time of a challenge with a shopper is further ahead, and no request of any challenge.
    ///
    /// The longest pause is 15 minutes. The clocks of two nodes can differ by the rest.
    package static let longestLead = Duration.seconds(1200)

    /// Begins a time again if a clock that was far ahead wrote its end.
    ///
    /// A decoupled challenge can last for days, so its deadline does not show that.
    package mutating func correctTimes(at now: Duration) {
        if let last = requests.indices.last, requests[last] - now > Self.longestLead {
            requests[last] = now
        }
        guard flow != .decoupled, deadline - now > Self.longestLead else { return }
        let isPromised = state == .promised
        let timer = isPromised ? ProtocolTimer.firstChallengeRequest : .nextChallengeRequest
        deadline = now + timer.duration
        switch state {
        case .withdrawing: stateEnd = now + Self.maximumWithdrawalTime
        case .unanswered: stateEnd = deadline
        case .promised, .asked, .decided, .reported, .ended: break
        }
    }
}
