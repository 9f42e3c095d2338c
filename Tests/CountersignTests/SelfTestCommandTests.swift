import Foundation
import TestSupport
import Testing

/// The built program, as a process.
@Suite struct `countersign selftest` {
    static let good = #"""
        {"type": "hotp", "source": "RFC 4226", "cases": [{"key_hex":
        "3132333435363738393031323334353637383930", "counter": "0", "digits": 6,
        "algorithm": "SHA1", "otp": "755224"}]}
        """#
    static let wrong = good.replacingOccurrences(of: "755224", with: "055224")

    @Test func `passes all built-in vectors, with one line per suite`() throws {
        let selfTest = try countersign()
        let lines = selfTest.output.split(separator: "\n")
        #expect(selfTest.exitCode == 0)
        #expect(selfTest.errorOutput.isEmpty)
        #expect(lines.contains("rfc4226-hotp.json: 10 passed, 0 failed"))
        #expect(lines.contains("rfc6287-ocra.json: 70 passed, 0 failed"))
        #expect(lines.last == "\(try caseCount()) passed, 0 failed")
    }

    @Test func `reads only the given files`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Self.good, to: "good.json")
        let selfTest = try countersign(path)
        #expect(selfTest.output == "\(path): 1 passed, 0 failed\n1 passed, 0 failed\n")
        #expect(selfTest.exitCode == 0)
    }

    @Test func `exits with 1 if a row fails, and names it`() throws {
        let selfTest = try countersign("-", input: Self.wrong)
        #expect(
            selfTest.output == "standard input: 0 passed, 1 failed: row 1\n0 passed, 1 failed\n"
        )
        #expect(selfTest.errorOutput == "countersign: the self-test failed\n")
        #expect(selfTest.exitCode == 1)
    }

    @Test func `reports in German by the locale`() throws {
        let wrong = try countersign("-", input: Self.wrong, locale: "de_DE.UTF-8")
        let report = "0 bestanden, 1 misslungen"
        #expect(wrong.output == "Standardeingabe: \(report): Zeile 1\n\(report)\n")
        #expect(wrong.errorOutput == "countersign: der Selbsttest ist misslungen\n")
        #expect(wrong.exitCode == 1)
        let malformed = try countersign("-", input: "{}", locale: "de_DE.UTF-8")
        #expect(
            malformed.errorOutput.hasSuffix("Hinweis: Vectors/README.md beschreibt das Format\n")
        )
        #expect(malformed.exitCode == 65)
    }

    @Test func `exits with 65 for a malformed file, names the row and runs nothing`() throws {
        let folder = try TemporaryFolder()
        let good = try folder.write(Self.good, to: "good.json")
        let bad = try folder.write(
            Self.good.replacingOccurrences(of: "\"digits\": 6", with: "\"digits\": \"6\""),
            to: "bad.json"
        )
        let selfTest = try countersign(good, bad)
        #expect(selfTest.output.isEmpty)
        #expect(
            selfTest.errorOutput
                == "countersign: \(bad), row 1: the field \"digits\" has the wrong kind\n"
                + "hint: Vectors/README.md describes the format\n"
        )
        #expect(selfTest.exitCode == 65)
    }

    @Test(arguments: [("/nonexistent", 66), ("/dev/zero", 65), ("/", 74)])
    func `rejects an unreadable file`(path: String, exitCode: Int32) throws {
        let selfTest = try countersign(path)
        #expect(selfTest.exitCode == exitCode)
        #expect(selfTest.errorOutput.hasPrefix("countersign: "))
        #expect(selfTest.output.isEmpty)
    }

    @Test func `reports a machine that cannot lock memory`() throws {
        let program = BuiltProducts.path(of: "countersign")
        let selfTest = try FinishedProcess.run(
            "sh",
            ["-c", "ulimit -l 16 && exec \(program) selftest"]
        )
        #expect(selfTest.exitCode == 70)
        #expect(
            selfTest.errorOutput == """
                countersign: cannot lock memory for secrets
                hint: raise the limit that `ulimit -l` shows to 64 KiB or more

