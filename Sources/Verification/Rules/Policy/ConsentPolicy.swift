package import TransactionApproval

/// How much consent alone can approve, after the model of article 16 of Regulation (EU) 2018/389.
package struct ConsentPolicy: Equatable, Sendable {
    /// Two limits of one currency.
    package struct Ceiling: Equatable, Sendable {
        /// The maximum of one transaction (SEC-65).
        package let amount: Amount
        /// The maximum sum since the last right code of PIN or biometrics (SEC-107).
        package let totalMinorUnits: UInt64

        package var currency: Currency { amount.currency }

        /// Without a total, three times the amount: EUR 30 and 90 are within article 16.
        package init(_ amount: Amount, totalMinorUnits: UInt64? = nil) {
            self.amount = amount
            self.totalMinorUnits =
                totalMinorUnits ?? min(3 * amount.minorUnits, Amount.maximumMinorUnits)
        }
    }

    /// The range of `consecutive`: article 16(c) allows five.
    package static let range = 1...5

    /// At most one for each currency; consent alone approves no other currency.
    package let ceilings: [Ceiling]
    /// The maximum number of consents in a row (SEC-107).
    package let consecutive: Int

    package init(ceilings: [Ceiling], consecutive: Int) {
        self.ceilings = ceilings
        self.consecutive = consecutive
    }
}

/// The approvals by consent alone since the person's last right code of PIN or biometrics.
package struct ConsentTotal: Equatable, Sendable {
    /// The epoch in which the count began.
    ///
    /// A restore loses the consents since the backup. So a total of an earlier epoch is too low.
    package let epoch: Epoch
    package private(set) var count = 0
    package private(set) var minorUnits: [Currency: UInt64] = [:]

    /// The total after a right code of PIN or biometrics.
    package init(beginningIn epoch: Epoch) {
        self.epoch = epoch
    }

    package init(epoch: Epoch, count: Int, minorUnits: [Currency: UInt64]) {
        self.epoch = epoch
        self.count = count
        self.minorUnits = minorUnits
    }

    /// The total of an account without consents in a store that was never restored.
    package static let zero = ConsentTotal(beginningIn: Epoch(0))

    /// The higher values of both: linked accounts count together.
    func merged(with other: ConsentTotal) -> ConsentTotal {
        ConsentTotal(
            epoch: Epoch(min(epoch.value, other.epoch.value)),
            count: max(count, other.count),
            minorUnits: minorUnits.merging(other.minorUnits, uniquingKeysWith: max)
        )
    }

    /// The total after one more consent; nil if the policy does not allow that.
    package func adding(_ amounts: [Amount], within policy: ConsentPolicy) -> ConsentTotal? {
        guard count < policy.consecutive else { return nil }
        var total = self
        total.count += 1
        for amount in amounts {
            // The stored sum and the amount have at most 15 digits, so the sum does not overflow.
            let sum = total.minorUnits[amount.currency, default: 0] + amount.minorUnits
            guard
                let ceiling = policy.ceilings.first(where: { $0.currency == amount.currency }),
                amount.minorUnits <= ceiling.amount.minorUnits, sum <= ceiling.totalMinorUnits
            else { return nil }
            total.minorUnits[amount.currency] = sum
        }
        return total
    }
}

/// The limits for an approval by consent alone, and the consents before it.
package struct ConsentLimits: Equatable, Sendable {
    package let policy: ConsentPolicy
    /// Nil if the earlier consents are not known.
    package let before: ConsentTotal?

    package init(_ policy: ConsentPolicy, after before: ConsentTotal?) {
        self.policy = policy
        self.before = before
    }

    /// The consents with this one; nil if it is not allowed.
    func total(with content: Transaction.Content) -> ConsentTotal? {
        before?.adding(content.amounts, within: policy)
    }
}
