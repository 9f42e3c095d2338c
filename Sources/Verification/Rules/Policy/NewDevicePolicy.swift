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
    /// The maximum of one transaction, at most one for each currency; no other currency is approved.
    package let ceilings: [Amount]

    package init(waiting: Duration, ceilings: [Amount]) {
        self.waiting = waiting
        self.ceilings = ceilings
    }

    /// Whether a waiting device can approve it.
    ///
    /// Content without an amount can be worth more than any payment, such as a new phone number. A
    /// login moves nothing, and a device can also log in without a transaction.
    package func allows(_ content: Transaction.Content) -> Bool {
        guard !content.amounts.isEmpty else {
            return content.context == .login && content.payees.isEmpty
        }
        let amounts = Dictionary(grouping: content.amounts, by: \.currency)
        return amounts.allSatisfy { currency, amounts in
            // At most 15 digits each, and few, so the sum does not overflow.
            let sum = amounts.reduce(0) { $0 + $1.minorUnits }
            return ceilings.contains { $0.currency == currency && sum <= $0.minorUnits }
        }
    }
}

/// The waiting period of a new device.
package struct DeviceWait: Equatable, Sendable {
    package let policy: NewDevicePolicy
    package let end: Timestamp

    package init(_ policy: NewDevicePolicy, until end: Timestamp) {
        self.policy = policy
        self.end = end
    }

    func allows(_ transaction: TransactionRecord) -> Bool {
        let shown = Transaction(wireBytes: transaction.canonicalBytes)
        return shown.map { policy.allows($0.content) } ?? false
    }
}
