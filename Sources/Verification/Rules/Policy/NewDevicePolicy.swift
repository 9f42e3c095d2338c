package import TransactionApproval

/// How long a further device of a person approves only small payments (SEC-117).
///
/// A thief with an activation code gets a new device. The person can find it meanwhile.
package struct NewDevicePolicy: Equatable, Sendable {
    /// At most 30 days.
    package static let hours = 0...720
    package static let none = NewDevicePolicy(waiting: .zero, ceilings: [])

    /// Zero if new devices do not wait.
    package let waiting: Duration
    /// The maximum sum of all transactions that the person's waiting devices approve.
    ///
    /// At most one for each currency; no other currency is approved.
    package let ceilings: [Amount]

    package init(waiting: Duration, ceilings: [Amount]) {
        self.waiting = waiting
        self.ceilings = ceilings
    }

    /// Whether a waiting device can approve it, after the person's waiting devices approved `earlier`.
    package func allows(_ content: Transaction.Content, after earlier: CurrencySums) -> Bool {
        ceilings.allow(content, after: earlier)
    }
}

/// The waiting period of a new device.
package struct DeviceWait: Equatable, Sendable {
    package let policy: NewDevicePolicy
    package let end: Timestamp
    /// The amounts that the person's waiting devices approved before, this one included.
    package let earlier: CurrencySums

    package init(_ policy: NewDevicePolicy, until end: Timestamp, after earlier: CurrencySums) {
        self.policy = policy
        self.end = end
        self.earlier = earlier
    }

    /// The amounts of the content; nil if the device cannot approve it.
    func amounts(of content: Transaction.Content) -> CurrencySums? {
        policy.allows(content, after: earlier) ? CurrencySums(content.amounts) : nil
    }
}

extension Device {
    /// The end of its waiting period; nil if it does not wait at this time.
    func waitEnd(by policy: NewDevicePolicy, at now: Timestamp) -> Timestamp? {
        let end = activated + policy.waiting
        return waits && now < end ? end : nil
    }
}
