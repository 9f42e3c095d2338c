import Cryptography
import FailureTranslation
import Sealing
import Storage
package import TransactionApproval

/// The bank's request for an approval.
package struct TransactionRequest: Sendable {
    package let account: AccountReference
    package let content: Transaction.Content
    package let reference: ExternalReference?
    package let returnURL: ReturnURL?
    /// The authentication types that the bank accepts; nil for all that the policy allows.
    package let authentication: AuthenticationTypes?
    package let source: RequestSource
    /// How long the request is pending; nil for as long as the policy allows.
    package let lifetime: Duration?

    package init(
        account: AccountReference,
        content: Transaction.Content,
        reference: ExternalReference? = nil,
        returnURL: ReturnURL? = nil,
        authentication: AuthenticationTypes? = nil,
        source: RequestSource = .bank,
        lifetime: Duration? = nil
    ) {
        self.account = account
        self.content = content
        self.reference = reference
        self.returnURL = returnURL
        self.authentication = authentication
        self.source = source
        self.lifetime = lifetime
    }
}

package enum TransactionResult: Equatable, Sendable {
    /// Only the bank's side may show the number to the person.
    case created(Transaction, number: TypedNumber?)
    /// The same call created it before.
    case repeated(TransactionID)
    /// The idempotency key was used for a different call.
    case keyReused
    /// Never empty.
    case refused([EnterprisePolicy.Refusal])
    case unknownAccount
    case testAccountForbidden
    case accountReplaced
    /// No device of the account can decide.
    case noActiveDevice
    case tooManyPending(until: Timestamp)
    case rateLimited(until: Timestamp)
}

extension Verifier {
    package func request(
        _ request: TransactionRequest,
        call: BankCall? = nil,
        by author: ChangeAuthor
    ) async throws(Failure) -> TransactionResult {
        var policy = policies.lastUsed(of: request.account.enterprise)
        while true {
            let new = try await newTransaction(for: request, expecting: policy)
            if let result = try await add(new, request, call, by: author) { return result }
            // The policy changed, so the next round reads the current one.
            policy = nil
        }
    }

    /// Nil if the policy's number matching changed since `new` was made.
    private func add(
        _ new: NewTransaction,
        _ request: TransactionRequest,
        _ call: BankCall?,
        by author: ChangeAuthor
    ) async throws(Failure) -> TransactionResult? {
        let account = request.account
        let queries = [
            Ledger.query(of: account), Ledger.queryOfDevices(of: account),
            Ledger.queryOfHistory(of: account, at: clock.now), Ledger.query(of: account.enterprise),
        ]
        return try await change(
            by: author,
            reading: queries + (call.map { [Ledger.query(of: $0)] } ?? [])
        ) {
            [policies] context throws(StoreFailure) in
            switch try context.ledger.earlier(call) {
            case .repeated(.transaction(let id)): return .repeated(id)
            case .repeated, .keyReused: return .keyReused
            case nil: break
            }
            guard let account = try context.ledger.account(request.account) else {
                return .unknownAccount
            }
            let policy = try policies.policy(of: request.account.enterprise, context.ledger)
            guard policy.allows(account) else { return .testAccountForbidden }
            guard policy.numberMatching == new.number?.length else { return nil }
            let consents = try context.ledger.consents(of: account, in: context.epoch)
            let refusals = policy.refusals(
                of: request.content,
                from: request.source,
                returnURL: request.returnURL,
                lifetime: request.lifetime,
                requested: request.authentication,
                after: consents
            )
            guard refusals.isEmpty else { return .refused(refusals) }
            guard account.replacedBy == nil else { return .accountReplaced }
            let devices = try context.ledger.devices(of: request.account)
            guard devices.contains(where: \.takesTransactions) else { return .noActiveDevice }
            let source = request.source
            let history = try context.ledger.requestHistory(
                of: account,
                from: source,
                at: context.now
            )
            switch history.check(at: context.now, by: policy.push(from: source)) {
            case .accepted: break
            case .refused(.tooManyPending(let end)): return .tooManyPending(until: end)
            case .refused(.rateLimited(let end)): return .rateLimited(until: end)
            }
            let notifies = !history.isMuted(at: context.now)
            if notifies, !account.isTest, let permit = new.pushPermit {
                let wanted = try context.ledger.count(wantingPushesOf: devices)
                if case .refused(let end) = permit.take(wanted, at: context.now) {
                    return .rateLimited(until: end)
                }
            }
            let transaction = try context.add(request, new, by: policy, after: consents)
            context.events.append(
                .transactionCreated(transaction, from: source, notifies: notifies)
            )
            try context.ledger.keep(.transaction(transaction.id), of: call, at: context.now)
            return .created(transaction, number: new.number)
        }
    }

