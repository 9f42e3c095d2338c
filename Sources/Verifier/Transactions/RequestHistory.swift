package import TransactionApproval

/// When the person behind an account was asked for something, and whether that is muted.
package struct RequestHistory: Equatable, Sendable {
    package enum Answer: Equatable, Sendable {
        /// The transaction may be made; `notifies` is whether a push goes out.
        case allowed(notifies: Bool)
        case tooManyPending
        case tooMany(until: Timestamp)
    }

    /// Of the last day and since the last approval, oldest first.
    package private(set) var moments: [Timestamp]
    package private(set) var mutedUntil: Timestamp?

    package init(moments: [Timestamp] = [], mutedUntil: Timestamp? = nil) {
        self.moments = moments
        self.mutedUntil = mutedUntil
    }

    /// Counts one more request, unless it is refused.
    package mutating func ask(
        at now: Timestamp,
        pending: Int,
        by policy: PushPolicy
    ) -> Answer {
        guard pending < policy.pending else { return .tooManyPending }
        let kept = moments.filter { now < $0 + Self.day }
        if let end = Self.end(of: policy.inADay, in: Self.day, kept, now)
            ?? Self.end(of: policy.inTenMinutes, in: Self.tenMinutes, kept, now)
        {
            return .tooMany(until: end)
        }
        moments = kept + [now]
        return .allowed(notifies: !isMuted(at: now))
    }

    package mutating func approve() {
        moments = []
    }

    /// The person says that it was somebody else who asked.
    package mutating func mute(at now: Timestamp) {
        mutedUntil = now + Self.day
    }

    package func isMuted(at now: Timestamp) -> Bool {
        mutedUntil.map { now < $0 } ?? false
    }

    /// When there is room again, where `limit` requests lie in the last `span` already.
    private static func end(
        of limit: Int,
        in span: Duration,
        _ moments: [Timestamp],
        _ now: Timestamp
    ) -> Timestamp? {
        let recent = moments.filter { now < $0 + span }
        return recent.count < limit ? nil : recent[recent.count - limit] + span
    }

    private static let tenMinutes = Duration.seconds(10 * 60)
    private static let day = Duration.seconds(24 * 60 * 60)
}
