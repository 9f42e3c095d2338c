package import TransactionApproval

/// The recent requests to a person, which decide whether one more is allowed.
///
/// It is read from the transactions; it has no table of its own.
package struct RequestHistory: Equatable, Sendable {
    package enum Refusal: Equatable, Sendable {
        case tooManyPending(until: Timestamp)
        case rateLimited(until: Timestamp)
    }

    /// How long the rejection "not me" mutes notifications.
    package static let muteDuration = Duration.seconds(24 * 60 * 60)

    /// How far back `moments` must go.
    package static let span = day

    /// The creation times of the transactions since the last approval with PIN or biometrics, oldest
    /// first.
    package let moments: [Timestamp]
    /// The deadlines of the pending transactions.
    package let pending: [Timestamp]
    package let mutedUntil: Timestamp?

    /// Checks whether one more request is allowed.
    package func check(at now: Timestamp, by policy: PushPolicy) -> RuleResult<Refusal> {
        if pending.count >= policy.pending {
            let end = pending.sorted()[pending.count - policy.pending]
            return .refused(.tooManyPending(until: end))
        }
        if let end = end(of: policy.inADay, in: Self.day, at: now)
            ?? end(of: policy.inTenMinutes, in: Self.tenMinutes, at: now)
        {
            return .refused(.rateLimited(until: end))
        }
        return .accepted
    }

    package func isMuted(at now: Timestamp) -> Bool { mutedUntil.map { now < $0 } ?? false }

    /// The end of the limit, if there are already `limit` requests within `span`.
    private func end(of limit: Int, in span: Duration, at now: Timestamp) -> Timestamp? {
        let recent = moments.filter { now < $0 + span }
        return recent.count < limit ? nil : recent[recent.count - limit] + span
    }

    private static let tenMinutes = Duration.seconds(10 * 60)
    private static let day = Duration.seconds(24 * 60 * 60)
}
