import CommandLineTool
import Cryptography
import FailureTranslation
import SelfTest

struct SelfTestCommand: Command {
    static let name = "selftest"
    static let summary = "Check the cryptography of this machine with published test vectors."
    static let discussion = """
        Without a file, it runs the built-in vectors: those of the standards for one-time passwords,
        keys and encodings, and malformed input that must be rejected.

        Vectors/README.md describes the file format. One malformed row rejects the whole file.
        Only the project's tests run the files in Vectors/Protocol.
        """

    @Argument(help: "Vector files to run; - reads standard input.") private var files: [FilePath]

    func run(on terminal: Terminal) async throws(CommandFailure) {
        // Reads all files first: a malformed file must not end the report in the middle.
        let suites = try files.isEmpty ? Suite.builtIn() : Suite.read(files)
        var (count, failed) = (0, 0)
        for suite in suites {
            let failedRows = try await suite.failedRows()
            count += suite.file.rows.count
            failed += failedRows.count
            try terminal.output.print(suite.report(failedRows))
        }
        try terminal.output.print(tally(of: count, failed: failed))
        if failed > 0 { throw CommandFailure(.refused, "the self-test failed") }
    }
}

/// A vector file and its name in the report.
private struct Suite {
    let name: String
    let file: VectorFile

    private init(name: String, bytes: [UInt8]) throws(CommandFailure) {
        self.name = name
        file = try translating(VectorFile(reading: bytes)) { (error: VectorFile.Failure) in
            let place = error.row.map { "\(name), row \($0)" } ?? name
            return CommandFailure(.malformedInput, "\(place): \(error.reason)")
                .suggesting("Vectors/README.md describes the format")
        }
    }

    static func builtIn() throws(CommandFailure) -> [Suite] {
        try VectorFile.builtIn.map { name, bytes throws(CommandFailure) in
            try Suite(name: name, bytes: bytes)
        }
    }

    static func read(_ paths: [FilePath]) throws(CommandFailure) -> [Suite] {
        try paths.map { path throws(CommandFailure) in
            try Suite(name: path.shownName, bytes: try path.contents(atMost: 4 << 20))
        }
    }

    func failedRows() async throws(CommandFailure) -> [Int] {
        var failed: [Int] = []
        do throws(SystemFailure) {
            for row in file.rows where try await !file.passes(row: row) { failed.append(row) }
        } catch {
            throw CommandFailure(error)
        }
        return failed
    }

    func report(_ failedRows: [Int]) -> String {
        let tally = tally(of: file.rows.count, failed: failedRows.count)
        let rows = failedRows.prefix(10).map { "row \($0)" } + (failedRows.count > 10 ? ["…"] : [])
        let failures = rows.isEmpty ? "" : ": " + rows.joined(separator: ", ")
        return "\(name): \(tally)\(failures)"
    }
}

private func tally(of count: Int, failed: Int) -> String {
    "\(count - failed) passed, \(failed) failed"
}
