/// An amount of money, exact, in the minor unit of its currency.
package struct Amount: Hashable, Sendable {
    package let minorUnits: UInt64
    package let currency: Currency

    /// 15 digits, which every reader of JSON holds without rounding.
    package static let largest: UInt64 = 999_999_999_999_999

    /// Nil beyond `largest`.
    package init?(minorUnits: UInt64, currency: Currency) {
        guard minorUnits <= Self.largest else { return nil }
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// Reads `47.11`: every digit that the currency has, a point before its minor units, and nothing
    /// else that somebody might read otherwise.
    package init?(decimal text: String, currency: Currency) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let counts = currency.exponent == 0 ? [] : [currency.exponent]
        guard
            let whole = parts.first, whole.first != UInt8(ascii: "0") || whole.count == 1,
            !whole.isEmpty, parts.dropFirst().map(\.count) == counts,
            parts.joined().allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
            let minorUnits = UInt64(String(decoding: parts.joined(), as: UTF8.self))
        else { return nil }
        self.init(minorUnits: minorUnits, currency: currency)
    }

    /// For people: `1 234 567.00 EUR`.
    ///
    /// Spaces part the thousands, since nobody reads one as the decimal sign (ISO 80000-1, section
    /// 7.3); the one point that there may be stands before the minor units. All of them are shown.
    package var formatted: String {
        let digits = String(minorUnits)
        let padding = String(repeating: "0", count: max(0, currency.exponent + 1 - digits.count))
        let padded = padding + digits
        let whole = grouped(padded.dropLast(currency.exponent), by: 3, alignedToEnd: true)
        let fraction = currency.exponent == 0 ? "" : "." + padded.suffix(currency.exponent)
        return "\(whole)\(fraction) \(currency)"
    }
}

/// Puts a space between groups of `size` characters; the odd group is the last one, or the first.
func grouped(_ text: some StringProtocol, by size: Int, alignedToEnd: Bool = false) -> String {
    let odd = alignedToEnd ? text.count % size : 0
    var groups = odd > 0 ? [text.prefix(odd)] : []
    var rest = text.dropFirst(odd)
    while !rest.isEmpty {
        groups.append(rest.prefix(size))
        rest = rest.dropFirst(size)
    }
    return groups.joined(separator: " ")
}
