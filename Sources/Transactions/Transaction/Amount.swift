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

    /// As in `1 234 567.00 EUR`.
    ///
    /// Spaces separate thousands, because a space is never a decimal sign (ISO 80000-1, section
    /// 7.3).
    package var formatted: String {
        var digits = Array(String(minorUnits).utf8)
        while digits.count <= currency.exponent { digits.insert(UInt8(ascii: "0"), at: 0) }
        let whole = digits.count - currency.exponent
        var text = grouped(digits[..<whole], by: 3, alignedToEnd: true)
        if currency.exponent > 0 { text += [UInt8(ascii: ".")] + digits[whole...] }
        return String(decoding: text + [UInt8(ascii: " ")] + currency.code.utf8, as: UTF8.self)
    }
}

/// Separates groups of `size` characters by spaces; the short group is the last or the first one.
func grouped(
    _ characters: ArraySlice<UInt8>,
    by size: Int,
    alignedToEnd: Bool = false
) -> [UInt8] {
    let odd = alignedToEnd ? characters.count % size : 0
    var groups: [UInt8] = []
    for (index, character) in characters.enumerated() {
        if index > 0, (index - odd) % size == 0 { groups.append(UInt8(ascii: " ")) }
        groups.append(character)
    }
    return groups
}
