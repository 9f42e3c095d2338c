package import CommandLineTool
import Cryptography
import FailureTranslation

/// The command of a program that checks the cryptography of its machine.
package protocol SelfTesting: Command {
    static var vectors: VectorSet { get }
    /// The files to run; if it is empty, the files of `vectors`.
    var files: [FilePath] { get }
}

extension SelfTesting {
    package static var name: String { "selftest" }

    package func run(on terminal: Terminal) async throws(CommandFailure) {
        // Reads all files first: a malformed file must not end the report in the middle.
        let suites =
            try files.isEmpty
            ? Suite.all(in: Self.vectors) : Suite.read(files, in: Self.vectors)
        var (count, failed) = (0, 0)
        for suite in suites {
            let failedRows = try await suite.failedRows()
            count += suite.file.rows.count
            failed += failedRows.count
            try terminal.output.print(suite.report(failedRows))
        }
        try terminal.output.print(tally(of: count, failed: failed))
        if failed > 0 {
            throw CommandFailure(
                .refused,
                localized("the self-test failed", german: "der Selbsttest ist misslungen")
            )
        }
    }
}

/// A vector file and its name in the report.
private struct Suite {
    let name: String
    let file: VectorFile

    private init(name: String, _ bytes: [UInt8], in vectors: VectorSet) throws(CommandFailure) {
        self.name = name
        file = try translating(vectors.read(bytes)) { (error: VectorFile.Failure) in
            let place = error.row.map { "\(name), \(rowLabel($0))" } ?? name
            // The reason is for the author of the file, as the file format is: in English.
            return CommandFailure(.malformedInput, "\(place): \(error.reason)")
                .suggesting(
                    localized(
                        "Vectors/README.md describes the format",
                        german: "Vectors/README.md beschreibt das Format"
                    )
                )
        }
    }

    static func all(in vectors: VectorSet) throws(CommandFailure) -> [Suite] {
        try vectors.files.map { name, bytes throws(CommandFailure) in
            try Suite(name: name, bytes, in: vectors)
        }
    }

    static func read(
        _ paths: [FilePath],
        in vectors: VectorSet
    ) throws(CommandFailure) -> [Suite] {
        try paths.map { path throws(CommandFailure) in
            try Suite(name: path.shownName, try path.contents(atMost: 4 << 20), in: vectors)
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
        let rows = failedRows.prefix(10).map(rowLabel) + (failedRows.count > 10 ? ["…"] : [])
        let failures = rows.isEmpty ? "" : ": " + rows.joined(separator: ", ")
        return "\(name): \(tally)\(failures)"
    }
}

private func tally(of count: Int, failed: Int) -> String {
    localized(
        "\(count - failed) passed, \(failed) failed",
        german: "\(count - failed) bestanden, \(failed) misslungen"
    )
}

private func rowLabel(_ row: Int) -> String {
    localized("row \(row)", german: "Zeile \(row)")
}
