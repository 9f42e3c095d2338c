import CommandLineTool
import Glibc
import PrivateFiles
import Sealing
import Storage
import TransactionApproval
import Verification
import VerifierServer

/// One restore of a store from a backup.
struct StoreRestoration {
    let installation: Installation
    let keys: KeyRing

    private var configuration: Configuration { installation.configuration }

    /// Describes what the store lacks; throws if it lacks nothing.
    ///
    /// A copy of a PostgreSQL store has no mark. If the journal is not ahead of it, only the operator
    /// knows that it is a backup.
    func loss(
        of store: any Database,
        withoutJournal: Bool,
        isBackup: Bool
    ) async throws(CommandFailure) -> String {
        guard withoutJournal else {
            let difference = try await difference(of: store, isBackup: isBackup)
            let journal = try installation.openJournalFile()
            return try await difference + "\n" + lostRecords(of: store, comparedWith: journal).text
        }
        try checkJournalIsAbsent()
        let last = try await installation.state(of: store).audit.sequence
        return """
            The store ends at record \(last). Without a journal, later revocations are lost.
            \(try await lostRecords(of: store, comparedWith: nil).text)
            """
    }

    private func lostRecords(
        of store: any Database,
        comparedWith journal: JournalFile?
    ) async throws(CommandFailure) -> LostRecords {
        try await installation.onJournal(
            try await Journal.lostRecords(of: KeyedStore(store), comparedWith: journal)
        )
    }

    /// Verifies that the keys decrypt the backup; returns whether it uses an old key.
    func checkKeys(of store: any Database) async throws(CommandFailure) -> Bool {
        let verifier = try await installation.verifier(over: store, keys)
        let keys = keys.keys
        let needed = Set(try await installation.onVerifier(try await verifier.sealedCounts()).keys)
        if let missing = needed.subtracting(keys.versions).min() {
            let failure = Verifier.Failure.sealedRecord(.keyMissing(version: missing))
            throw CommandFailure(failure, of: configuration)
        }
        return needed != [keys.newestVersion]
    }

    private func checkJournalIsAbsent() throws(CommandFailure) {
        let path = configuration.journal
        guard access(path, F_OK) == 0 else { return }
        throw CommandFailure(.cannotCreate, "the journal \(path) exists")
            .suggesting("run countersignd restore without --journal-lost")
    }

    /// How the store differs from its journal; throws if it does not.
    private func difference(
        of store: any Database,
        isBackup: Bool
    ) async throws(CommandFailure) -> String {
        let journal = try installation.openJournalFile()
        do throws(JournalFailure) {
            try await Journal.check(journal, over: KeyedStore(store))
        } catch .behind(let last, let seen) {
            return "The store ends at record \(last), but its journal ends at record \(seen)."
        } catch .forked(let sequence) {
            return "Record \(sequence) of the store differs from the one in its journal."
        } catch .lostHead {
            return """
                The file \(configuration.journal).head does not exist, or is damaged. So results of \
                the last minute can be missing from the store.
                """
        } catch .unrestored {
            return "The store is a backup. Changes that the journal does not record can be missing."
        } catch {
            throw CommandFailure(error, of: configuration)
        }
        guard isBackup else {
            throw CommandFailure(
                .nothingPending,
                "the store is not older than its journal: there is nothing to restore",
                hint: "if it came from a backup, run countersignd restore --from-backup"
            )
        }
        return "The store is not older than its journal, but came from a backup."
    }

    func restore(
        _ store: any Database,
        withoutJournal: Bool,
        comparingRows comparesRows: Bool
    ) async throws(CommandFailure) -> Restoration {
        let (path, key) = (configuration.journal, try installation.checkpointKey())
        let clock = try await installation.onServer(
            try await configuration.verifier.clock(of: store)
        )
        let store = KeyedStore(store, keys)
        let restoration = try await installation.onJournal(
            withoutJournal
                ? try await Journal.restore(
                    store,
                    beginningJournalAt: path,
                    signingWith: key,
                    clock: clock,
                    comparingRows: comparesRows,
                    keeping: keep
                )
                : try await Journal.restore(
                    store,
                    journalAt: path,
                    signingWith: key,
                    clock: clock,
                    comparingRows: comparesRows,
                    keeping: keep
                )
        )
        // Opening it adds the audit record of the restore.
        _ = try await installation.openJournal(over: store)
        return restoration
    }

    /// Stores the report, because the restore prints it only once.
    private func keep(_ restoration: Restoration) throws(JournalFailure) {
        guard restoration.needsOperator else { return }
        do throws(FileFailure) {
            let file = try IncompleteFile(replacing: reportPath(of: restoration))
            let report = restoration.report + "\n"
            try file.append(report.utf8.span)
            try file.finish()
        } catch {
            throw .file(error)
        }
    }

    func reportPath(of restoration: Restoration) -> String {
        "\(configuration.journal).restored-\(restoration.epoch.value)"
    }
}
