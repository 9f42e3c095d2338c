import Cryptography
import Storage
import TransactionApproval

extension Ledger {
    private static let rowsAtOnce = 500
    private static let idByteCount = 16

    /// Makes all changes of a restore, with their audit records.
    ///
    /// The caller must roll back all changes if the result is a failure.
    func carryOut(
        _ plan: Restoration,
        after signed: Timestamp,
        _ clock: VerifierClock,
        findingForgotten find: (Ledger, StoreState) -> Forgotten
    ) throws(StoreFailure) -> Result<Restoration, JournalFailure> {
        let state = try state()
        guard state.audit == plan.backup else { throw .conflict }
        let id = try translatingSystemFailure(
            randomBytes(count: Self.idByteCount),
            to: StoreFailure.system
        )
        var restoration = plan
        restoration.forged = try beginRestore(id, rowsAtOnce: Self.rowsAtOnce)
        if plan.comparesRows {
            switch try rowsAgainstTrail(endingAt: state) {
            case .failure(let failure): return .failure(failure)
            case .success(let rows):
                try distrust(rows, rowsAtOnce: Self.rowsAtOnce)
                for row in rows.sorted() { restoration.forged.add(row) }
            }
        }
        // Other connections can no longer change records with a valid tag, which the search compares.
        let records: [AuditRecord]
        switch find(self, state) {
        case .failure(let failure): return .failure(failure)
        case .success(let forgotten): (records, restoration.lostRecords) = forgotten
        }
        try begin(plan.epoch)
        let lastSeen = max(plan.backup.moment, signed)
        var context = ChangeContext(ledger: self, now: max(clock.now, lastSeen), epoch: plan.epoch)
        context.events.append(plan.event(of: state.id))
        // Another node has restored the store, and its journal can have a later change.
        let isRestored = plan.lost.map { $0.epoch.value < state.epoch.value } ?? false
        try context.replay(records, enabling: !isRestored, into: &restoration)
        var head = try context.record(after: state.audit)
        try context.voidTransactions(into: &restoration, after: &head)
        try context.closeActivations(into: &restoration, after: &head)
        context.events += restoration.forged.names.map { Event(.rowForged, of: $0, in: nil) }
        _ = try context.record(after: head)
        try deleteOpenLogins()
        return .success(restoration)
    }
}

extension Restoration {
    /// The audit event with the head that was lost.
    fileprivate func event(of store: [UInt8]) -> Event {
        let end = lost.map {
            "\($0.head.sequence) \(TextEncoding.hexadecimal.encode($0.head.hash.span))"
        }
        return Event(
            .storeRestored,
            of: TextEncoding.hexadecimal.encode(store.span),
            in: nil,
            detail: "epoch \(epoch.value) lost \(end ?? "unknown")"
        )
    }
}

/// The repetition of a journal's changes.
private struct Replay {
    /// The key of a credential's row: two devices can choose the same id.
    struct Place: Hashable {
        let device: DeviceID
        let kind: CredentialKind
    }

    let accounts: FormerAccounts
    /// The ids of the credentials that devices added since the backup, which does not have them.
    let added: [AccountReference: Set<String>]
    /// Whether it can enable a credential that it did not disable itself.
    let enables: Bool
    /// The credentials that it has disabled.
    var disabled: Set<Place> = []

    init(of records: [AuditRecord], enabling enables: Bool) {
        accounts = FormerAccounts(records)
        self.enables = enables
        var added: [AccountReference: Set<String>] = [:]
        for event in records.map(\.event) where event.kind == .credentialAdded {
            if let account = event.account { added[account, default: []].insert(event.subject) }
        }
        self.added = added
    }
}

extension ChangeContext {
    private static let rowsAtOnce = 500

    fileprivate mutating func record(after head: AuditHead) throws(StoreFailure) -> AuditHead {
        defer { events = [] }
        return try ledger.record(events, by: .operatorCommand, at: now, after: head)
    }

    /// Forged rows stay pending: their tags are not valid, so they cannot be decided either.
    fileprivate mutating func voidTransactions(
        into restoration: inout Restoration,
        after head: inout AuditHead
    ) throws(StoreFailure) {
        restoration.voidedTransactions += try closeAll(
            &restoration.forged,
            after: &head
        ) { context, place throws(StoreFailure) in
            try context.closeTransactions(
                as: .void,
                .transactionVoided,
                after: place,
                atMost: Self.rowsAtOnce
            )
        }
    }

    fileprivate mutating func closeActivations(
        into restoration: inout Restoration,
        after head: inout AuditHead
    ) throws(StoreFailure) {
        restoration.closedActivations += try closeAll(
            &restoration.forged,
            after: &head
        ) { context, place throws(StoreFailure) in
            try context.closeActivations(as: .revoked, after: place, atMost: Self.rowsAtOnce)
        }
    }

    /// Closes page after page; returns the number of closed rows.
    private mutating func closeAll(
        _ forged: inout NamedRows,
        after head: inout AuditHead,
        _ closePage: (inout ChangeContext, OpenPlace) throws(StoreFailure) -> ClosedPage
    ) throws(StoreFailure) -> Int {
        var closed = 0
        var place: OpenPlace? = .start
        while let start = place {
            let page = try closePage(&self, start)
            closed += page.closed
            forged.add(ledger.recorded.takeSkipped())
            head = try record(after: head)
            place = page.last
        }
        return closed
    }

