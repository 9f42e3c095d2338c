import CommandLineTool
import Verification

/// Writes the audit trail out, for other programs.
struct AuditExportCommand: Command {
    static let name = "audit export"
    static let summary = "Write the audit trail as JSON, one record a line."
    static let discussion = """
        The last record's number is where the next export can begin:

            countersignd audit export --after 120000 --output /srv/audit/120001.jsonl

        A file is its owner's alone, and there once it is whole.

        Ends with 1 where the trail is broken or cut off. What can be read of it is written all the
        same, from both sides of the break. Over the network only who reads it finds a break.

        \(APIEndpoint.discussion) The token is an auditor's, for all enterprises.
        """

    static let after = Option<UInt64?>(
        "after",
        help: "The record to begin after; without it, from the first."
    )
    static let output = Option<FilePath?>(
        "output",
        short: "o",
        help: "The file to make, instead of writing to standard output."
    )
    static let parameters: [any Parameter] = [after, output] + APIEndpoint.parameters

    private typealias Write = RemoteTrail.Write

    private let way: APIEndpoint
    private let after: UInt64
    private let outputPath: String?

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        way = try APIEndpoint(arguments)
        after = try arguments[Self.after] ?? 0
        outputPath = try arguments[Self.output]?.text
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        try way.tell(on: terminal)
        guard let broken = try await export(on: terminal) else { return }
        throw CommandFailure(
            .refused,
            "the trail is broken at record \(broken); what can be read of it is exported",
            hint: "countersignd audit verify says what is wrong with it"
        )
    }

    /// Gives the record at which the trail is broken.
    private func export(on terminal: Terminal) async throws(CommandFailure) -> UInt64? {
        guard let path = outputPath else {
            return try await export { lines throws(CommandFailure) in
                try terminal.output.write(String(decoding: lines, as: UTF8.self))
            }
        }
        let file = try onFile(path) { () throws(StoreFailure) in try IncompleteFile(for: path) }
        let broken = try await export { lines throws(CommandFailure) in
            try onFile(path) { () throws(StoreFailure) in try file.append(lines) }
        }
        try onFile(path) { () throws(StoreFailure) in try file.finish() }
        return broken
    }

    private func export(_ write: Write) async throws(CommandFailure) -> UInt64? {
        switch way {
        case .server(let verifier):
            try await export(RemoteTrail(connection: try verifier.connection()), write)
            return nil
        case .store(let path):
            let installation = Installation(configuration: try Configuration(readingFileAt: path))
            return try await installation.withCheckedStore(evenIfBroken: true) {
                store throws(CommandFailure) in
                try await export(store, of: installation, write)
            }
        }
    }

    private func export(_ trail: RemoteTrail, _ write: Write) async throws(CommandFailure) {
        var last = after
        do throws(CommandFailure) {
            try await trail.export(after: &last, write)
        } catch {
            // A file that is not whole is not kept.
            guard outputPath == nil, last > after else { throw error }
            let rest = "--after \(last) goes on from there"
            let hint = error.hint.map { "\($0); \(rest)" } ?? rest
            throw CommandFailure(error.exitCode, error.message, hint: hint)
        }
    }

    private func export(
        _ store: any Database,
        of installation: Installation,
        _ write: Write
    ) async throws(CommandFailure) -> UInt64? {
        var export = try await installation.onStore { () throws(StoreFailure) in
            try await AuditExport(of: store, after: after)
        }
        while let lines = try await installation.onStore({ () throws(StoreFailure) in
            try await export.next()
        }) {
            try write(lines)
        }
        return export.firstBroken
    }

    private func onFile<Outcome>(
        _ path: String,
        _ body: () throws(StoreFailure) -> Outcome
    ) throws(CommandFailure) -> Outcome {
        do throws(StoreFailure) {
            return try body()
        } catch {
            throw CommandFailure(error, of: .newFile(path))
        }
    }
}
