import Testing
import TransactionApproval
import Verification
import VerifierWorld

@Suite struct `The policy of new devices` {
    private func policy() throws -> NewDevicePolicy {
        NewDevicePolicy(waiting: .seconds(60), ceilings: [try .of(30_00), try .of(500, "JPY")])
    }

    private func content(
        _ context: Transaction.Context = .payment,
        _ amounts: [(UInt64, String)]
    ) throws -> Transaction.Content {
        try Transaction.Content(
            context: context,
            title: DisplayText("Title"),
            amounts: try amounts.map { try .of($0.0, $0.1) },
            payees: context == .payment ? Transaction.Content.payment(of: 1).payees : []
        )
    }

    @Test(
        arguments: [
            ([(30_00, "EUR")], true), ([(30_01, "EUR")], false), ([(500, "JPY")], true),
            ([(30_00, "EUR"), (500, "JPY")], true), ([(30_00, "EUR"), (501, "JPY")], false),
            ([(1, "CHF")], false), ([(1, "EUR"), (1, "CHF")], false),
        ] as [([(UInt64, String)], Bool)]
    )
    func `SEC-117: allow each currency up to its ceiling, and no other`(
        _ amounts: [(UInt64, String)],
        _ isAllowed: Bool
    ) throws {
        #expect(try policy().allows(try content(.payment, amounts), after: .none) == isAllowed)
        #expect(try policy().allows(try content(.action, amounts), after: .none) == isAllowed)
    }

    @Test func `SEC-117: content without an amount is above every ceiling, except a login`() throws
    {
        #expect(try !policy().allows(try content(.action, []), after: .none))
        #expect(try policy().allows(try content(.login, []), after: .none))
        // The bank's program chooses the context.
        #expect(try !policy().allows(try content(.login, [(1_000_000, "EUR")]), after: .none))
    }

    @Test func `SEC-117: a login that names a payee is above every ceiling`() throws {
        #expect(try !policy().allows(.loginWithPayee(), after: .none))
    }

    @Test func `SEC-117: without ceilings, only logins are allowed`() throws {
        let policy = NewDevicePolicy(waiting: .seconds(60), ceilings: [])
        let (payment, login) = (try content(.payment, [(0, "EUR")]), try content(.login, []))
        #expect(!policy.allows(payment, after: .none))
        #expect(policy.allows(login, after: .none))
    }

    @Test(
        arguments: [
            ([29_99, 1], true), ([30_00, 1], false), ([10_00, 10_00, 10_00, 1], false),
            ([15_00, 15_00], true), ([30_00, 0], true),
        ] as [([UInt64], Bool)]
    )
    func `SEC-117: many small amounts end at the ceiling of their currency`(
        _ amounts: [UInt64],
        _ isLastAllowed: Bool
    ) throws {
        let earlier = CurrencySums(try amounts.dropLast().map { try .of($0) })
        let last = try content(.payment, [(try #require(amounts.last), "EUR")])
        #expect(try policy().allows(last, after: earlier) == isLastAllowed)
        // Another currency has its own sum, and a login is not a payment.
        #expect(try policy().allows(try content(.payment, [(500, "JPY")]), after: earlier))
        #expect(try policy().allows(try content(.login, []), after: earlier))
    }

    @Test func `SEC-117: sums do not overflow`() throws {
        let most = CurrencySums([try #require(Currency("EUR")): .max])
        #expect(most.adding(most) == most)
        #expect(try !policy().allows(try content(.payment, [(1, "EUR")]), after: most))
    }
}

extension CurrencySums {
    fileprivate static let none = CurrencySums()
}

extension Transaction.Content {
    /// The bank's program chooses the context, so it does not show that nothing is moved.
    static func loginWithPayee() throws -> Transaction.Content {
        try Transaction.Content(
            context: .login,
            title: DisplayText("Title"),
            payees: payment(of: 1).payees
        )
    }
}
