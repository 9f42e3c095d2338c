import Sealing
import Storage
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@Suite(.onAnyStore) struct `Number matching` {
    @Test(arguments: [2, 6])
    func `SEC-32: the number must be typed; a wrong one is charged like a wrong PIN`(
        _ digits: Int
    ) async throws {
        var bank = try await Bank(policy: #"{"numberMatchingDigits": \#(digits)}"#)
        let phone = try await bank.activate()
        let (payment, shown) = try await bank.payShowingNumber()
        let number = try #require(shown)
        #expect(number.digits.count == digits)
        let zeros = String(repeating: "0", count: digits - 1)
        let wrong = try #require(TypedNumber(zeros + (number.digits == zeros + "0" ? "1" : "0")))
        #expect(try await phone.decide(on: payment, in: bank) == .wrong(left: 4))
        #expect(try await phone.decide(on: payment, number: wrong, in: bank) == .wrong(left: 3))
        let wrongPIN = try await phone.decide(on: payment, with: .wrong, number: number, in: bank)
        #expect(wrongPIN == .wrong(left: 2))
        try await bank.restart()
        #expect(try await phone.decide(on: payment, number: number, in: bank) == .accepted(nil))
    }

    @Test func `SEC-32: the policy at the time of creation decides whether there is a number`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let isChanged = RunCount()
        let verifier = bank.verifier(interleaving: {
            guard isChanged.increment() == 1 else { return }
            let policy = #"{"numberMatchingDigits": 6}"#
            try await bank.verifier.setPolicy(policy, of: Bank.enterprise, by: Bank.core)
        })
        let request = TransactionRequest(account: Bank.account, content: try .payment(of: 47_11))
        let result = try await verifier.request(request, by: Bank.core)
        guard case .created(let payment, let number) = result else { throw Bank.Unexpected() }
        #expect(number?.length == .six)
        #expect(try await phone.decide(on: payment, in: bank) == .wrong(left: 4))
        #expect(try await phone.decide(on: payment, number: number, in: bank) == .accepted(nil))
    }

    @Test func `SEC-32: a node that knows an earlier policy uses the current one`() async throws {
        let bank = try await Bank()
        _ = try await bank.activate()
        let watched = WatchedDatabase(bank.database)
        let node = bank.verifier(over: watched)
        let request = TransactionRequest(account: Bank.account, content: try .payment(of: 47_11))
        func jobs(creatingWith digits: TypedNumber.Length?) async throws -> [String] {
            watched.forget()
            let result = try await node.request(request, by: Bank.core)
            guard case .created(let payment, let number) = result else { throw Bank.Unexpected() }
            #expect(number?.length == digits)
            let jobs = watched.statements.filter { ["read", "write"].contains($0) }
            _ = try await node.withdraw(payment.id, of: Bank.account, by: Bank.core)
            return jobs
        }
        _ = try await jobs(creatingWith: nil)
        for (policy, digits) in [(#"{"numberMatchingDigits": 6}"#, .six), ("{}", nil)]
            as [(String, TypedNumber.Length?)]
        {
            try await bank.setPolicy(policy)
            #expect(try await jobs(creatingWith: digits) == ["write", "read", "write"])
            #expect(try await jobs(creatingWith: digits) == ["write"])
        }
    }

    @Test func `SEC-32, SEC-40: the number is in no response to a device and in no push`()
        async throws
    {
        let bank = try await Bank(policy: #"{"numberMatchingDigits": 6}"#)
        let phone = try await bank.activate()
        let (payment, shown) = try await bank.payShowingNumber()
        let digits = Array(try #require(shown).digits.utf8)
        let fetched = try #require(
            try await bank.verifier.transaction(payment.id, for: phone.id).value
        )
        #expect(fetched.transaction == payment)
        #expect(fetched.typedDigits == .six)
        #expect(!fetched.canonicalBytes.contains(digits))
        #expect(try await bank.deliveries().allSatisfy { !$0.subject.utf8.contains(digits) })
    }

    @Test func `SEC-36: the number is sealed in the store, and erased at the end`() async throws {
        let bank = try await Bank(policy: #"{"numberMatchingDigits": 6}"#)
        let phone = try await bank.activate()
        let (approved, shown) = try await bank.payShowingNumber()
        let (rejected, other) = try await bank.payShowingNumber()
        let (_, third) = try await bank.payShowingNumber()
        // Six digits may occur in an identifier by chance, but not three times.
        let numbers = try [shown, other, third].map { try #require($0).digits.utf8 }
        #expect(try !numbers.allSatisfy { try bank.isOnDisk($0) })
        #expect(try await bank.number(of: approved) != nil)
        try await phone.decide(on: approved, number: shown, in: bank)
        try await phone.decide(.reject(.notMe), on: rejected, in: bank)
        #expect(try await bank.number(of: approved) == nil)
        #expect(try await bank.number(of: rejected) == nil)
    }

    @Test func `SEC-36: the number is erased when no device can decide any more`() async throws {
        let premises = try Premises()
        var bank = try await premises.begin(policy: #"{"numberMatchingDigits": 6}"#)
        _ = try await bank.activate()
        let (withdrawn, _) = try await bank.payShowingNumber()
        let (pending, _) = try await bank.payShowingNumber()
        #expect(try await bank.number(of: withdrawn) != nil)
        let account = Bank.account
        #expect(try await bank.verifier.withdraw(withdrawn.id, of: account, by: Bank.core) == .done)
        #expect(try await bank.number(of: withdrawn) == nil)
        #expect(try await bank.number(of: pending) != nil)
        try await premises.store.backUp(to: premises.path + "/backup")
        _ = try await bank.addAccount("4712")
        try await bank.journalNow()
        await bank.database.close()
        try premises.store.putBack(premises.path + "/backup")
        #expect(try await premises.restore().voidedTransactions == 1)
        bank = try await premises.open()
        #expect(try await bank.number(of: pending) == nil)
    }

    @Test func `a rejection needs no number`() async throws {
        let bank = try await Bank(policy: #"{"numberMatchingDigits": 2}"#)
        let phone = try await bank.activate()
        let (payment, _) = try await bank.payShowingNumber()
        #expect(try await phone.decide(.reject(.notMe), on: payment, in: bank) == .accepted(nil))
    }
}

extension Bank {
    fileprivate func number(of transaction: Transaction) async throws -> SealedValue? {
        try await read { ledger throws(StoreFailure) in
            try ledger.transaction(transaction.id)?.number
        }
    }
}
