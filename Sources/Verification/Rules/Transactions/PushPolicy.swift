/// The rate limit of approval requests (SEC-33): an attacker with a password must not wear a person
/// down.
///
/// An enterprise can be stricter than `standard` but not laxer.
package struct PushPolicy: Equatable, Sendable {
    package enum Failure: Error, Equatable, Sendable {
        case pending, inTenMinutes, inADay
    }

    /// The maximum number of pending transactions per account.
    package let pending: Int
    package let inTenMinutes: Int
    /// Since the last approval, within a day.
    package let inADay: Int

    package static let standard = PushPolicy(checkedPending: 3, inTenMinutes: 5, inADay: 20)

    package init(
        pending: Int = standard.pending,
        inTenMinutes: Int = standard.inTenMinutes,
        inADay: Int = standard.inADay
    ) throws(Failure) {
        guard (1...Self.standard.pending).contains(pending) else { throw .pending }
        guard (1...Self.standard.inTenMinutes).contains(inTenMinutes) else { throw .inTenMinutes }
        guard (1...Self.standard.inADay).contains(inADay) else { throw .inADay }
        self.init(checkedPending: pending, inTenMinutes: inTenMinutes, inADay: inADay)
    }

    private init(checkedPending pending: Int, inTenMinutes: Int, inADay: Int) {
        self.pending = pending
        self.inTenMinutes = inTenMinutes
        self.inADay = inADay
    }
}
