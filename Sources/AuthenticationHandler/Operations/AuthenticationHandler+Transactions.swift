import Cryptography
import StrictJSON
import TransactionApproval

extension AuthenticationHandler {
    /// The one that waits longest, over all accounts; nil where none waits.
    public func getTransaction() async throws(AuthenticationError) -> PendingTransaction? {
        let pending = try await pendingTransactions()
        guard var oldest = pending.first else { return nil }
        oldest.waitingBehind = pending.count - 1
        return oldest
    }

    /// All that wait, over all accounts, the oldest first.
    ///
    /// An account whose verifier cannot be asked does not hide what waits for the others.
    public func pendingTransactions() async throws(AuthenticationError) -> [PendingTransaction] {
        try await settle()
        let accounts = try someAccounts()
        var pending: [PendingTransaction] = []
        var failure: AuthenticationError?
        for account in accounts {
            do throws(AuthenticationError) {
                pending += try await self.pending(for: account)
            } catch {
                failure = error
            }
        }
        if pending.isEmpty, let failure { throw failure }
        return pending.sorted { $0.transaction.created < $1.transaction.created }
    }

    /// Exactly the one that a notification names.
    ///
    /// The notification proves nothing: what does not match the verifier's own answer is refused, and
    /// nothing of it is shown (SEC-35).
    public func getTransaction(
        push payload: [UInt8]
    ) async throws(AuthenticationError) -> PendingTransaction {
        let hint: PushPayload
        do throws(StrictJSON.Failure) {
            hint = try PushPayload(reading: payload)
        } catch {
            throw AuthenticationError(.pushMismatch, detail: "malformed")
        }
        try await settle()
        return try await fetch(hint.transactionID, for: hint.account)
    }

    /// Exactly this one, where its three names came by another way.
    public func getTransaction(
        id: String,
        accountID: String,
        accountType: String
    ) async throws(AuthenticationError) -> PendingTransaction {
        guard
            let transaction = TransactionID(id), let type = AccountType(accountType),
            let account = AccountID(accountID)
        else { throw AuthenticationError(.invalidArgument) }
        try await settle()
        return try await fetch(transaction, for: AccountKey(type: type, id: account))
    }

    private func pending(
        for account: OpenAccount
    ) async throws(AuthenticationError) -> [PendingTransaction] {
        let party = try Party(account)
        let list = try await ask(TransactionListExchange.self, NoContent(), by: party)
        var pending: [PendingTransaction] = []
        for id in list.transactions {
            do throws(AuthenticationError) {
                pending.append(try await fetch(id, for: account))
            } catch  where error.isOfEndedTransaction {
                // It was decided, or its time ran out, since the list was made.
            }
        }
        return pending
    }

    /// Two enterprises may have accounts of one name.
    private func fetch(
        _ id: TransactionID,
        for key: AccountKey
    ) async throws(AuthenticationError) -> PendingTransaction {
        let accounts = try activeAccounts().filter { $0.record.account == key }
        guard !accounts.isEmpty else {
            throw AuthenticationError(.pushMismatch, detail: "no such account here")
        }
        for account in accounts.dropLast() {
            do throws(AuthenticationError) {
                return try await fetch(id, for: account)
            } catch  where error.code == .unknownTransaction {
            }
        }
        return try await fetch(id, for: accounts[accounts.count - 1])
    }

    private func fetch(
        _ id: TransactionID,
        for account: OpenAccount
    ) async throws(AuthenticationError) -> PendingTransaction {
        let request = TransactionExchange.Request(transaction: id)
        let party = try Party(account)
        let answer = try await ask(TransactionExchange.self, request, by: party)
        let (transaction, record) = (answer.transaction, account.record)
        guard
            transaction.id == id, transaction.account == record.account,
            transaction.enterprise == record.enterprise
        else { throw AuthenticationError(.pushMismatch, detail: "another transaction") }
        return try AuthenticationError.onThisMachine { () throws(CryptographyFailure) in
            try PendingTransaction(answer, for: record, offering: enabledTypes(of: record))
        }
    }
}

extension AuthenticationError {
    fileprivate var isOfEndedTransaction: Bool {
        [.unknownTransaction, .transactionExpired, .transactionAlreadyDecided].contains(code)
    }
}