    package enum WithdrawalResult: Equatable, Sendable {
        case done
        /// It had ended before.
        case ended
        case unknown
    }

    /// Withdraws it if it is of one of these sources.
    package func withdraw(
        _ id: TransactionID,
        of account: AccountReference,
        from sources: Set<RequestSource> = Set(RequestSource.allCases),
        by author: ChangeAuthor
    ) async throws(Failure) -> WithdrawalResult {
        try await change(by: author) { context throws(StoreFailure) in
            guard
                let old = try context.ledger.transaction(id),
                old.account == account, sources.contains(old.source)
            else { return .unknown }
            guard old.checkPending(at: context.now).isAccepted else { return .ended }
            try context.close(id, as: .withdrawn, .transactionWithdrawn)
            return .done
        }
    }

    private func newTransaction(
        for request: TransactionRequest,
        expecting policy: EnterprisePolicy?
    ) async throws(Failure) -> NewTransaction {
        let account = request.account
        let id = try newTransactionID()
        let nonce = try translatingSystemFailure(TransactionNonce.random(), to: Failure.system)
        let pushPermit = pushRateLimits[request.source]?.permit()
        let length =
            if let policy { policy.numberMatching } else { try await numberLength(for: account) }
        guard let length else {
            return NewTransaction(
                id: id,
                nonce: nonce,
                number: nil,
                sealedNumber: nil,
                pushPermit: pushPermit
            )
        }
        let number = try translatingSystemFailure(TypedNumber.random(length), to: Failure.system)
        let digits = Array(number.digits.utf8)
        let sealed = try seal(digits.span, for: .number(of: id, for: account))
        return NewTransaction(
            id: id,
            nonce: nonce,
            number: number,
            sealedNumber: sealed,
            pushPermit: pushPermit
        )
    }

    /// By the current policy; nil if the person types no number.
    private func numberLength(
        for account: AccountReference
    ) async throws(Failure) -> TypedNumber.Length? {
        let queries = [Ledger.query(of: account), Ledger.query(of: account.enterprise)]
        return try await read(reading: queries) { [policies] ledger throws(StoreFailure) in
            try ledger.account(account) == nil
                ? nil : policies.policy(of: account.enterprise, ledger).numberMatching
        }
    }
}

/// The parts of a transaction that are made before the store transaction, which may run again.
private struct NewTransaction: Sendable {
    let id: TransactionID
    let nonce: TransactionNonce
    let number: TypedNumber?
    let sealedNumber: SealedValue?
    /// Nil for no limit.
    let pushPermit: PushRateLimit.Permit?
}

extension ChangeContext {
    fileprivate func add(
        _ request: TransactionRequest,
        _ new: NewTransaction,
        by policy: EnterprisePolicy,
        after consents: ConsentTotal?
    ) throws(StoreFailure) -> Transaction {
        // The deadline overflows only at the end of the time range.
        let transaction = try translating(
            Transaction(
                enterprise: request.account.enterprise,
                id: new.id,
                account: request.account.key,
                content: request.content,
                reference: request.reference,
                returnURL: request.returnURL,
                acceptedAuthentication: policy.acceptedAuthentication(
                    for: request.content,
                    requested: request.authentication,
                    after: consents
                ),
                created: now,
                deadline: now + (request.lifetime ?? policy.transactionLifetime),
                epoch: epoch.value,
                nonce: new.nonce
            ),
            to: { (_: Transaction.Failure) in StoreFailure.misuse }
        )
        try ledger.add(
            TransactionRecord(transaction, from: request.source, number: new.sealedNumber)
        )
        return transaction
    }
}
