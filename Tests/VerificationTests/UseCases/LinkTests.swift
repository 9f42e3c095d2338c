import Testing
import TransactionApproval
import Verification
import VerifierWorld

@Suite(.onEveryStore) struct `Linked accounts` {
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
}

extension Bank {
    fileprivate func linked(to account: AccountReference) async throws -> [AccountKey] {
        try await read { ledger throws(StoreFailure) in
            guard let account = try ledger.account(account) else { throw .damaged }
            return try ledger.linkedAccounts(of: account)
        }
    }
}
