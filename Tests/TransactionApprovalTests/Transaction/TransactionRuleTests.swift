import Testing
import TransactionApproval

@Suite struct `Transactions` {
    @Test func `SEC-40 that are payments name an amount and a payee`() throws {
        #expect(throws: Transaction.Failure.missing(.amounts)) {
            try TransactionParts(amounts: []).transaction()
        }
        #expect(throws: Transaction.Failure.missing(.payees)) {
            try TransactionParts(payees: []).transaction()
        }
    }

    @Test(arguments: [Transaction.Context.action, .login])
    func `without a payment need neither`(_ context: Transaction.Context) throws {
        _ = try TransactionParts(context: context, amounts: [], payees: []).transaction()
    }

    @Test func `have a deadline after their creation`() throws {
        let created = TransactionParts().created
        _ = try TransactionParts(deadline: created + 1).transaction()
        for deadline in [created, created - 1, 0] {
            #expect(throws: Transaction.Failure.invalid(.deadline)) {
                try TransactionParts(deadline: deadline).transaction()
            }
        }
    }

    @Test func `accept at least one type of authentication, and no unknown one`() throws {
        for bits in UInt8(1)...7 {
            let types = AuthenticationTypes(rawValue: bits)
            _ = try TransactionParts(acceptedAuthentication: types).transaction()
        }
        #expect(throws: Transaction.Failure.missing(.acceptedAuthentication)) {
            try TransactionParts(acceptedAuthentication: []).transaction()
        }
        #expect(throws: Transaction.Failure.invalid(.acceptedAuthentication)) {
            try TransactionParts(acceptedAuthentication: AuthenticationTypes(rawValue: 9))
                .transaction()
        }
    }

    @Test func `have one total in each currency`() throws {
        _ = try TransactionParts(amounts: [(1, "EUR"), (1, "USD")]).transaction()
        #expect(throws: Transaction.Failure.invalid(.amounts)) {
            try TransactionParts(amounts: [(1, "EUR"), (2, "EUR")]).transaction()
        }
    }

    @Test(arguments: limits)
    func `have limits`(
        _ largest: TransactionParts,
        _ tooLarge: TransactionParts,
        _ failure: Transaction.Failure
    ) throws {
        _ = try largest.transaction()
        #expect(throws: failure) { try tooLarge.transaction() }
    }

    private static let limits: [(TransactionParts, TransactionParts, Transaction.Failure)] = [
        (titled(100), titled(101), .tooLong(.title)),
        (
            TransactionParts(fields: [(letters(40), letters(200))]),
            TransactionParts(fields: [(letters(41), "a")]), .tooLong(.displayFields)
        ),
        (
            TransactionParts(fields: fields(20)), TransactionParts(fields: fields(21)),
            .tooMany(.displayFields)
        ),
        (
            TransactionParts(fields: [("a", letters(200))]),
            TransactionParts(fields: [("a", letters(201))]), .tooLong(.displayFields)
        ),
        (
            TransactionParts(payees: [(letters(70), "1")]),
            TransactionParts(payees: [(letters(71), "1")]), .tooLong(.payees)
        ),
        (
            TransactionParts(merchant: (letters(70), letters(120))),
            TransactionParts(merchant: (letters(70), letters(121))), .tooLong(.payees)
        ),
        (
            TransactionParts(payees: payees(100)), TransactionParts(payees: payees(101)),
            .tooMany(.payees)
        ),
        (
            TransactionParts(amounts: amounts(10)), TransactionParts(amounts: amounts(11)),
            .tooMany(.amounts)
        ),
    ]

    private static func titled(_ count: Int) -> TransactionParts {
        TransactionParts(title: letters(count))
    }

    private static func letters(_ count: Int) -> String { String(repeating: "ж", count: count) }

    private static func fields(_ count: Int) -> [(String, String)] {
        Array(repeating: ("a", "b"), count: count)
    }

    private static func payees(_ count: Int) -> [(String, String)] {
        Array(repeating: ("a", "1"), count: count)
    }

    private static func amounts(_ count: Int) -> [(UInt64, String)] {
        Currency.all.prefix(count).map { (1, $0.code) }
    }
}
