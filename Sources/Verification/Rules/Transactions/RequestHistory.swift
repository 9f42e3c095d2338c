package import TransactionApproval

/// What the person behind an account was asked lately, which decides whether one more is allowed.
///
/// Nothing of it is kept for its own sake: it is read from the transactions themselves.
package struct RequestHistory: Equatable, Sendable {
    package enum Answer: Equatable, Sendable {
        /// The transaction may be made; `notifies` is whether a push goes out.
        case allowed(notifies: Bool)
        case tooManyPending
        case tooMany(until: Timestamp)
    }

    /// How long "not me" keeps pushes away.
    package static let muteDuration = Duration.seconds(24 * 60 * 60)

    /// How far back `moments` must go.
    package static let span = day

    /// When transactions were made since the last approval, oldest first.
    package let moments: [Timestamp]
    /// How many transactions wait now.
    package let pending: Int
    package let mutedUntil: Timestamp?

    package init(moments: [Timestamp], pending: Int, mutedUntil: Timestamp?) {
        self.moments = moments
        self.pending = pending
        self.mutedUntil = mutedUntil
    }

    /// What is said to one more request.
    package func answer(at now: Timestamp, by policy: PushPolicy) -> Answer {
        guard pending < policy.pending else { return .tooManyPending }
        if let end = end(of: policy.inADay, in: Self.day, at: now)
            ?? end(of: policy.inTenMinutes, in: Self.tenMinutes, at: now)
        {
            return .tooMany(until: end)
        }
        let isMuted = mutedUntil.map { now < $0 } ?? false
        return .allowed(notifies: !isMuted)
    }

    /// When there is room again, where `limit` requests lie in the last `span` already.
    private func end(of limit: Int, in span: Duration, at now: Timestamp) -> Timestamp? {
        let recent = moments.filter { now < $0 + span }
        return recent.count < limit ? nil : recent[recent.count - limit] + span
    }

    private static let tenMinutes = Duration.seconds(10 * 60)
    private static let day = Duration.seconds(24 * 60 * 60)
}
