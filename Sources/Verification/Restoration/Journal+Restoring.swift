package import Cryptography
import TransactionApproval

extension Journal {
    /// Makes a store that came back from a backup safe to decide over; then it opens.
    ///
    /// All in one transaction: codes of earlier epochs are worth nothing any more, what was pending
    /// is void, and what the journal saw end stays ended. Wrong codes and temporary locks since the
    /// backup are in no journal, and forgotten. `keep` takes down what came of it before the journal
    /// goes on: stopped before that, the restore is to be repeated, and comes to the same.
    package static func restore(
        _ store: any Database,
        journalAt path: String,
        signingWith key: P256.PrivateKey,
        clock: VerifierClock,
        keeping keep: @escaping @Sendable (Restoration) throws(StoreFailure) -> Void = { _ in }
    ) async throws(JournalFailure) -> Restoration {
        let (file, end) = try await openForRestoring(at: path, signingWith: key, over: store)
        guard let last = end.checkpoint else { throw .damagedLine(1) }
        let (start, forgotten) = try await read(store) { ledger throws(StoreFailure) in
            let state = try ledger.state()
            return (state, ledger.forgottenRecords(in: file, by: state.epoch))
        }
        guard start.id == last.store else { throw .foreign }
        let records = try forgotten.get()
        let epoch = Epoch(max(last.epoch.value, start.epoch.value) + 1)
        let plan = Restoration(epoch: epoch, backup: start.audit, lost: last)
        let restoration = try await write(store) { ledger throws(StoreFailure) in
            try ledger.carryOut(plan, replaying: records, clock)
        }
        let checkpoint = Checkpoint(store: start.id, epoch: epoch, head: start.audit)
        _ = try await blocking { () throws(JournalFailure) in
            do throws(StoreFailure) {
                try keep(restoration)
            } catch {
                throw .file(error)
            }
            return try file.append(checkpoint, [], signedBy: key, after: end)
        }
        return restoration
    }

    /// The same where the journal was lost, which only an operator can say.
    ///
    /// What ended since the backup comes back to life: nobody knows what it was.
    package static func restore(
        _ store: any Database,
        beginningJournalAt path: String,
        signingWith key: P256.PrivateKey,
        clock: VerifierClock
    ) async throws(JournalFailure) -> Restoration {
        let start = try await read(store) { ledger throws(StoreFailure) in try ledger.state() }
        // Nobody knows how often it was restored: a second time must not be in the same epoch.
        let epoch = Epoch(start.epoch.value + .random(in: 1...1 << 32))
        let checkpoint = Checkpoint(store: start.id, epoch: epoch, head: start.audit)
        let plan = Restoration(epoch: epoch, backup: start.audit, lost: nil)
        let restoration = try await write(store) { ledger throws(StoreFailure) in
            try ledger.carryOut(plan, replaying: [], clock)
        }
        _ = try await begin(at: path, signingWith: key, over: store, checkpoint)
        return restoration
    }
}

extension Ledger {
    /// The journal's records since its last line that the store has, but for those that it has too.
    ///
    /// The line of a restore has the backup's head: other backups have that as well, but not what
    /// that restore brought back, which only stores of its epoch or a later one have.
    fileprivate func forgottenRecords(
        in file: JournalFile,
        by epoch: Epoch
    ) -> Result<[AuditRecord], JournalFailure> {
        var records: [AuditRecord] = []
        return Result { () throws(JournalFailure) in
            _ = try file.read { line throws(JournalFailure) in
                let checkpoint = line.checkpoint
                if epoch.value >= checkpoint.epoch.value, try has(checkpoint.head) {
                    records = []
                    return
                }
                for record in line.records where try !has(AuditHead(record)) {
                    records.append(record)
                }
            }
            return records
        }
    }

    private func has(_ head: AuditHead) throws(JournalFailure) -> Bool {
        do throws(StoreFailure) {
            return try holds(head)
        } catch {
            throw .store(error)
        }
    }
}
