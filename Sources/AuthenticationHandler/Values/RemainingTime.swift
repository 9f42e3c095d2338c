public import TransactionApproval

extension PendingTransaction {
    /// The time until the deadline, for display; zero after it.
    ///
    /// Only the verifier decides whether the transaction has expired.
    public var remainingTime: Duration { deadline.remainingTime(clockOffset: clockOffset) }
}

extension Timestamp {
    /// The time until this moment of the verifier's clock, for example the end of a lock; zero after it.
    ///
    /// `clockOffset`: the verifier's clock minus the clock of this device, which comes with the moment.
    public func remainingTime(clockOffset: Duration) -> Duration {
        remainingTime(at: systemTime() + clockOffset)
    }

    /// The same at a moment of the verifier's clock.
    func remainingTime(at now: Timestamp) -> Duration { max(.zero, elapsed(since: now)) }
}
