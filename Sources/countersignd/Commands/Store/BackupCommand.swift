import CommandLineTool
import Verification

/// Copies a store while decisions go on.
struct BackupCommand: Command {
    static let name = "backup"
    static let summary = "Copy the store to a new file, while decisions go on."
    static let discussion = """
        The copy is checked, and holds nothing that was erased. It does not hold the keys: back
        them up apart.

        Ends with 1 where the copy is made, but the audit trail in it is broken: all that there is
        is in the copy, but somebody may have changed it. countersignd audit verify says what.

        To go back to it: stop the verifier, put the copy in the place of the store, and run
        countersignd restore.

        A store in PostgreSQL is backed up by PostgreSQL's own tools, pg_basebackup or pg_dump.

        \(Installation.storeAlone)
        """

    static let copy = Argument<FilePath>(help: "The file to make.")
    static let parameters: [any Parameter] = [copy, Configuration.option]

    private let path: String
    private let copy: String

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        path = try Configuration.path(in: arguments)
        copy = try arguments[Self.copy].text
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let configuration = try Configuration(readingFileAt: path)
        let installation = Installation(configuration: configuration)
        guard case .sqlite = configuration.store else { throw .notForPostgreSQL }
        try await installation.withCheckedStore { store throws(CommandFailure) in
            guard let file = store as? SQLiteDatabase else { throw .notForPostgreSQL }
            do throws(StoreFailure) {
                try await file.backUp(to: copy)
            } catch .damaged {
                throw CommandFailure(.damaged, of: installation.storePart)
            } catch {
                throw CommandFailure(error, of: .newFile(copy))
            }
        }
        let (last, faults) = try await installation.ofCopy(at: copy).trail(on: terminal)
        try terminal.output.print("Backed up the store to \(copy), up to record \(last).")
        guard faults == 0 else {
            throw CommandFailure(
                .refused,
                "the copy is made, but the audit finds \(counted(faults, "fault")) in it",
                hint: "keep it, and the copies from before; countersignd audit verify says more"
            )
        }
    }
}

extension Installation {
    /// The same verifier, with a copy in the place of its store.
    fileprivate func ofCopy(at path: String) -> Installation {
        var configuration = configuration
        configuration.store = .sqlite(path: path)
        return Installation(configuration: configuration)
    }

    /// Where the trail of a copy ends, and how many faults it has: all of it is read, which holds up
    /// nobody who uses the store.
    fileprivate func trail(
        on terminal: Terminal
    ) async throws(CommandFailure) -> (last: UInt64, faults: Int) {
        try await withStore { store throws(CommandFailure) in
            let report = try await audit(store, on: terminal)
            // That it is a copy is as it must be.
            let faults = report.findings.count { $0.fault != .unrestored }
            return (try await state(of: store).audit.sequence, faults)
        }
    }
}

extension CommandFailure {
    fileprivate static let notForPostgreSQL = CommandFailure(
        .usage,
        "a store in PostgreSQL is backed up by PostgreSQL's own tools",
        hint: "use pg_basebackup with its archive, or pg_dump; then countersignd restore as ever"
    )
}
