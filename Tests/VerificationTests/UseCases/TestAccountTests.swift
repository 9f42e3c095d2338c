import Testing
import TransactionApproval
import Verification
import VerifierWorld

@Suite(.onAnyStore) struct `Test accounts` {
    private let account = Bank.account("sandbox")
    private let other = Bank.account("sandbox-2")

    private func bank(policy: String = #"{"allowsTestAccounts": true}"#) async throws -> Bank {
        let bank = try await Bank(policy: policy)
        let result = try await bank.verifier.addAccount(account, isTest: true, by: Bank.core)
        #expect(result == (policy == "{}" ? .testAccountForbidden : .done))
        return bank
    }

    private func forbid(in bank: Bank) async throws {
        let result = try await bank.verifier.setPolicy("{}", of: Bank.enterprise, by: Bank.core)
        #expect(result == .done)
    }

    @Test func `SEC-33: have no rate limit of requests, but a limit of pending ones`() async throws
    {
        var bank = try await bank()
        let phone = try await bank.activate(account)
        for _ in 0..<25 {
            let payment = try await bank.pay(from: account)
            try await phone.decide(.reject(.wrongDetails), on: payment, in: bank)
        }
        bank.use(bank.verifier(over: bank.database, pushesPerMinute: 1))
        _ = try await bank.verifier.setPush(.events, on: phone.id, attempt: .random())
        for _ in 0..<3 { _ = try await bank.pay(from: account) }
        let end = bank.clock.now + .seconds(120)
        #expect(try await bank.request(account) == .tooManyPending(until: end))
        // They take nothing from the pushes of persons.
        let other = try await bank.activate()
        _ = try await bank.verifier.setPush(.events, on: other.id, attempt: .random())
        #expect(try await bank.canRequest())
    }

    @Test func `are refused unless the policy allows them`() async throws {
        let bank = try await bank(policy: "{}")
        #expect(try await bank.verifier.overview(of: account) == nil)
        #expect(try await bank.verifier.addAccount(account, isTest: false, by: Bank.core) == .done)
    }

    @Test func `that exist are refused after the policy changed`() async throws {
        let bank = try await bank()
        let phone = try await bank.activate(account)
        let grant = try await phone.grant(in: bank)
        let code = try await phone.typedCode(in: bank)
        try await forbid(in: bank)
        #expect(try await bank.request(account) == .testAccountForbidden)
        #expect(try await bank.redeem(grant, of: account) == .testAccountForbidden)
        #expect(try await phone.type(code, from: account, in: bank) == .refused(.typeNotAllowed))
        let issued = try await bank.verifier.issueActivation(for: account, by: Bank.core)
        guard case .refused(.testAccountForbidden) = issued else { throw Bank.Unexpected() }
        // Nothing was charged, and no code was used.
        _ = try await bank.verifier.setPolicy(
            #"{"allowsTestAccounts": true}"#,
            of: Bank.enterprise,
            by: Bank.core
        )
        #expect(try await phone.type(code, from: account, in: bank) == .accepted(nil))
        #expect(try await bank.canRequest(account))
    }

    @Test func `keep their mark, and so do accounts of persons`() async throws {
        let bank = try await bank()
        let verifier = bank.verifier
        for (account, isTest) in [(account, true), (Bank.account, false)] {
            for repeated in [nil, isTest] {
                let result = try await verifier.addAccount(account, isTest: repeated, by: Bank.core)
                #expect(result == .unchanged)
            }
            let changed = try await verifier.addAccount(account, isTest: !isTest, by: Bank.core)
            #expect(changed == .accountExists)
            #expect(try await verifier.overview(of: account)?.account.isTest == isTest)
        }
        #expect(
            try await bank.events().contains(
                Event(.accountCreated, of: account.key, in: account, detail: "test")
            )
        )
    }

    /// Otherwise requests to the test account would reach the person's devices without limit.
    @Test func `SEC-33: are never linked with accounts of persons`() async throws {
        let bank = try await bank()
        let verifier = bank.verifier
        for (first, second) in [(Bank.account, account), (account, Bank.account)] {
            let link = try await verifier.link(first, to: second.key, by: Bank.core)
            #expect(link == .mixedTestAccounts)
            let replaced = try await verifier.replace(first, by: second.key, by: Bank.core)
            #expect(replaced == .mixedTestAccounts)
        }
        _ = try await verifier.addAccount(other, isTest: true, by: Bank.core)
        #expect(try await verifier.link(account, to: other.key, by: Bank.core) == .done)
    }

    @Test func `are replaced by new test accounts`() async throws {
        let bank = try await bank()
        _ = try await bank.activate(account)
        let new = Bank.account("new")
        #expect(try await bank.verifier.replace(account, by: new.key, by: Bank.core) == .done)
        #expect(try await bank.verifier.overview(of: new)?.account.isTest == true)
    }
}
