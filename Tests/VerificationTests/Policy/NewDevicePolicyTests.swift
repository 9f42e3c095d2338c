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
        #expect(try policy().allows(try content(.payment, amounts)) == isAllowed)
        #expect(try policy().allows(try content(.action, amounts)) == isAllowed)
    }

    @Test func `SEC-117: content without an amount is above every ceiling, except a login`() throws
    {
        #expect(try !policy().allows(try content(.action, [])))
        #expect(try policy().allows(try content(.login, [])))
        // The bank's program chooses the context.
        #expect(try !policy().allows(try content(.login, [(1_000_000, "EUR")])))
    }

    @Test func `SEC-117: without ceilings, only logins are allowed`() throws {
        let policy = NewDevicePolicy(waiting: .seconds(60), ceilings: [])
        let (payment, login) = (try content(.payment, [(0, "EUR")]), try content(.login, []))
        #expect(!policy.allows(payment))
        #expect(policy.allows(login))
    }
}
