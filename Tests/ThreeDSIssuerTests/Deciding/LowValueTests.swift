import Testing
import Transactions

@testable import ThreeDSIssuer

@Suite struct `The exemption of low values` {
    private func exempts(
        _ amount: UInt64,
        after count: Int = 0,
        of total: UInt64? = nil,
        by rule: LowValueRule? = nil
    ) throws -> Bool {
        let currency = try #require(Currency("EUR"))
        let rule = rule ?? LowValueRule(currency)
        let earlier = ExemptedPayments(count: count, total: try total.map(SampleWorld.euro))
        return try rule.exempts(SampleWorld.euro(amount), after: earlier)
    }

    @Test func `ends at 30 EUR, a total of 100 EUR or the fifth payment`() throws {
        #expect(try exempts(3000))
        #expect(try !exempts(3001))
        #expect(try exempts(0))
        #expect(try exempts(3000, after: 3, of: 7000))
        #expect(try !exempts(3000, after: 3, of: 7001))
        #expect(try exempts(1, after: 4, of: 4))
        #expect(try !exempts(1, after: 5, of: 5))
    }

    @Test func `has the operator's limits`() throws {
        let rule = LowValueRule(
            try #require(Currency("EUR")),
            maximum: 500,
            maximumTotal: 700,
            maximumCount: 2
        )
        #expect(try exempts(500, by: rule))
        #expect(try !exempts(501, by: rule))
        #expect(try exempts(200, after: 1, of: 500, by: rule))
        #expect(try !exempts(201, after: 1, of: 500, by: rule))
        #expect(try !exempts(1, after: 2, of: 2, by: rule))
    }

    @Test func `has a limit of the total that also counts for the first payment`() throws {
        let currency = try #require(Currency("EUR"))
        let rule = LowValueRule(currency, maximumTotal: 1000)
        #expect(try exempts(1000, by: rule))
        #expect(try !exempts(1001, by: rule))
    }

    @Test func `is for one currency`() throws {
        let rule = LowValueRule(try #require(Currency("EUR")))
        let dollar = try #require(Currency("USD"))
        let dollars = try #require(Amount(minorUnits: 1, currency: dollar))
        #expect(!rule.exempts(dollars, after: .none))
        // The operator has changed the currency since the last payment.
        let earlier = ExemptedPayments(count: 1, total: dollars)
        #expect(try !rule.exempts(SampleWorld.euro(1), after: earlier))
        #expect(try rule.exempts(SampleWorld.euro(1), after: .none))
    }

    @Test func `does not overflow`() throws {
        let rule = LowValueRule(
            try #require(Currency("EUR")),
            maximum: .max,
            maximumTotal: .max,
            maximumCount: .max
        )
        let largest = Amount.maximumMinorUnits
        #expect(try exempts(largest, after: .max - 1, of: largest, by: rule))
    }
}