    fileprivate mutating func replay(
        _ records: [AuditRecord],
        enabling enables: Bool,
        into restoration: inout Restoration
    ) throws(StoreFailure) {
        var replay = Replay(of: records, enabling: enables)
        for record in records {
            if try replayed(record, in: &replay) {
                restoration.replayed += 1
            } else {
                restoration.unreplayed.append(record)
            }
        }
    }

    /// Returns false also if a row of the change is forged or deleted: an operator must look at it.
    private mutating func replayed(
        _ record: AuditRecord,
        in replay: inout Replay
    ) throws(StoreFailure) -> Bool {
        do throws(StoreFailure) {
            return try repeatChange(of: record.event, in: &replay)
        } catch {
            guard error.isOfOneRow else { throw error }
            return false
        }
    }

    /// Repeats the change of a record; returns false if that is not possible.
    ///
    /// Activations that were used since are closed with all other open activations of the backup.
    private mutating func repeatChange(
        of event: Event,
        in replay: inout Replay
    ) throws(StoreFailure) -> Bool {
        switch event.kind {
        case .accountsUnlinked: return try unlink(event, replay.accounts)
        case .deviceRevoked: return try revokeDevice(event)
        case .credentialRekeyed, .credentialOutdated:
            let generation = UInt64(event.detail).map { Generation($0) }
            return try changeCredential(event, replay) { $0.outdate(by: generation, events: &$1) }
        case .credentialRemoved:
            return try changeCredential(event, replay) { $0.outdate(by: nil, events: &$1) }
        case .credentialDisabled: return try setEnabled(false, event, in: &replay)
        case .credentialEnabled: return try setEnabled(true, event, in: &replay)
        case .credentialBlocked:
            return try changeCredential(event, replay) { $0.blockForGood(events: &$1) }
        case .bankTokenRevoked: return try revokeToken(event)
        case .activationRevoked, .storeRestored: return true
        default: return false
        }
    }

    /// Returns false also if the credential must stay disabled.
    private mutating func setEnabled(
        _ isEnabled: Bool,
        _ event: Event,
        in replay: inout Replay
    ) throws(StoreFailure) -> Bool {
        guard let old = try credential(of: event, replay) else { return false }
        let place = Replay.Place(device: old.device.id, kind: old.credential.kind)
        var new = old
        if !isEnabled || replay.enables || replay.disabled.contains(place),
            new.setEnabled(isEnabled, events: &events)
        {
            try ledger.save(new, replacing: old)
            if !isEnabled { replay.disabled.insert(place) }
        }
        return new.credential.status.isEnabled == isEnabled
    }

    /// Accounts that were created or linked after the backup have no link.
    private mutating func unlink(
        _ event: Event,
        _ accounts: FormerAccounts
    ) throws(StoreFailure) -> Bool {
        guard let account = event.account, let key = AccountKey(event.subject) else { return false }
        let other = AccountReference(enterprise: account.enterprise, key: key)
        for first in accounts.all(of: account) {
            for second in accounts.all(of: other) { _ = try unlink(second.key, from: first) }
        }
        return true
    }

    private mutating func revokeDevice(_ event: Event) throws(StoreFailure) -> Bool {
        guard let id = DeviceID(event.subject), let old = try ledger.device(id) else {
            return false
        }
        var new = old
        if new.revoke(events: &events) { try ledger.save(new) }
        return true
    }

    /// A token that was made after the backup no longer exists, and its row is not authentic.
    private mutating func revokeToken(_ event: Event) throws(StoreFailure) -> Bool {
        guard let id = BankTokenID(event.subject), let old = try ledger.bankToken(id) else {
            return true
        }
        var new = old
        if new.revoke(at: now, events: &events) { try ledger.save(new) }
        return true
    }

    private mutating func changeCredential(
        _ event: Event,
        _ replay: Replay,
        _ change: (inout CredentialState, inout [Event]) -> Bool
    ) throws(StoreFailure) -> Bool {
        guard let old = try credential(of: event, replay) else { return false }
        var new = old
        if change(&new, &events) { try ledger.save(new, replacing: old) }
        return true
    }

    /// The changed credential; nil if the backup does not have it, or if it could be another one.
    ///
    /// A device chooses the id of its biometric credential. If this is also the id of another one,
    /// only an operator can decide which of them a record concerns.
    private func credential(
        of event: Event,
        _ replay: Replay
    ) throws(StoreFailure) -> CredentialState? {
        guard let id = CredentialID(event.subject), let account = event.account else { return nil }
        let accounts = replay.accounts.all(of: account)
        guard accounts.allSatisfy({ replay.added[$0]?.contains(event.subject) != true }) else {
            return nil
        }
        var found: [CredentialState] = []
        for account in accounts { found += try ledger.credentialStates(withID: id, of: account) }
        return found.count == 1 ? found[0] : nil
    }
}
