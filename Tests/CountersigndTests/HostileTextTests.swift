import Foundation
import ProgramTesting
import TestSupport
import Testing

/// Text of a server, a file or an argument that would clear the screen, hide or reorder text.
private let hostile = "a\u{1B}[2J\u{202E}\u{9B}31m\u{2028}z"

extension FinishedProcess {
    /// The characters of the output that a terminal would obey, or that start a line or a direction.
    fileprivate var obeyed: [Unicode.Scalar] {
        (output + errorOutput).unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                scalar != "\n" && scalar != "\t"
            default: false
            }
        }
    }

    /// The hostile text is printed, but only with escapes.
    fileprivate var showsItsEscapes: Bool {
        let text = output + errorOutput
        return text.contains("\\u{1B}[2J\\u{202E}\\u{009B}31m\\u{2028}")
    }
}

@Suite struct `Text of foreign origin reaches the terminal only with escapes` {
    private let premises: Premises

    init() throws {
        premises = try Premises.initialized()
    }

    private func expectNothingObeyed(_ run: FinishedProcess, _ exitCode: Int32) {
        #expect(run.exitCode == exitCode, "\(run)")
        #expect(run.obeyed.isEmpty, "\(run)")
    }

    private func expectEscapes(_ run: FinishedProcess, _ exitCode: Int32) {
        expectNothingObeyed(run, exitCode)
        #expect(run.showsItsEscapes, "\(run)")
    }

    private func person(_ words: String...) throws -> FinishedProcess {
        try FinishedProcess.run(
            "env",
            [BuiltProducts.path(of: "countersign")] + words,
            environment: ["HOME": premises.folder.path, "XDG_CONFIG_HOME": "", "LC_ALL": "C"]
        )
    }

    @Test func `of an argument`() throws {
        expectNothingObeyed(try premises.countersignd(hostile), 64)
        expectNothingObeyed(try person(hostile), 64)
        // An option with digits is not printed: it can be a PIN.
        for option in ["--" + hostile, "--\u{1b}[J"] {
            for run in [
                try premises.countersignd("run", option), try person("accounts", option),
            ] {
                expectNothingObeyed(run, 64)
                let shown = option.hasSuffix("J") ? " --\\u{1B}[J\n" : "\n"
                #expect(run.errorOutput.contains("unknown option\(shown)"), "\(run)")
            }
        }
    }

    @Test func `of the name of a file`() async throws {
        let words = ["load", premises.path(hostile), "--name", "monday"]
        expectEscapes(try premises.countersignd(words), 66)
        expectEscapes(try premises.countersignd("backup", premises.path(hostile)), 0)
        expectEscapes(try premises.countersignd("backup", premises.path(hostile)), 73)
        expectEscapes(try person("push", premises.path(hostile + "1")), 66)
        expectEscapes(try person("selftest", premises.path(hostile + "1")), 66)
        let path = premises.path(hostile + ".json")
        let made = try FinishedProcess.run(
            BuiltProducts.path(of: "countersignd"),
            ["init", "--config", path]
        )
        expectEscapes(made, 0)
    }

    @Test func `of a configuration`() throws {
        let member = #"{"\u001b[2J\u202E\u009B31m\u2028": 1}"#
        try premises.write(member, to: "countersignd.json")
        expectEscapes(try premises.countersignd("run"), 65)
        try FileManager.default.createDirectory(
            atPath: premises.path(".config/countersign"),
            withIntermediateDirectories: true
        )
        try premises.write(member, to: ".config/countersign/countersign.json")
        expectEscapes(try person("accounts"), 65)
    }

    @Test func `of a server`() async throws {
        try await premises.fill(activations: 0)
        let server = try TestServer(nil, ["--relay"])
        try premises.write(premises.token("core", "issuer") + "\n", to: "token")
        let title = #"\u001b[2J\u202E\u009B31m\u2028"#
        let body =
            #"{"type": "urn:countersign:hostile", "code": "hostile", "title": "\#(title)"}"#
        let response =
            "HTTP/1.1 404 No\r\nContent-Type: application/problem+json\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        try server.respond(with: Array(response.utf8))
        let run = try FinishedProcess.run(
            BuiltProducts.path(of: "countersignd"),
            ["account", "show", "bank/main/4711", "--server", "http://127.0.0.1:\(server.port)"]
                + ["--token", premises.path("token")]
        )
        #expect(run.exitCode != 0)
        #expect(run.obeyed.isEmpty && run.showsItsEscapes, "\(run)")
    }

    @Test func `of the store, and JSON stays the same JSON`() async throws {
        try await premises.fill(activations: 1)
        let text = "char(155) || char(8238) || char(917505)"
        #expect(
            try premises.sqlite3("UPDATE audit SET detail = 'x' || \(text) WHERE sequence = 2")
                == ""
        )
        let export = try premises.countersignd("audit", "export")
        #expect(export.exitCode == 1)
        #expect(export.obeyed.isEmpty, "\(export)")
        #expect(export.output.contains(#"x\u009b\u202e\udb40\udc01"#), "\(export.output)")
        let line = try #require(
            export.output.split(separator: "\n").first { $0.contains("u009b") }
        )
        let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(record?["detail"] as? String == "x\u{9B}\u{202E}\u{E0001}")
    }
}
