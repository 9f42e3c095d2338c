import CommandLineTool
import Verifier

/// Writes the audit trail out, for other programs.
struct AuditExportCommand: Command {
    static let name = "audit export"
    static let summary = "Write the audit trail as JSON, one record a line."
    static let discussion = """
        The last record's number is where the next export can begin:

            countersignd audit export --after 120000 --output /srv/audit/120001.jsonl

        A file is its owner's alone, and there once it is whole.

        Ends with 1 where the trail is broken or cut off. What can be read of it is written all the
        same, from both sides of the break.
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
    static let parameters: [any Parameter] = [after, output, Configuration.option]

    private let path: String
    private let after: UInt64
    private let outputPath: String?

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        path = try Configuration.path(in: arguments)
        after = try arguments[Self.after] ?? 0
        outputPath = try arguments[Self.output]?.text
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = Installation(configuration: try Configuration(readingFileAt: path))
        let broken = try await installation.withCheckedStore(evenIfBroken: true) {
            store throws(CommandFailure) in
            guard let outputPath else {
                return try await export(store, of: installation) { lines throws(CommandFailure) in
                    try terminal.output.write(String(decoding: lines, as: UTF8.self))
                }
            }
            return try await export(store, of: installation, to: outputPath)
        }
        guard let broken else { return }
        throw CommandFailure(
            .refused,
            "the trail is broken at record \(broken); what can be read of it is exported",
            hint: "countersignd audit verify says what is wrong with it"
        )
    }

    private func export(
        _ store: any Database,
        of installation: Installation,
        to path: String
    ) async throws(CommandFailure) -> UInt64? {
        let file = try onFile(path) { () throws(StoreFailure) in try IncompleteFile(for: path) }
        let broken = try await export(store, of: installation) { lines throws(CommandFailure) in
            try onFile(path) { () throws(StoreFailure) in try file.append(lines) }
        }
        try onFile(path) { () throws(StoreFailure) in try file.finish() }
        return broken
    }

    private func export(
        _ store: any Database,
        of installation: Installation,
        _ write: ([UInt8]) throws(CommandFailure) -> Void
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
