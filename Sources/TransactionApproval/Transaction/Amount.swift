/// An exact amount in the minor unit of its currency.
package struct Amount: Hashable, Sendable {
    package let minorUnits: UInt64
    package let currency: Currency

    /// 15 digits, which every JSON parser represents exactly.
    package static let maximumMinorUnits: UInt64 = 999_999_999_999_999

    package init?(minorUnits: UInt64, currency: Currency) {
        guard minorUnits <= Self.maximumMinorUnits else { return nil }
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// Accepts `47.11`: all digits of the minor unit after a point, and no other form.
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

    /// As in `1 234 567.00 EUR`.
    ///
    /// Spaces separate thousands, because a space is never a decimal sign (ISO 80000-1, section
    /// 7.3).
    package var formatted: String {
        let digits = String(minorUnits)
        let padding = String(repeating: "0", count: max(0, currency.exponent + 1 - digits.count))
        let padded = padding + digits
        let whole = grouped(padded.dropLast(currency.exponent), by: 3, alignedToEnd: true)
        let fraction = currency.exponent == 0 ? "" : "." + padded.suffix(currency.exponent)
        return "\(whole)\(fraction) \(currency)"
    }
}

/// Separates groups of `size` characters by spaces; the short group is the last or the first one.
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
