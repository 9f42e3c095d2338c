package import Cryptography
import FailureTranslation
import PrivateFiles
import Storage
import TransactionApproval

extension Journal {
    /// Restores a backup, so that the store can be opened and accept decisions.
    ///
    /// In one transaction, codes of earlier epochs become invalid, pending work becomes void, and the
    /// changes in the journal are repeated. Wrong codes and temporary locks since the backup are lost:
    /// the journal does not contain them. `keep` writes the report before the journal continues. If
    /// the restore stops before that, repeat it; the result is the same.
    ///
    /// Rows that do not match the trail of the backup are not trusted. If the trail is damaged, only
    /// an operator can decide to trust all rows.
    package static func restore(
        _ store: KeyedStore,
        journalAt path: String,
        signingWith key: P256.PrivateKey,
        clock: VerifierClock,
        comparingRows comparesRows: Bool = true,
        keeping keep: @escaping @Sendable (Restoration) throws(JournalFailure) -> Void = { _ in }
    ) async throws(JournalFailure) -> Restoration {
        let (file, end) = try await blocking { () throws(JournalFailure) in
            let file = try JournalFile(path, signedBy: key.publicKey)
            return (file, try file.read())
        }
        guard let last = try file.lastHead(after: end) else { throw .damagedLine(1) }
        let start = try await state(of: store)
        guard start.id == last.store else { throw .foreign }
        let newEnd = try await catchUp(file, after: end, signingWith: key, over: store)
        let epoch = Epoch(max(last.epoch.value, start.epoch.value) + 1)
        let plan = Restoration(
            epoch: epoch,
            backup: start.audit,
            lost: last,
            lostRecords: LostRecords(after: start.audit),
            comparesRows: comparesRows
        )
        let restoration = try await carryOut(
            plan,
            after: end.checkpoint?.head.moment ?? .earliest,
            in: store,
            clock
        ) { ledger, state in
            // Without the lines about a restore by another node, which the journal has by now.
            ledger.forgotten(in: file, through: end, by: state)
        }
        let checkpoint = Checkpoint(store: start.id, epoch: epoch, head: start.audit)
        try await blocking { () throws(JournalFailure) in
            try keep(restoration)
            _ = try file.append(checkpoint, [], signedBy: key, after: newEnd)
            // The old file can be damaged.
            try HeadFile.create(ofJournal: path, with: checkpoint)
        }
        return restoration
    }

    /// Restores a backup if the journal is lost, which only an operator can decide.
    ///
    /// Revocations and locks since the backup are undone, because their record is lost.
    package static func restore(
        _ store: KeyedStore,
        beginningJournalAt path: String,
        signingWith key: P256.PrivateKey,
        clock: VerifierClock,
        comparingRows comparesRows: Bool = true,
        keeping keep: @escaping @Sendable (Restoration) throws(JournalFailure) -> Void = { _ in }
    ) async throws(JournalFailure) -> Restoration {
        let start = try await state(of: store)
        // The number of earlier restores is unknown, and two must not have the same epoch.
        let bytes = try translatingSystemFailure(randomBytes(count: 4), to: JournalFailure.system)
        let distance = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } + 1
        let epoch = Epoch(start.epoch.value + distance)
        let checkpoint = Checkpoint(store: start.id, epoch: epoch, head: start.audit)
        let plan = Restoration(
            epoch: epoch,
            backup: start.audit,
            lost: nil,
            lostRecords: LostRecords(after: start.audit),
            comparesRows: comparesRows
        )
        let restoration = try await carryOut(plan, after: .earliest, in: store, clock) {
            .success(([], LostRecords(after: $1.audit)))
        }
        try await blocking { () throws(JournalFailure) in try keep(restoration) }
        _ = try await begin(at: path, signingWith: key, over: store, checkpoint)
        return restoration
    }

    /// Changes nothing if it fails.
    ///
    /// `signed` is the time of the journal's last line. The time in the file of the last head is not
    /// signed, so a forged one would date the records of the restore.
    private static func carryOut(
        _ plan: Restoration,
        after signed: Timestamp,
        in store: KeyedStore,
        _ clock: VerifierClock,
        findingForgotten find: @escaping @Sendable (Ledger, StoreState) -> Forgotten
    ) async throws(JournalFailure) -> Restoration {
        let refusal = LockedValue<JournalFailure?>(nil)
        do throws(JournalFailure) {
            return try await onStore(
                try await store.rewrite { ledger throws(StoreFailure) in
                    switch try ledger.carryOut(plan, after: signed, clock, findingForgotten: find) {
                    case .success(let restoration): return restoration
                    case .failure(let failure):
                        refusal.withLock { $0 = failure }
                        // Any failure rolls the transaction back.
                        throw .conflict
                    }
                }
            )
        } catch {
            throw refusal.withLock { $0 } ?? error
        }
    }

    /// The records that a store lacks; without a journal, they have no known end.
    package static func lostRecords(
        of store: KeyedStore,
        comparedWith file: JournalFile?
    ) async throws(JournalFailure) -> LostRecords {
        let end = try await blocking { () throws(JournalFailure) in try file?.read() }
        let found = try await onStore(
            try await store.read { ledger throws(StoreFailure) in
                let state = try ledger.state()
                guard let file, let end else {
                    return Forgotten.success(([], LostRecords(after: state.audit)))
                }
                return ledger.forgotten(in: file, through: end, by: state)
            }
        )
        return try found.get().lost
    }
}

/// The records of a journal that a store does not contain, and the span in which they are.
typealias Forgotten = Result<(records: [AuditRecord], lost: LostRecords), JournalFailure>

extension Ledger {
    /// The records after the last line whose head the store contains, in the lines up to `end`.
    ///
    /// The line of a restore has the head of its backup, and other backups also contain that head. So
    /// the store's epoch must also be at least the epoch of the line.
    fileprivate func forgotten(
        in file: JournalFile,
        through end: JournalFile.End,
        by state: StoreState
    ) -> Forgotten {
        var records: [AuditRecord] = []
        var common = AuditHead.empty
        var isOtherBranch = false
        var lineCount = 0
        // A record beyond the store's head is one that another program put in.
        func has(_ head: AuditHead) throws(JournalFailure) -> Bool {
            guard head.sequence <= state.audit.sequence else { return false }
            return try translating(holds(head), to: JournalFailure.store)
        }
        return Forgotten { () throws(JournalFailure) in
            _ = try file.read { line throws(JournalFailure) in
                lineCount += 1
                guard lineCount <= end.lineCount else { return }
                let checkpoint = line.checkpoint
                if try has(checkpoint.head) {
                    guard state.epoch.value < checkpoint.epoch.value else {
                        (records, common) = ([], checkpoint.head)
                        return
                    }
                    // A restore began another branch at this head.
                    isOtherBranch = true
                    if checkpoint.head.sequence < common.sequence { common = checkpoint.head }
                }
                for record in line.records where try !has(AuditHead(record)) {
                    records.append(record)
                }
            }
            let last = try file.lastHead(after: end)?.head ?? common
            // The store is complete, although the journal has no line about its end.
            if !isOtherBranch, last.sequence > common.sequence, try has(last) {
                (records, common) = ([], last)
            }
            // Another node has restored the store, and its records follow those of the backup.
            let isRestored = end.checkpoint.map { $0.epoch.value < state.epoch.value } ?? false
            return (
                records,
                LostRecords(
                    of: state.audit,
                    since: common,
                    records,
                    upTo: last,
                    onOtherBranch: isOtherBranch || isRestored
                )
            )
        }
    }
}
