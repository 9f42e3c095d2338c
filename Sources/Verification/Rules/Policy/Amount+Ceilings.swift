import TransactionApproval

/// Ceilings for the sums of a transaction and of earlier ones, at most one for each currency.
extension [Amount] {
    /// Whether the content is below the ceilings, after transactions with the sums `earlier`.
    ///
    /// No other currency is allowed. Content without an amount can be worth more than any payment,
    /// such as a new phone number. A login moves nothing, and a device can also log in without a
    /// transaction.
    func allow(_ content: Transaction.Content, after earlier: CurrencySums = .init()) -> Bool {
        guard !content.amounts.isEmpty else {
            return content.context == .login && content.payees.isEmpty
        }
        let sums = earlier.adding(CurrencySums(content.amounts))
        return Set(content.amounts.map(\.currency)).allSatisfy { currency in
            contains {
                $0.currency == currency && sums.minorUnits[currency, default: 0] <= $0.minorUnits
            }
        }
    }
}
