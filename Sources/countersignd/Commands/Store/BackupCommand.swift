import CommandLineTool
import ConfigurationFiles
import Storage
import Verification
import VerifierServer

struct BackupCommand: Command {
    static let name = "backup"
    static let summary = "Copy the store to a new file while the verifier is running."
    static let discussion = """
        The copy is verified, and contains no erased data. It does not contain the keys: back them \
        up separately.

        The copy gets its name after it was verified. If the command is killed, the next backup into \
        the same folder removes its incomplete copy: a hidden file whose name ends in .incomplete.

        Exits with 1 if the copy is complete but its audit trail is broken. Then keep the copy, and \
        run countersignd audit verify. If the journal contradicts the store, or the trail has a wrong \
        end, no copy is made.

        To restore it: stop the verifier, replace the store with the copy, and run countersignd \
        restore.

        Back up a store in PostgreSQL with pg_basebackup or pg_dump.

        \(Installation.storeOnly)
        """

    @Argument(help: "The file to create.") private var target: FilePath
    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let configuration = try Configuration(readingFileAt: path)
        let installation = Installation(configuration: configuration)
        guard case .sqlite = configuration.store else { throw .notForPostgreSQL }
        let copy = try await backUp(installation)
        // The copy gets its name only afterwards: a killed command leaves no unchecked backup.
        let (last, findings) = try await installation.ofCopy(at: copy.path).trail(on: terminal)
        do throws(StoreFailure) {
            try copy.finish()
        } catch {
            throw CommandFailure(error, of: .copy(target.text))
        }
        try terminal.output.print(
            "Backed up the store to \(target.text.onOneLine), up to record \(last)."
        )
        guard findings == 0 else {
            throw CommandFailure(
                .refused,
                "the copy is complete, but its audit has \(counted(findings, "finding"))",
                hint: "keep it and all earlier copies; countersignd audit verify lists the findings"
            )
        }
    }

    private func backUp(
        _ installation: Installation
    ) async throws(CommandFailure) -> UnnamedCopy {
        try await installation.withCheckedStore { store throws(CommandFailure) in
            guard let file = store as? SQLiteDatabase else { throw .notForPostgreSQL }
            do throws(StoreFailure) {
                return try await file.backup(for: target.text)
            } catch .damaged {
                throw CommandFailure(.damaged, of: installation.storePlace)
            } catch {
                throw CommandFailure(error, of: .copy(target.text))
            }
        }
    }
}

extension Installation {
    /// The same verifier with a copy of its store.
    fileprivate func ofCopy(at path: String) -> Installation {
        var configuration = configuration
        configuration.store = .sqlite(path: path)
        return Installation(configuration: configuration)
    }

    /// The last record of a copy's trail, and the number of its findings.
    ///
    /// The audit reads the copy, so it does not slow down users of the store.
    fileprivate func trail(
        on terminal: Terminal
    ) async throws(CommandFailure) -> (last: UInt64, findings: Int) {
        try await withStore { store throws(CommandFailure) in
            let report = try await audit(KeyedStore(store, availableKeys()), on: terminal)
            // The mark of a copy is not a finding here.
            let listed = report.findings.count { $0.kind != .unrestored }
            return (try await state(of: store).audit.sequence, listed + report.furtherCount)
        }
    }
}

extension CommandFailure {
    fileprivate static let notForPostgreSQL = CommandFailure(
        .usage,
        "countersignd cannot back up a store in PostgreSQL",
        hint: "use pg_basebackup or pg_dump; after you put it back, run countersignd restore "
            + "--from-backup on every verifier"
    )
}
