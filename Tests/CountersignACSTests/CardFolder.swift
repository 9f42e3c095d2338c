import Foundation
import TestSupport
import Testing

/// An ACS with its store, and the marker card number of the tests.
struct CardFolder {
    /// A Luhn number in the only range of the sample configuration.
    static let marker = "4000001234567899"
    /// More cards of the range, each with its check digit.
    static let others = ["4000001111111118", "4000002222222224", "4000003333333330"]

    /// A number of the range with its check digit, which the judge computes.
    static func number(_ index: Int) -> String {
        let body = "400000" + String(String(1_000_000_000 + index).dropFirst())
        let sum = body.reversed().enumerated().reduce(0) { sum, digit in
            let value = digit.element.wholeNumberValue ?? 0
            return sum + (digit.offset % 2 == 0 ? [0, 2, 4, 6, 8, 1, 3, 5, 7, 9][value] : value)
        }
        return body + String((10 - sum % 10) % 10)
    }

    let acs: ACSFolder

    /// The files of an ACS that exists.
    init(of acs: ACSFolder) { self.acs = acs }

    init(_ configuration: String = SampleConfiguration.text) throws {
        acs = try ACSFolder(configuration: configuration)
        let made = try acs.run("init")
        try #require(made.exitCode == 0, "\(made.errorOutput)")
    }

    func run(_ words: String...) throws -> FinishedProcess {
        try FinishedProcess.run(
            ACSFolder.program,
            words + ["--config", acs.configuration],
            environment: ["LC_ALL": "C"]
        )
    }

    /// Runs `card add` with the number on descriptor 3.
    func add(
        _ number: String = marker,
        to account: String = "bank/main/4711",
        options: String = ""
    ) throws -> FinishedProcess {
        // The number reaches the shell as its input, not as an argument.
        try FinishedProcess.run(
            "sh",
            ["-ec", "exec $0 card add \(account) --card-fd 3 \(options) --config $1 3<&0"]
                + [ACSFolder.program, acs.configuration],
            input: Array((number + "\n").utf8)
        )
    }

    /// Adds a card, and returns its reference.
    func reference(_ number: String = marker, _ account: String = "bank/main/4711") throws -> String
    {
        let added = try add(number, to: account)
        try #require(added.exitCode == 0, "\(added.errorOutput)")
        return String(try #require(added.output.firstMatch(of: /Reference\t([0-9a-f]{16})\n/)?.1))
    }

    /// Changes the database as an attacker who can write to its file.
    func attack(_ sql: String) throws {
        let program = """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1])
            database.executescript(sys.argv[2])
            database.commit()
            """
        let run = try FinishedProcess.run("python3", ["-c", program, acs.path("acs.db"), sql])
        try #require(run.exitCode == 0, "\(run.errorOutput)")
    }

    /// Has the content of a card state another version of its key.
    func write(keyVersion version: UInt8, intoCard reference: String) throws {
        let row = "WHERE reference = '\(reference)'"
        let rest = try value("SELECT hex(substr(sealed, 6)) FROM cards \(row)")
        let number = String(String(256 + Int(version), radix: 16).dropFirst())
        try attack("UPDATE cards SET sealed = x'01000000\(number)\(rest)' \(row)")
    }

    /// The only value of a query.
    func value(_ sql: String) throws -> String {
        let program = """
            import sqlite3, sys
            print(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone()[0])
            """
        let run = try FinishedProcess.run("python3", ["-c", program, acs.path("acs.db"), sql])
        try #require(run.exitCode == 0, "\(run.errorOutput)")
        return run.output.trimmingCharacters(in: .newlines)
    }

    /// The files of the folder that contain the text; `grep` reads them as bytes.
    func files(with text: String) throws -> String {
        try FinishedProcess.run("grep", ["-rlaF", "--", text, acs.path("")]).output
    }
}

extension FinishedProcess {
    /// Expects a failure with its exit code, its message and perhaps its hint.
    func expectFailure(
        _ exitCode: Int32,
        _ message: String,
        hint: String? = nil,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let lines =
            "countersign-acs: \(message)\n" + (hint.map { "hint: \($0)\n" } ?? "")
        #expect(self.exitCode == exitCode, sourceLocation: location)
        #expect(errorOutput == lines, sourceLocation: location)
        #expect(output == "", sourceLocation: location)
    }
}
