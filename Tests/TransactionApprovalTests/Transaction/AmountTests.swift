import Testing
import TransactionApproval

@Suite struct `Currencies` {
    @Test(arguments: [("EUR", 2), ("JPY", 0), ("KWD", 3), ("CLF", 4), ("UYW", 4), ("ISK", 0)])
    func `have the digits of ISO 4217`(_ code: String, _ exponent: Int) {
        #expect(Currency(code)?.exponent == exponent)
    }

    @Test func `are all currencies in use`() {
        #expect(Currency.all.count == 157)
        #expect(Currency.all.filter { $0.exponent == 0 }.count == 16)
        #expect(Currency.all.filter { $0.exponent == 3 }.count == 7)
        #expect(Currency.all.allSatisfy { $0.code.utf8.count == 3 })
    }

    @Test(arguments: [
        "", "E", "EURO", "eur", "Eur", " EUR", "EUR ", "ЕUR", "ABC", "XXX", "XTS", "XAU", "XAG",
        "XPT", "XPD", "XDR", "XSU", "XUA", "XBA", "XAD", "BOV", "CHE", "CHW", "COU", "MXV", "USN",
        "UYI", "DEM", "HRK", "BGN", "ANG", "SLL", "ZWL", "978",
    ])
    func `that are unknown, historic, metals, funds or for tests are refused`(_ code: String) {
        #expect(Currency(code) == nil)
    }
}

@Suite struct `Amounts` {
    @Test(arguments: shown)
    func `are shown in one form and read from their decimal`(
        _ minorUnits: UInt64,
        _ code: String,
        _ shown: String
    ) throws {
        let currency = try #require(Currency(code))
        let amount = try #require(Amount(minorUnits: minorUnits, currency: currency))
        #expect(amount.formatted == shown)
        let decimal = shown.split(separator: " ").dropLast().joined()
        #expect(Amount(decimal: decimal, currency: currency) == amount)
    }

    private static let shown: [(UInt64, String, String)] = [
        (0, "EUR", "0.00 EUR"), (1, "EUR", "0.01 EUR"), (10, "EUR", "0.10 EUR"),
        (4711, "EUR", "47.11 EUR"), (100_000, "EUR", "1 000.00 EUR"),
        (123_456_700, "EUR", "1 234 567.00 EUR"), (99_999, "EUR", "999.99 EUR"),
        (0, "JPY", "0 JPY"), (999, "JPY", "999 JPY"), (1_000, "JPY", "1 000 JPY"),
        (123_456, "JPY", "123 456 JPY"), (1, "KWD", "0.001 KWD"), (1_000, "KWD", "1.000 KWD"),
        (1_234_567, "KWD", "1 234.567 KWD"), (12_345, "CLF", "1.2345 CLF"),
        (Amount.maximumMinorUnits, "EUR", "9 999 999 999 999.99 EUR"),
        (Amount.maximumMinorUnits, "JPY", "999 999 999 999 999 JPY"),
    ]

    @Test(arguments: [
        "", " ", "1.000", "1,000", "1e3", "1E3", "01.00", "00.00", "47.1", "47.111", "47", "47.",
        ".47", "-47.11", "+47.11", "47,11", "1 000.00", "1'000.00", "1,000.00", "1.000,00",
        " 47.11", "47.11 ", "47.11\n", "47.11 EUR", "EUR47.11", "0x10.00", "٤٧.١١", "４７.１１",
        "47.1\u{301}1", "47\u{2024}11", "4 7.11", "47.11.00", "47..11", "1_0.00", "NaN", "inf",
        "10000000000000.00", "99999999999999999999.00", "47.1a", "--1.00", "0.-1",
    ])
    func `in any other form are refused`(_ text: String) throws {
        #expect(Amount(decimal: text, currency: try #require(Currency("EUR"))) == nil)
    }

    @Test func `have exactly the digits of their currency`() throws {
        for (code, right, wrong) in [
            ("JPY", "1000", "1000."), ("JPY", "0", "0.0"), ("JPY", "7", "1.000"),
            ("KWD", "1.000", "1.00"), ("KWD", "0.001", "1"), ("CLF", "1.2345", "1.234"),
        ] {
            let currency = try #require(Currency(code))
            #expect(Amount(decimal: right, currency: currency) != nil)
            #expect(Amount(decimal: wrong, currency: currency) == nil)
        }
    }

    @Test func `have a maximum that JSON represents exactly`() throws {
        let euro = try #require(Currency("EUR"))
        #expect(Amount(minorUnits: Amount.maximumMinorUnits, currency: euro) != nil)
        #expect(Amount(minorUnits: Amount.maximumMinorUnits + 1, currency: euro) == nil)
        #expect(Amount.maximumMinorUnits < 1 << 53)
    }
}
