import CommandLineTool
import ConfigurationFiles
import Glibc
import Sealing
import ServerOperation
import Storage
import ThreeDSIssuer
import Transactions

struct BackupCommand: Command {
    static let name = "backup"
    static let summary = "Copy the store to a new file while the ACS is running."
    static let discussion = """
        The copy is verified, and contains no erased data. It does not contain the encryption keys: \
        back them up separately.

        The copy gets its name after it was verified. If the command is killed, the next backup into \
        the same folder removes its incomplete copy: a hidden file whose name ends in .incomplete.

        Exits with 1 if the copy is complete, but countersign-acs audit verify would have findings. \
        Then keep the copy.

        To restore it: stop the ACS, and replace the store with the copy. Cards and challenges are \
        then as they were at the time of the backup. Check the blocked cards.

        Back up a store in PostgreSQL with pg_basebackup or pg_dump.
        """

    @Argument(help: "The file to create.") private var target: FilePath
    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = try Installation(readingFileAt: path)
        guard case .sqlite = installation.store else { throw .notForPostgreSQL }
        // A descriptor with keys can be read only once.
        let keys = try installation.keys()
        let copy = try await copy(of: installation, under: keys)
        // The copy gets its name only afterwards: a killed command leaves no unchecked backup.
        let audit = try await audit(of: copy.path, by: installation, under: keys)
        do throws(StoreFailure) {
            try copy.finish()
        } catch {
            throw CommandFailure(error, of: .copy(target.text))
        }
        try terminal.output.print(
            "Backed up the store to \(target.text.onOneLine), up to record \(audit.records)."
        )
        guard audit.findingCount == 0 else {
            throw CommandFailure(
                .refused,
                "the copy is complete, but its audit has \(counted(audit.findingCount, "finding"))",
                hint: "keep it and all earlier copies; countersign-acs audit verify lists them"
            )
        }
    }

    private func copy(
        of installation: Installation,
        under keys: KeyRing
    ) async throws(CommandFailure) -> UnnamedCopy {
        try await installation.withStore(under: keys) { store throws(CommandFailure) in
            guard let file = store.database as? SQLiteDatabase else { throw .notForPostgreSQL }
            do throws(StoreFailure) {
                return try await file.copy(for: target.text) { _ in }
            } catch .damaged {
                throw CommandFailure(.damaged, of: installation.store.place)
            } catch {
                throw CommandFailure(error, of: .copy(target.text))
            }
        }
    }

    /// Audits the copy, so that users of the store are not slowed down.
    private func audit(
        of path: String,
        by installation: Installation,
        under keys: KeyRing
    ) async throws(CommandFailure) -> StoreAudit {
        let copy = Installation(
            configuration: installation.configuration,
            store: .sqlite(path: path)
        )
        return try await copy.withStore(under: keys) { store throws(CommandFailure) in
            try await copy.onStore { () async throws(StoreFailure) in
                try await store.audit(at: .ofWallClock)
            }
        }
    }
}

extension CommandFailure {
    fileprivate static let notForPostgreSQL = CommandFailure(
        .usage,
        "countersign-acs cannot back up a store in PostgreSQL",
        hint: "use pg_basebackup or pg_dump"
    )
}
