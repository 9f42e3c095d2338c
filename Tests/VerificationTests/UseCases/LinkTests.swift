import Storage
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@Suite(.onAnyStore) struct `Linked accounts` {
    @Test func `a link is visible from both accounts`() async throws {
        let bank = try await Bank()
        let other = AccountReference(
            enterprise: Bank.enterprise,
            key: AccountKey(type: AccountType(checked: "card"), id: AccountID(checked: "9"))
        )
        let verifier = bank.verifier
        #expect(try await verifier.addAccount(other, by: .operatorCommand) == .done)
        for account in [Bank.account, other] {
            let linked = try await bank.linked(to: account)
            #expect(linked == [account.key])
        }
        let link = try await verifier.link(Bank.account, to: other.key, by: .operatorCommand)
        #expect(link == .done)
        for account in [Bank.account, other] {
            let linked = try await bank.linked(to: account)
            #expect(linked == [other.key, Bank.account.key])
        }
    }

    @Test func `an unlink ends the link once, with one audit event`() async throws {
        let bank = try await Bank()
        let other = try await bank.addLinkedAccount("4712")
        let third = try await bank.addLinkedAccount("4713")
        let verifier = bank.verifier
        let results = [Verifier.AccountResult.done, .unchanged]
        for result in results {
            #expect(
                try await verifier.unlink(other.key, from: Bank.account, by: Bank.core) == result
            )
        }
        #expect(try await bank.linked(to: other) == [other.key])
        #expect(try await bank.linked(to: third) == [Bank.account.key, third.key])
        let events = try await bank.events().filter { $0.kind == .accountsUnlinked }
        #expect(events == [Event(.accountsUnlinked, of: other.key, in: Bank.account)])
        let unknown = Bank.account("4799").key
        for key in [unknown, Bank.account.key] {
            let result = try await verifier.unlink(key, from: Bank.account, by: Bank.core)
            #expect(result == .unknownAccount)
        }
    }

    @Test func `SEC-08: an unlink adds no attempts, because both accounts keep the count`()
        async throws
    {
        let bank = try await Bank()
        let other = try await bank.addLinkedAccount("4712")
        let phones = try await bank.activateAll(Bank.account, 2)
        for left in [4, 3] {
            #expect(try await phones[0].checkPIN(with: .wrong, in: bank) == .wrong(left: left))
        }
        _ = try await bank.verifier.unlink(other.key, from: Bank.account, by: Bank.core)
        for (phone, left) in [(phones[1], 2), (phones[0], 1)] {
            #expect(try await phone.checkPIN(with: .wrong, in: bank) == .wrong(left: left))
        }
        let end = bank.clock.now + .seconds(30 * 60)
        #expect(try await phones[1].checkPIN(with: .wrong, in: bank) == .locking(until: end))
        for phone in phones {
            #expect(try await phone.checkPIN(in: bank) == .refused(.locked(until: end)))
        }
    }

    @Test func `SEC-53: an activation that is open during an unlink covers one account only`()
        async throws
    {
        let bank = try await Bank()
        let other = try await bank.addLinkedAccount("4712")
        let issued = try await bank.issue()
        let phones = [try bank.phone(), try bank.phone()]
        let claim = try phones[0].claim(issued.id, issued.code)
        let commit = try await bank.offered(claim, to: phones, issued.code)
        _ = try await bank.verifier.unlink(other.key, from: Bank.account, by: Bank.core)
        #expect(try await bank.verifier.commit(commit) == .refused(.activation(.superseded)))
        let again = try await bank.offered(claim, to: phones, issued.code)
        #expect(again.enrolments.count == 1)
        try await bank.complete(again)
        #expect(try await bank.verifier.devices(of: other)?.isEmpty == true)
    }

    @Test func `SEC-33: an unlink parts no account from the one that it replaced`() async throws {
        let bank = try await Bank()
        let (new, other) = (Bank.account("4712"), try await bank.addAccount("4713"))
        let phone = try await bank.activate()
        func refuse(at account: AccountReference, _ count: Int) async throws {
            for _ in 0..<count {
                let payment = try await bank.pay(from: account)
                try await phone.decide(.reject(.wrongDetails), on: payment, in: bank)
            }
        }
        try await refuse(at: Bank.account, 4)
        #expect(try await bank.replace(by: new) == .done)
        #expect(try await bank.verifier.link(new, to: other.key, by: Bank.core) == .done)
        let own = try await bank.verifier.unlink(new.key, from: Bank.account, by: Bank.core)
        #expect(own == .unchanged)
        #expect(try await bank.verifier.unlink(new.key, from: other, by: Bank.core) == .done)
        #expect(try await bank.linked(to: new) == [new.key])
        #expect(try await bank.linked(to: other) == [other.key])
        try await refuse(at: new, 1)
        guard case .rateLimited = try await bank.request(new) else { throw Bank.Unexpected() }
    }

    @Test(arguments: [0, 1])
    func `SEC-33: "not me" stays on all accounts after an unlink`(_ muted: Int) async throws {
        let bank = try await Bank()
        let accounts = [Bank.account, try await bank.addLinkedAccount("4712")]
        let phone = try await bank.activateAll(Bank.account, 2)[muted]
        let payment = try await bank.pay(from: accounts[muted])
        _ = try await phone.decide(.reject(.notMe), on: payment, in: bank)
        let before = try await bank.verifier.overview(of: accounts[0])?.mutedUntil
        #expect(before != nil)
        let (second, verifier) = (accounts[1].key, bank.verifier)
        let result = try await verifier.unlink(second, from: accounts[0], by: Bank.core)
        #expect(result == .done)
        for account in accounts {
            #expect(try await bank.verifier.overview(of: account)?.mutedUntil == before)
        }
    }
}

extension Bank {
    fileprivate func linked(to account: AccountReference) async throws -> [AccountKey] {
        try await read { ledger throws(StoreFailure) in
            guard let account = try ledger.account(account) else { throw .damaged }
            return try ledger.linkedAccounts(of: account)
        }
    }
}
