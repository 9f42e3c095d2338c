package import Transactions

/// The exemption of small remote payments from strong authentication (EU 2018/389, article 16).
///
/// The article lets a bank choose between a limit of the total and one of the count. Here both
/// apply, and they include the payment that is decided about. So a bank that counts both is within
/// the article, and one that counts only one sets the other one high.
package struct LowValueRule: Equatable, Sendable {
    /// Payments in other currencies are not exempted, and the store counts in this one.
    package let currency: Currency
    private let maximum: UInt64
    private let maximumTotal: UInt64
    private let maximumCount: Int

    /// The defaults are the limits of the article, in cents of the euro.
    package init(
        _ currency: Currency,
        maximum: UInt64 = 3000,
        maximumTotal: UInt64 = 10_000,
        maximumCount: Int = 5
    ) {
        self.currency = currency
        self.maximum = maximum
        self.maximumTotal = maximumTotal
        self.maximumCount = maximumCount
    }

    func exempts(_ amount: Amount, after earlier: ExemptedPayments) -> Bool {
        guard amount.currency == currency, amount.minorUnits <= maximum,
            earlier.count < maximumCount, earlier.total?.currency ?? currency == currency
        else { return false }
        // Amounts are below 10 to the power of 15, so their sum does not overflow.
        return (earlier.total?.minorUnits ?? 0) + amount.minorUnits <= maximumTotal
    }
}

/// The payments with one card that were exempted since its last approval.
package struct ExemptedPayments: Equatable, Sendable {
    let count: Int
    /// Nil if there were none; of the currency that the rule then had.
    let total: Amount?

    package static let none = ExemptedPayments(count: 0, total: nil)

    /// The counts from the store.
    package init(count: Int, total: Amount?) {
        self.count = count
        self.total = total
    }

    /// With one more payment, to which the rule applied.
    func adding(_ amount: Amount) -> ExemptedPayments {
        let units = (total?.minorUnits ?? 0) + amount.minorUnits
        let total = Amount(minorUnits: units, currency: amount.currency)
        return ExemptedPayments(count: count + 1, total: total)
    }
}
