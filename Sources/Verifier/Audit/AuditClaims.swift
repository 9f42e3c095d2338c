import OneTimePassword
import TransactionApproval

/// What a trail says about rows whose state only the last of several records tells.
struct AuditClaims {
    /// How often each credential was rekeyed, and when last.
    private var rekeys: [String: (count: UInt64, last: UInt64)] = [:]
    /// Credentials that are not active any more, and since when.
    private var standings: [String: (standing: Credential.Standing, since: UInt64)] = [:]
    /// Transactions that have not ended.
    private var pending: [String: UInt64] = [:]

    mutating func take(_ record: AuditRecord) {
        let (subject, sequence) = (record.event.subject, record.sequence)
        switch record.event.kind {
        case .credentialRekeyed:
            rekeys[subject] = ((rekeys[subject]?.count ?? 0) + 1, sequence)
        case .credentialDisabled: standings[subject] = (.disabled, sequence)
        case .credentialEnabled: standings[subject] = nil
        case .credentialOutdated: standings[subject] = (.outdated, sequence)
        case .transactionCreated: pending[subject] = sequence
        case .transactionApproved, .transactionRejected, .transactionExpired,
            .transactionWithdrawn, .transactionVoided:
            pending[subject] = nil
        default: break
        }
    }

    /// Compares every credential, and what should be pending.
    mutating func compare(
        with ledger: Ledger,
        report: (UInt64, String) -> Void
    ) throws(StoreFailure) {
        var last: (DeviceID, CredentialKind)?
        while true {
            let page = try ledger.credentials(after: last, limit: AuditVerification.recordsAtOnce)
            guard let end = page.last else { break }
            for credential in page { compare(credential, report: report) }
            last = (end.device, end.kind)
        }
        // Whatever is left is of credentials that are not there.
        for (subject, rekeys) in rekeys { report(rekeys.last, subject) }
        for (subject, sequence) in pending {
            guard let id = TransactionID(subject), let row = try ledger.transaction(id) else {
                continue
            }
            if row.state != .pending { report(sequence, subject) }
        }
    }

    private mutating func compare(_ credential: Credential, report: (UInt64, String) -> Void) {
        let subject = credential.id.description
        let rekeys = rekeys.removeValue(forKey: subject)
        let standing = standings[subject]
        guard
            credential.generation.value == rekeys?.count ?? 0,
            credential.standing == standing?.standing ?? .active
        else { return report(rekeys?.last ?? standing?.since ?? 0, subject) }
    }
}

extension Ledger {
    /// Whether a row contradicts a record that nothing later takes back.
    func contradicts(_ record: AuditRecord) throws(StoreFailure) -> Bool {
        let event = record.event
        switch event.kind {
        case .deviceActivated, .deviceRevoked: return try contradictsDevice(event)
        case .tokenAdded: return try presentDevice(of: event) == nil
        case .credentialBlocked: return try contradictsBlock(event)
        case .activationRevoked: return try contradictsActivation(event.subject, .revoked)
        case .activationExpired: return try contradictsActivation(event.subject, .expired)
        case .transactionApproved, .transactionRejected, .transactionExpired,
            .transactionWithdrawn, .transactionVoided:
            guard
                let id = TransactionID(event.subject), let row = try transaction(id)
            else { return false }
            guard case .closed(let outcome, let moment) = row.state else { return true }
            return outcome.kind != event.kind || moment != record.moment
                || outcome.detail.map { $0 != event.detail } ?? false
        case .loginRedeemed:
            guard let id = TransactionID(event.subject), let row = try login(id) else {
                return false
            }
            return row.redeemed == nil
        default: return false
        }
    }

    private func contradictsDevice(_ event: Event) throws(StoreFailure) -> Bool {
        guard let device = try presentDevice(of: event) else { return true }
        if event.kind == .deviceRevoked { return device.standing != .revoked }
        return try contradictsActivation(event.detail, .used)
    }

    /// The device that an event is about; nil where it is not its account's any more.
    private func presentDevice(of event: Event) throws(StoreFailure) -> Device? {
        guard
            let id = DeviceID(event.subject), let device = try device(id),
            let account = event.account, try device.account == successor(of: account)
        else { return nil }
        return device
    }

    /// The account that has now what this one had: devices move with their account.
    private func successor(of account: AccountReference) throws(StoreFailure) -> AccountReference {
        var (account, seen) = (account, Set<AccountReference>())
        // A row that somebody edited may lead back to where it began.
        while seen.insert(account).inserted, let key = try self.account(account)?.replacedBy {
            account = AccountReference(enterprise: account.enterprise, key: key)
        }
        return account
    }

    private func contradictsBlock(_ event: Event) throws(StoreFailure) -> Bool {
        guard
            let id = CredentialID(event.subject), let account = event.account,
            let state = try credentialState(id, of: successor(of: account))
        else { return true }
        return state.device.standing == .active || state.failures.lock != .permanent
    }

    private func contradictsActivation(
        _ text: String,
        _ expected: Activation.Outcome
    ) throws(StoreFailure) -> Bool {
        guard let id = ActivationID(text), let row = try activation(id) else { return false }
        guard case .closed(let outcome, _) = row.state else { return true }
        return outcome != expected
    }
}

extension TransactionRecord.Outcome {
    fileprivate var kind: Event.Kind {
        switch self {
        case .approved: .transactionApproved
        case .rejected: .transactionRejected
        case .expired: .transactionExpired
        case .withdrawn: .transactionWithdrawn
        case .void: .transactionVoided
        }
    }
}
