import Cryptography
import StrictJSON
import TransactionApproval

extension AuthenticationHandler {
    /// The one that waits longest, over all accounts; nil where none waits.
    public func getTransaction() async throws(AuthenticationError) -> PendingTransaction? {
        let pending = try await pendingTransactions()
        guard var oldest = pending.first else { return nil }
        oldest.remainingCount = pending.count - 1
        return oldest
    }

    /// All that wait, over all accounts, the oldest first.
    ///
    /// An account whose verifier cannot be asked, and a transaction that cannot be shown, hide nothing
    /// else that waits.
    public func pendingTransactions() async throws(AuthenticationError) -> [PendingTransaction] {
        try await settle()
        var pending: [PendingTransaction] = []
        var failure: AuthenticationError?
        for account in try someAccounts() {
            do throws(AuthenticationError) {
                try await collectPending(for: account, in: &pending)
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
            throw AuthenticationError(.pushMismatch, cause: "malformed")
        }
        try await settle()
        do throws(AuthenticationError) {
            return try await fetch(hint.transactionID, for: hint.account)
        } catch  where error.code == .unknownTransaction {
            throw AuthenticationError(.pushMismatch, cause: "no such transaction of this account")
        }
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

    /// Adds what can be shown, and throws only then what could not.
    private func collectPending(
        for account: OpenAccount,
        in pending: inout [PendingTransaction]
    ) async throws(AuthenticationError) {
        let party = try Peer(account)
        let list = try await ask(TransactionListExchange.self, NoContent(), by: party)
        var failure: AuthenticationError?
        for id in list.transactions {
            do throws(AuthenticationError) {
                pending.append(try await fetch(id, for: account))
            } catch  where error.isOfEndedTransaction {
                // It was decided, or its time ran out, since the list was made.
            } catch  where error.code == .transactionNotDisplayable {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// Two enterprises may have accounts of one name.
    private func fetch(
        _ id: TransactionID,
        for key: AccountKey
    ) async throws(AuthenticationError) -> PendingTransaction {
        let accounts = try await accounts(named: key)
        guard let last = accounts.last else {
            throw AuthenticationError(.pushMismatch, cause: "no such account here")
        }
        for account in accounts.dropLast() {
            do throws(AuthenticationError) {
                return try await fetch(id, for: account)
            } catch  where error.code == .unknownTransaction {
            }
        }
        return try await fetch(id, for: last)
    }

    /// Where there is none, the bank may have put this one in the place of another.
    private func accounts(
        named key: AccountKey
    ) async throws(AuthenticationError) -> [OpenAccount] {
        let known = try activeAccounts().filter { $0.record.account == key }
        guard known.isEmpty else { return known }
        for account in try activeAccounts() {
            do throws(AuthenticationError) {
                try await refresh(account)
            } catch  where error.code != .vaultUnavailable && error.code != .vaultLocked {
                // It may be another account's.
            }
        }
        return try activeAccounts().filter { $0.record.account == key }
    }

    private func fetch(
        _ id: TransactionID,
        for account: OpenAccount
    ) async throws(AuthenticationError) -> PendingTransaction {
        let request = TransactionExchange.Request(transaction: id)
        let party = try Peer(account)
        let answer = try await ask(TransactionExchange.self, request, by: party)
        guard let transaction = answer.transaction else {
            throw AuthenticationError(.transactionNotDisplayable)
        }
        let record = try await record(of: account, for: transaction)
        guard
            transaction.id == id, transaction.account == record.account,
            transaction.enterprise == record.enterprise
        else { throw AuthenticationError(.pushMismatch, cause: "another transaction") }
        return try AuthenticationError.onThisMachine { () throws(CryptographyFailure) in
            try PendingTransaction(
                transaction,
                answer.typedDigits,
                for: record,
                offering: enabledTypes(of: record)
            )
        }
    }
}

extension AuthenticationHandler {
    /// The account as it is now, where what it had of the bank does not fit the transaction.
    private func record(
        of account: OpenAccount,
        for transaction: Transaction
    ) async throws(AuthenticationError) -> AccountRecord {
        guard !account.record.fits(transaction) else { return account.record }
        try await refresh(account)
        return try self.account(account.record.device).record
    }
}

extension AccountRecord {
    fileprivate func fits(_ transaction: Transaction) -> Bool {
        let address = transaction.returnURL.map { ReturnAddress(of: $0) }
        return transaction.account == account
            && transaction.acceptedAuthentication.isSubset(of: policy.authentication)
            && address.map(policy.returnAddresses.contains) ?? true
    }
}

extension AuthenticationError {
    fileprivate var isOfEndedTransaction: Bool {
        [.unknownTransaction, .transactionExpired, .transactionAlreadyDecided].contains(code)
    }
}
