import Testing
import TransactionApproval
import Verifier
import VerifierWorld

@Suite struct `A decision on every store` {
    @Test(arguments: StoreKind.installed)
    func `with the right PIN approves`(_ kind: StoreKind) async throws {
        let bank = try await Bank(on: kind)
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        #expect(try await phone.decide(on: payment, in: bank) == .accepted(nil))
        let outcome = TransactionRecord.Outcome.approved(with: .userPIN, by: phone.id)
        #expect(try await bank.state(of: payment) == .closed(outcome, at: bank.clock.now))
        let again = try await phone.decide(on: payment, in: bank)
        #expect(again == .refused(.alreadyDecided(outcome)))
    }

    @Test(arguments: StoreKind.installed)
    func `with a wrong PIN is refused and charged`(_ kind: StoreKind) async throws {
        let bank = try await Bank(on: kind)
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        let refused = Answer.refused(.wrongCode(.counted(attemptsLeft: 4)))
        #expect(try await phone.decide(on: payment, with: .wrong, in: bank) == refused)
        #expect(try await bank.state(of: payment) == .pending)
        let reason = RejectionReason.notMe
        #expect(try await phone.decide(.reject(reason), on: payment, in: bank) == .accepted(nil))
    }

    @Test(arguments: StoreKind.installed)
    func `once linked, accounts and their policy are read back`(_ kind: StoreKind) async throws {
        let bank = try await Bank(on: kind)
        let other = AccountReference(
            enterprise: Bank.enterprise,
            key: AccountKey(type: AccountType(checked: "card"), id: AccountID(checked: "9"))
        )
        let verifier = bank.verifier
        #expect(try await verifier.addAccount(other, by: .operatorCommand) == .done)
        #expect(
            try await verifier.link(Bank.account, to: other.key, by: .operatorCommand) == .done
        )
        let (linked, policy) = try await bank.read { ledger throws(StoreFailure) in
            guard let account = try ledger.account(Bank.account) else { throw .damaged }
            return (
                try ledger.linkedAccounts(of: account), try ledger.enterprise(Bank.enterprise)
            )
        }
        #expect(linked == [other.key, Bank.account.key])
        #expect(policy?.document == "{}")
    }
}
