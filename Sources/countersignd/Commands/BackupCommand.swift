import CommandLineTool
import Verifier

/// Copies a store while decisions go on.
struct BackupCommand: Command {
    static let name = "backup"
    static let summary = "Copy the store to a new file, while decisions go on."
    static let discussion = """
        The copy is checked, and holds nothing that was erased. It does not hold the keys: back
        them up apart.

        To go back to it: stop the verifier, put the copy in the place of the store, and run
        countersignd restore.

        A store in PostgreSQL is backed up by PostgreSQL's own tools, pg_basebackup or pg_dump.
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
        let last = try await installation.withCheckedStore { store throws(CommandFailure) in
            guard let file = store as? SQLiteDatabase else { throw .notForPostgreSQL }
            let last = try await installation.state(of: store).audit.sequence
            do throws(StoreFailure) {
                try await file.backUp(to: copy)
            } catch .damaged {
                throw CommandFailure(.damaged, of: installation.storePart)
            } catch {
                throw CommandFailure(error, of: .newFile(copy))
            }
            return last
        }
        try terminal.output.print("Backed up the store to \(copy), up to record \(last) at least.")
    }
}

extension CommandFailure {
    fileprivate static let notForPostgreSQL = CommandFailure(
        .usage,
        "a store in PostgreSQL is backed up by PostgreSQL's own tools",
        hint: "use pg_basebackup with its archive, or pg_dump; then countersignd restore as ever"
    )
}
