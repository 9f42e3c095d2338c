import StrictJSON
import TestSupport
import Testing
import Transactions

@testable import ThreeDSProtocol

@Suite struct `Purchases` {
    private func purchase(_ amount: String, _ currency: String, _ exponent: String) -> Purchase? {
        let values = [
            ("purchaseAmount", amount), ("purchaseCurrency", currency),
            ("purchaseExponent", exponent), ("purchaseDate", "20261122180511"),
        ]
        return Purchase(
            Message(.areq, .twoTwo, values.map { .init(name: $0, value: .string($1)) })
        )
    }

    @Test(
        arguments: [
            ("4711", "978", "2", "47.11 EUR"), ("0012345", "840", "2", "123.45 USD"),
            ("500", "392", "0", "500 JPY"), ("1234", "414", "3", "1.234 KWD"),
            ("0", "978", "2", "0.00 EUR"), ("000", "978", "2", "0.00 EUR"),
            (String(repeating: "0", count: 47) + "7", "978", "2", "0.07 EUR"),
            ("999999999999999", "978", "2", "9 999 999 999 999.99 EUR"),
        ]
    )
    func `have an exact amount`(amount: String, code: String, exponent: String, shown: String) {
        #expect(purchase(amount, code, exponent)?.amount?.formatted == shown)
        #expect(purchase(amount, code, exponent)?.date == "20261122180511")
    }

    /// A reader accepts unknown elements, so it has not checked these.
    @Test func `are not read from a message that has no such elements`() throws {
        let sample = SampleMessage(.areq, .twoOne, to: .acs, on: .requestor)
        let unknown = [
            ("purchaseAmount", "+4711"), ("purchaseCurrency", "978"), ("purchaseExponent", "0"),
            ("purchaseDate", "yesterday"),
        ].map { JSONValue.Member(name: $0, value: .string($1)) }
        let bytes = Array((sample.members + unknown).document.utf8)
        let message = try MessageReader(for: .acs).read(bytes, as: [.areq], in: .first)
        #expect(Purchase(message) == nil)
        #expect(message["purchaseDate"] == nil && message["notificationURL"] == nil)
        #expect(try String(decoding: message.written(), as: UTF8.self).contains("yesterday"))
    }

    @Test(arguments: ["1000000000000000", String(repeating: "9", count: 48)])
    func `have no amount above the maximum`(_ amount: String) throws {
        let purchase = try #require(self.purchase(amount, "978", "2"))
        #expect(purchase.amount == nil)
    }

    @Test(arguments: ["984", "947", "948", "970", "979", "997", "940"])
    func `have no amount in a unit of funds`(_ code: String) throws {
        let purchase = try #require(self.purchase("4711", code, "2"))
        #expect(purchase.amount == nil)
    }

    @Test func `have every currency of the project by its digits`() throws {
        let numeric = (0..<1000).compactMap { number -> Currency? in
            let digits = String(String(number + 1000).dropFirst())
            return NumericCurrency(digits)?.currency
        }
        #expect(numeric.count == Currency.all.count)
        #expect(Set(numeric) == Set(Currency.all))
        #expect(["978 ", "97", "", "９７８", "EUR"].allSatisfy { NumericCurrency($0) == nil })
    }

    /// Debian's package `iso-codes` as the second opinion, without the two newest currencies.
    @Test(.enabled(if: ISOCodes.areInstalled, "Not run: the package iso-codes is missing."))
    func `have the digits of the tables of ISO`() throws {
        for (code, digits) in try ISOCodes.currencies() {
            // A withdrawn currency can have the digits of its successor.
            guard Currency(code) != nil else { continue }
            #expect(NumericCurrency(digits)?.currency?.code == code)
        }
        let countries = try ISOCodes.countries()
        let known = (0..<1000).map { String(String($0 + 1000).dropFirst()) }
            .filter { CountryCode($0) != nil }
        #expect(Set(known) == countries)
    }

    @Test(arguments: [
        "20261122180511", "20240229235959", "20000229000000",
    ])
    func `have a time of the calendar`(_ date: String) {
        #expect(Form.DateFormat.second.matches(date))
    }

    @Test(arguments: [
        "20261122240000", "20261122186000", "20261122180560", "20250229000000", "21000229000000",
        "20261301000000", "20260001000000", "20260100000000", "20260431000000", "2026112218051",
        "00000101000000", "2026-11-22T18:0", "２０２６１１",
    ])
    func `of no time are refused`(_ date: String) {
        #expect(!Form.DateFormat.second.matches(date))
    }
}

private enum ISOCodes {
    private static let program = """
        import json
        folder = "/usr/share/iso-codes/json/"
        for row in json.load(open(folder + "iso_4217.json"))["4217"]:
            print(row["alpha_3"], row["numeric"])
        for row in json.load(open(folder + "iso_3166-1.json"))["3166-1"]:
            print("-", row["numeric"])
        """
    private static let rows = Result {
        try FinishedProcess.run("python3", ["-c", program]).output.split(separator: "\n")
            .map { ($0.prefix { $0 != " " }, String($0.suffix(3))) }
    }

    static var areInstalled: Bool { (try? rows.get().count) ?? 0 > 300 }

    static func currencies() throws -> [(String, String)] {
        try rows.get().filter { $0.0 != "-" }.map { (String($0.0), $0.1) }
    }

    static func countries() throws -> Set<String> {
        Set(try rows.get().filter { $0.0 == "-" }.map(\.1))
    }
}
