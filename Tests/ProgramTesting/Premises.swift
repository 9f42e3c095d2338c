package import Foundation
package import TestSupport

/// A verifier in a temporary folder, managed by the built program.
package struct Premises: Sendable {
    package let folder: TemporaryFolder

    package struct Failure: Error {
        private let output: String

        package init(output: String) { self.output = output }
    }

    package init() throws {
        folder = try TemporaryFolder()
    }

    /// Premises that `init` created.
    package static func initialized() throws -> Premises {
        let premises = try Premises()
        let result = try premises.countersignd("init")
        guard result.exitCode == 0 else { throw Failure(output: result.errorOutput) }
        return premises
    }

    package func path(_ name: String) -> String { folder.path + "/" + name }

    package var configuration: String { path("countersignd.json") }
    package var store: String { path("store/countersign.db") }

    package func countersignd(_ words: String...) throws -> FinishedProcess {
        try countersignd(words)
    }

    package func countersignd(_ words: [String]) throws -> FinishedProcess {
        try FinishedProcess.run(
            BuiltProducts.path(of: "countersignd"),
            words + ["--config", configuration]
        )
    }

    /// Runs the program on a terminal, where `keys` are typed; returns the whole screen output.
    package func onTerminal(
        _ words: String,
        columns: Int = 200,
        typing keys: String = ""
    ) throws -> FinishedProcess {
        let program = BuiltProducts.path(of: "countersignd")
        let command = "stty columns \(columns); \(program) \(words) --config \(configuration)"
        return try FinishedProcess.run(
            "script",
            ["-qec", command, "/dev/null"],
            input: Array(keys.utf8)
        )
    }

    package func write(_ text: String, to name: String) throws {
        let path = try folder.write(text, to: name)
        guard chmod(path, 0o600) == 0 else { throw Failure(output: "chmod \(path)") }
    }

    package func contents(_ name: String) throws -> Data {
        try Data(contentsOf: URL(filePath: path(name)))
    }

    /// All files, by their path in the folder.
    package func files() throws -> [String] {
        let found = try FinishedProcess.run(
            "find",
            [folder.path, "-type", "f", "-printf", "%P\\n"]
        )
        return found.output.split(separator: "\n").map(String.init).sorted()
    }

    package func copy(_ source: String, to target: String) throws {
        let files = FileManager.default
        if files.fileExists(atPath: path(target)) { try files.removeItem(atPath: path(target)) }
        try files.copyItem(atPath: path(source), toPath: path(target))
    }

    package func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: path(name))
    }

    /// Replaces the store with a backup.
    package func putBack(_ backup: String) throws {
        for suffix in ["-wal", "-shm"] { unlink(store + suffix) }
        try copy(backup, to: "store/countersign.db")
    }

    /// The output of the sqlite3 program for these statements.
    @discardableResult
    package func sqlite3(_ statement: String, in file: String = "store/countersign.db") throws
        -> String
    {
        // A running verifier may hold the store for a moment.
        let process = try FinishedProcess.run(
            "sqlite3",
            ["-cmd", ".timeout 60000", path(file), statement]
        )
        return (process.output + process.errorOutput).trimmingCharacters(in: .newlines)
    }
}
