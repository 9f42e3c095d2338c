import CommandLineTool
import Glibc
import TransactionApproval
import Verification

/// One restore, from the first look to the report.
struct StoreRestoration {
    let installation: Installation

    private var configuration: Configuration { installation.configuration }

    /// What the store lacks; a failure where it is not known to lack anything.
    ///
    /// Nothing in a store of PostgreSQL tells that it is a copy, where the journal has seen no more
    /// than it has: then it is one by the operator's word.
    func loss(
        of store: any Database,
        withoutJournal: Bool,
        isBackup: Bool
    ) async throws(CommandFailure) -> String {
        guard withoutJournal else { return try await refusal(of: store, isBackup: isBackup) }
        try checkJournalIsAbsent()
        let last = try await installation.state(of: store).audit.sequence
        return "The store ends at record \(last); no journal tells what ended after that."
    }

    /// Refuses keys that do not open the backup, which may be older than they are; gives whether
    /// some of it is under another than the newest.
    func checkKeys(of store: any Database) async throws(CommandFailure) -> Bool {
        let keys = try installation.encryptionKeys()
        let verifier = try await installation.verifier(over: store, nil, keys: keys)
        return try await installation.onVerifier { () throws(Verifier.Failure) in
            try await verifier.checkKeys()
            let needed = Set(try await verifier.sealedCounts().keys)
            if let missing = needed.subtracting(keys.versions).min() {
                throw .sealedRecord(.keyMissing(version: missing))
            }
            return needed != [keys.newestVersion]
        }
    }

    private func checkJournalIsAbsent() throws(CommandFailure) {
        let path = configuration.journal
        guard access(path, F_OK) == 0 else { return }
        throw CommandFailure(
            .cannotCreate,
            "the journal \(path) is there",
            hint: "run countersignd restore without --journal-lost, or move it away"
        )
    }

    /// Why the store is none to go on with; a failure where it is one.
    private func refusal(
        of store: any Database,
        isBackup: Bool
    ) async throws(CommandFailure) -> String {
        let journal = try installation.openJournalFile()
        do throws(JournalFailure) {
            try await Journal.check(journal, over: store)
        } catch .behind(let last, let seen) {
            return "The store ends at record \(last); its journal has seen record \(seen)."
        } catch .forked(let sequence) {
            return "Record \(sequence) of the store is not the one that its journal has seen."
        } catch .unrestored {
            return "The store is a backup, and what no journal takes down may have followed it."
        } catch {
            throw CommandFailure(error, of: configuration)
        }
        guard isBackup else {
            throw CommandFailure(
                .nothingPending,
                "the store is not behind its journal: there is nothing to restore",
                hint:
                    "if it came from a backup all the same, run countersignd restore --from-backup"
            )
        }
        return "The store is not behind its journal, but came from a backup."
    }

    func restore(
        _ store: any Database,
        withoutJournal: Bool
    ) async throws(CommandFailure) -> Restoration {
        let (path, key) = (configuration.journal, try installation.checkpointKey())
        let clock = try await installation.clock(of: store)
        return try await installation.onJournal { () throws(JournalFailure) in
            let restoration =
                withoutJournal
                ? try await Journal.restore(
                    store,
                    beginningJournalAt: path,
                    signingWith: key,
                    clock: clock
                )
                : try await Journal.restore(
                    store,
                    journalAt: path,
                    signingWith: key,
                    clock: clock,
                    keeping: keep
                )
            // Opened, it has what the restore itself put on the trail.
            _ = try await Journal.open(at: path, signingWith: key, over: store)
            return restoration
        }
    }

    /// Writes down what is to be done by hand, which is told once.
    private func keep(_ restoration: Restoration) throws(StoreFailure) {
        guard !restoration.unreplayed.isEmpty else { return }
        let file = try IncompleteFile(replacing: reportPath(of: restoration))
        try file.append((restoration.report + "\n").utf8)
        try file.finish()
    }

    func reportPath(of restoration: Restoration) -> String {
        "\(configuration.journal).restored-\(restoration.epoch.value)"
    }
}

extension Restoration {
    var report: String {
        let done = """
            Restored: the store goes on after record \(backup.sequence), in epoch \(epoch.value).
              \(counted(voidedTransactions, "pending transaction")) void
              \(counted(closedActivations, "open activation")) closed
              \(counted(replayed, "record")) of the journal followed again
            """
        guard !unreplayed.isEmpty else { return done }
        let records = unreplayed.map { record in
            "  record \(record.sequence): \(record.event.kind.rawValue) of "
                + visible(record.event.subject)
        }
        return
            ([done, "To be done again by hand, since the backup knows nothing of it:"] + records)
            .joined(separator: "\n")
    }
}