                """
        )
        #expect(selfTest.output.isEmpty)
    }

    @Test func `escapes control characters in a file name`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            Self.wrong,
            to: "a\u{1B}[31m\n553 passed, 0 failed\u{202E}.json"
        )
        let selfTest = try countersign(path)
        #expect(selfTest.exitCode == 1)
        #expect(!selfTest.output.contains("\u{1B}") && !selfTest.output.contains("\u{202E}"))
        #expect(selfTest.output.split(separator: "\n").count == 2)
    }

    @Test func `rejects deeply nested values at once`() throws {
        let nested =
            String(repeating: #"{"a":"#, count: 100) + "1" + String(repeating: "}", count: 100)
        let rows = Array(
            repeating: #"{"text": "", "bytes_hex": "", "comment": \#(nested)}"#,
            count: 100
        )
        let file = #"{"type": "base32", "source": "", "cases": [\#(rows.joined(separator: ","))]}"#
        let selfTest = try countersign("-", input: file)
        #expect(selfTest.exitCode == 65)
        #expect(selfTest.errorOutput.contains(" it is too large or too deep\n"))
    }

    @Test func `SEC-26 leaves no core dump`() throws {
        let folder = try TemporaryFolder()
        // Reads the limits of the program while it waits for its input.
        let script = """
            ulimit -c $(ulimit -Hc) && cd \(folder.path) && mkfifo input || exit
            \(BuiltProducts.path(of: "countersign")) selftest - <input >/dev/null 2>&1 &
            exec 3>input

            until grep -Eq '^Max core file size +0 +0 ' /proc/$!/limits; do :; done
            """
        let watching = try FinishedProcess.run("timeout", ["20", "sh", "-c", script])
        #expect(watching.exitCode == 0)
    }

    // A sanitizer reports a crash itself.
    @Test(.needsPlainMemory)
    func `SEC-26 prints no memory when it crashes`() throws {
        let program = BuiltProducts.path(of: "countersign")
        // The program sets this limit last before it starts its work.
        let script = """
            ulimit -c $(ulimit -Hc) && cd "$(mktemp -d)" && mkfifo input || exit
            \(program) selftest - <input >output 2>&1 &
            exec 3>input

            until grep -Eq '^Max core file size +0 +0 ' /proc/$!/limits; do :; done
            kill -SEGV $!; wait $!; echo "ended with $?"; cat output; rm -r "$PWD"
            """
        let crashed = try FinishedProcess.run(
            "timeout",
            ["20", "bash", "-c", script],
            environment: ["SWIFT_BACKTRACE": "enable=yes,color=no"]
        )
        #expect(crashed.output == "ended with 139\n", "\(crashed.errorOutput)")
    }

    @Test(arguments: [">&-", "2>&- >&-", "<&- >&-"])
    func `prints nothing for an ambiguous command line`(_ closed: String) throws {
        let program = BuiltProducts.path(of: "countersign")
        let run = try FinishedProcess.run("sh", ["-c", "\(program) selftest \(closed)"])
        #expect(run.exitCode == 74)
    }

    @Test func `rejects an argument that is not UTF-8`() throws {
        let program = BuiltProducts.path(of: "countersign")
        let line = "\(program) login --sign \"$(printf 'a\\377')\""
        let refused = try FinishedProcess.run("bash", ["-c", line])
        #expect(refused.exitCode == 64)
        #expect(refused.errorOutput == "countersign: an argument is not UTF-8\n")
    }

    private func countersign(
        _ files: String...,
        input: String = "",
        locale: String = "C"
    ) throws -> FinishedProcess {
        try FinishedProcess.run(
            BuiltProducts.path(of: "countersign"),
            ["selftest"] + files,
            input: Array(input.utf8),
            environment: ["LC_ALL": locale]
        )
    }

    /// The rows are counted in the files, not by the program.
    private func caseCount() throws -> Int {
        let folder = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Vectors")
            .standardized
        let files = try FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: nil
        )
        return try files.filter { $0.pathExtension == "json" }.reduce(0) { count, file in
            let document = try JSONSerialization.jsonObject(with: try Data(contentsOf: file))
            let cases = (document as? [String: Any])?["cases"] as? [Any]
            return count + (try #require(cases)).count
        }
    }
}
