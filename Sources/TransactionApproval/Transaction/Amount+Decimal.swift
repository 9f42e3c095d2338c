extension Amount {
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
}
