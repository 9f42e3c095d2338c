package import TransactionApproval

/// A sum of amounts for each currency.
package struct CurrencySums: Equatable, Sendable {
    package private(set) var minorUnits: [Currency: UInt64]

    package init(_ minorUnits: [Currency: UInt64] = [:]) {
        self.minorUnits = minorUnits
    }

    /// A transaction has few amounts of at most 15 digits, so the sum does not overflow.
    package init(_ amounts: [Amount]) {
        minorUnits = amounts.reduce(into: [:]) { $0[$1.currency, default: 0] += $1.minorUnits }
    }

    /// The sums of both, at most the largest number.
    package func adding(_ other: CurrencySums) -> CurrencySums {
        CurrencySums(
            minorUnits.merging(other.minorUnits) {
                let (sum, overflows) = $0.addingReportingOverflow($1)
                return overflows ? .max : sum
            }
        )
    }
}
