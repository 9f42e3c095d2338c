import Cryptography
import StrictJSON
import TransactionApproval

extension AuthenticationHandler {
    /// The oldest pending transaction of all accounts; nil if nothing is pending.
    ///
    /// If nothing else is pending, throws the failure of an account: for example, always `deviceRevoked`
    /// while there is a revoked one. `failures` of `pendingTransactions()` has the failure of each
    /// account instead.
    public func pendingTransaction() async throws(AuthenticationError) -> PendingTransaction? {
        let found = try await pendingTransactions()
        if let oldest = found.transactions.first { return oldest }
        if let failure = found.firstFailure { throw failure }
        return nil
    }

    /// All pending transactions of all accounts, each once, the oldest first.
    ///
    /// An unreachable verifier or a transaction that cannot be shown does not hide the others. Throws
    /// if nothing can be shown because each account has a failure.
    public func pendingTransactions() async throws(AuthenticationError) -> PendingTransactions {
        try await recover()
        let accounts = try someAccounts()
        let found = await results(for: accounts) { await self.found(for: $0) }
        var pending: [PendingTransaction] = []
        var known: [ServerOrigin: Set<TransactionID>] = [:]
        var failures: [Account: AuthenticationError] = [:]
        for (account, found) in zip(accounts, found) {
            // After the bank replaced an account, two devices can have the same one.
            pending += found.transactions.filter {
                known[account.record.server, default: []].insert($0.transaction.id).inserted
            }
            failures[account.record.name] = found.failure ?? failures[account.record.name]
        }
        let reasons = found.compactMap(\.failure)
        if pending.isEmpty, reasons.count == accounts.count, let last = reasons.last { throw last }
        return PendingTransactions(
            transactions: pending.sorted { $0.transaction.created < $1.transaction.created },
            failures: failures
        )
    }

    /// The transaction that a notification names.
    ///
    /// The notification proves nothing: if it does not match the verifier's response, it is
    /// rejected and nothing is shown (SEC-35).
    public func pendingTransaction(
        push payload: [UInt8]
    ) async throws(AuthenticationError) -> PendingTransaction {
        let hint: PushPayload
        do throws(StrictJSON.Failure) {
            hint = try PushPayload(reading: payload)
        } catch {
            throw AuthenticationError(.pushMalformed)
        }
        let failure = try await recover { $0.account == hint.account }
        let accounts = try await currentAccounts { $0.account == hint.account }
        guard !accounts.isEmpty else {
            throw try unusable(hint.account, after: failure)
                ?? AuthenticationError(.pushMismatch, cause: "no such account here")
        }
        do throws(AuthenticationError) {
            return try await fetch(hint.transactionID, forOneOf: accounts)
        } catch  where error.code == .unknownTransaction {
            throw AuthenticationError(.pushMismatch, cause: "no such transaction of this account")
        }
    }

    /// Why this account of the device cannot be used; nil without such an account.
    ///
    /// `failure`: of finding out the result of an activation.
    private func unusable(
        _ account: AccountKey,
        after failure: AuthenticationError?
    ) throws(AuthenticationError) -> AuthenticationError? {
        let contents = try vaultContents()
        let damaged = contents.damaged.first { $0.name?.key == account }
        if let damaged { return AuthenticationError(vault: damaged.failure) }
        let isPending = contents.accounts.contains {
            $0.record.isPending && $0.record.account == account
        }
        return isPending ? failure : nil
    }

    /// The id of the transaction that a notification names; nil if it cannot be read.
    package static func transactionID(push payload: [UInt8]) -> String? {
        // Any other payload names no transaction: `try?`.
        (try? PushPayload(reading: payload))?.transactionID.text
    }

    /// The transaction with this id, of this account.
    public func pendingTransaction(
        id: String,
        of account: Account
    ) async throws(AuthenticationError) -> PendingTransaction {
        try await pendingTransaction(id: id) { $0.name == account }
    }

    /// The transaction with this id, of one of the accounts that match.
    func pendingTransaction(
        id: String,
        where isMatching: (AccountRecord) -> Bool
    ) async throws(AuthenticationError) -> PendingTransaction {
        guard let id = TransactionID(id) else { throw AuthenticationError(.invalidArgument) }
        try await recover(for: isMatching)
        return try await fetch(id, forOneOf: try await currentAccounts(where: isMatching))
    }

    /// All transactions that can be shown, and the last failure.
    private func found(
        for account: OpenAccount
    ) async -> (transactions: [PendingTransaction], failure: AuthenticationError?) {
        var pending: [PendingTransaction] = []
        var failure: AuthenticationError?
        do throws(AuthenticationError) {
            let peer = try Peer(account)
            let list = try await send(TransactionListExchange.self, NoContent(), by: peer)
            for id in list.transactions {
                do throws(AuthenticationError) {
                    pending.append(try await fetch(id, for: account))
                } catch  where error.isOfEndedTransaction {
                    // Decided or expired since the list was made.
                } catch  where [.transactionNotDisplayable, .pushMismatch].contains(error.code) {
                    failure = error
                }
            }
        } catch {
            failure = error
        }
        return (pending, failure)
    }

    /// Two enterprises may have accounts with the same name, of which one has the transaction.
    ///
    /// If no account has it, throws the failure of one that may have it.
    private func fetch(
        _ id: TransactionID,
        forOneOf accounts: [OpenAccount]
    ) async throws(AuthenticationError) -> PendingTransaction {
        guard !accounts.isEmpty else { throw AuthenticationError(.noAccountActivated) }
        var unknown = AuthenticationError(.unknownTransaction)
        var failures: [AuthenticationError] = []
        for account in accounts {
            do throws(AuthenticationError) {
                return try await fetch(id, for: account)
            } catch  where error.code == .unknownTransaction {
                unknown = error
            } catch {
                failures.append(error)
            }
        }
        throw failures.first(where: \.isOfFoundTransaction) ?? failures.first ?? unknown
    }

    func fetch(
        _ id: TransactionID,
        for account: OpenAccount
    ) async throws(AuthenticationError) -> PendingTransaction {
        let request = TransactionExchange.Request(transaction: id)
        let peer = try Peer(account)
        let response = try await send(TransactionExchange.self, request, by: peer)
        guard let transaction = response.transaction else {
            throw AuthenticationError(.transactionNotDisplayable)
        }
        let record = try await record(of: account, for: transaction)
        guard
            transaction.id == id, transaction.account == record.account,
            transaction.enterprise == record.enterprise
        else { throw AuthenticationError(.pushMismatch, cause: "another transaction") }
        return try translatingSystemFailure(
            PendingTransaction(
                transaction,
                response.typedDigits,
                for: record,
                offering: enabledTypes(of: record),
                clockOffset: clockOffsets[record.server, default: .zero]
            )
        )
    }
}

extension AuthenticationHandler {
    /// The updated account, if its stored policy does not fit the transaction.
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
        transaction.account == account
            && transaction.acceptedAuthentication.isSubset(of: policy.authentication)
            && transaction.returnURL.map(policy.allows) ?? true
    }
}

extension AuthenticationError {
    fileprivate var isOfEndedTransaction: Bool {
        [.unknownTransaction, .transactionExpired, .transactionAlreadyDecided].contains(code)
    }

    /// Whether the account has the transaction, so that no other account has it.
    fileprivate var isOfFoundTransaction: Bool {
        [
            .transactionExpired, .transactionAlreadyDecided, .transactionNotDisplayable,
            .pushMismatch,
        ].contains(code)
    }
}
