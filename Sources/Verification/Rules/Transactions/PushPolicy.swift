/// The rate limit of approval requests (SEC-33): an attacker with a password must not wear a person
/// down.
///
/// An enterprise can be stricter than the default but not laxer.
package struct PushPolicy: Equatable, Sendable {
    /// The maximum number of pending transactions per account.
    package let pending: Int
    package let inTenMinutes: Int
    /// Since the last approval with PIN or biometrics, within a day.
    package let inADay: Int

    package static let `default` = PushPolicy(checkedPending: 3, inTenMinutes: 5, inADay: 20)

    /// Nil if it is laxer than the default, or allows no requests.
    package init?(
        pending: Int = `default`.pending,
        inTenMinutes: Int = `default`.inTenMinutes,
        inADay: Int = `default`.inADay
    ) {
        guard
            (1...Self.default.pending).contains(pending),
            (1...Self.default.inTenMinutes).contains(inTenMinutes),
            (1...Self.default.inADay).contains(inADay)
        else { return nil }
        self.init(checkedPending: pending, inTenMinutes: inTenMinutes, inADay: inADay)
    }

    private init(checkedPending pending: Int, inTenMinutes: Int, inADay: Int) {
        self.pending = pending
        self.inTenMinutes = inTenMinutes
        self.inADay = inADay
    }
}
