import Testing
import TransactionApproval
import VerifierWorld

@testable import Verification

@Suite struct `The limits for consent alone` {
    private static func policy(_ consecutive: Int = 5) throws -> ConsentPolicy {
        let ceilings = [
            ConsentPolicy.Ceiling(try .of(30_00), totalMinorUnits: 100_00),
            ConsentPolicy.Ceiling(try .of(50, "JPY")),
        ]
        return ConsentPolicy(ceilings: ceilings, consecutive: consecutive)
    }

    /// The total after these consents, each of several amounts; nil if one of them is refused.
    private func total(
        after consents: [[Amount]],
        _ policy: ConsentPolicy,
        from first: ConsentTotal = .zero
    ) -> ConsentTotal? {
        consents.reduce(first) { $0?.adding($1, within: policy) }
    }

    @Test(
        arguments: [
            ([30_00, 30_00, 30_00, 10_00], true), ([30_00, 30_00, 30_00, 10_01], false),
            ([1, 1, 1, 1, 1], true), ([1, 1, 1, 1, 1, 1], false), ([30_01], false),
            ([20_00, 20_00, 20_00, 20_00, 20_00], true),
        ] as [([UInt64], Bool)]
    )
    func `SEC-107: many small consents end at the sum or the number`(
        _ sums: [UInt64],
        _ isAllowed: Bool
    ) throws {
        let total = total(after: try sums.map { [try .of($0)] }, try Self.policy())
        #expect((total != nil) == isAllowed)
        if isAllowed { #expect(total?.count == sums.count) }
    }

    @Test func `SEC-107: each currency has its own sum, and the number covers all`() throws {
        let policy = try Self.policy()
        let euros = try Array(repeating: [.of(30_00)], count: 3) + [[.of(10_00)]] as [[Amount]]
        let full = try #require(total(after: euros, policy))
        #expect(full.adding([try .of(1)], within: policy) == nil)
        #expect(full.adding([try .of(1), try .of(1, "JPY")], within: policy) == nil)
        let last = try #require(full.adding([try .of(50, "JPY")], within: policy))
        #expect(last.count == 5)
        #expect(last.adding([], within: policy) == nil)
        #expect(full.adding([try .of(1, "USD")], within: policy) == nil)
    }

    @Test func `SEC-107: one transaction cannot have its amount in two parts`() throws {
        let parts = [try Amount.of(60_00), try .of(60_00)]
        let ceiling = ConsentPolicy.Ceiling(try .of(60_00), totalMinorUnits: 100_00)
        let policy = ConsentPolicy(ceilings: [ceiling], consecutive: 5)
        #expect(ConsentTotal.zero.adding(parts, within: policy) == nil)
    }

    @Test func `SEC-107: the default sum is three times the amount`() throws {
        #expect(ConsentPolicy.Ceiling(try .of(30_00)).totalMinorUnits == 90_00)
        let maximum = Amount.maximumMinorUnits
        #expect(ConsentPolicy.Ceiling(try .of(maximum)).totalMinorUnits == maximum)
    }

    @Test func `SEC-107: linked accounts have the higher values of both, and the older epoch`()
        throws
    {
        let euro = try #require(Currency("EUR"))
        let yen = try #require(Currency("JPY"))
        let first = ConsentTotal(epoch: Epoch(1), count: 4, minorUnits: [euro: 10, yen: 7])
        let second = ConsentTotal(epoch: Epoch(0), count: 2, minorUnits: [euro: 30])
        let both = ConsentTotal(epoch: Epoch(0), count: 4, minorUnits: [euro: 30, yen: 7])
        #expect(first.merged(with: second) == both)
        #expect(second.merged(with: first) == both)
    }

    @Test func `SEC-107: a stricter policy applies to earlier consents`() throws {
        let earlier = try total(after: [[.of(1)], [.of(1)]], Self.policy())
        #expect(earlier?.adding([], within: try Self.policy(2)) == nil)
        #expect(earlier?.adding([], within: try Self.policy(3)) != nil)
    }
}
