import CommandLineTool
import Cryptography
import FailureTranslation
import SelfTest

struct SelfTestCommand: Command {
    static let name = "selftest"
    static var summary: String {
        localized(
            "Check the cryptography of this machine with published test vectors.",
            german: "Prüft die Kryptografie dieses Rechners mit veröffentlichten Testwerten."
        )
    }
    static var discussion: String {
        localized(
            """
            Without a file, it runs the built-in vectors: those of the standards for one-time
            passwords, keys and encodings, and malformed input that must be rejected.

            Vectors/README.md describes the file format. One malformed row rejects the whole file.
            Only the project's tests run the files in Vectors/Protocol.
            """,
            german: """
                Ohne Datei prüft der Befehl die eingebauten Testwerte. Sie stammen aus den Normen
                für Einmalcodes, Schlüssel und Kodierungen. Dazu kommen fehlerhafte Eingaben, die er
                zurückweisen muss.

                Vectors/README.md beschreibt das Dateiformat. Ist eine Zeile fehlerhaft, ist die
                ganze Datei ungültig. Nur die Tests des Projekts nutzen die Dateien in
                Vectors/Protocol.
                """
        )
    }

    @Argument(
        help: localized(
            "Vector files to run; - reads standard input.",
            german: "Dateien mit Testwerten; - liest die Standardeingabe."
        )
    )
    private var files: [FilePath]

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

    private init(name: String, bytes: [UInt8]) throws(CommandFailure) {
        self.name = name
        file = try translating(VectorFile(reading: bytes)) { (error: VectorFile.Failure) in
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
