import Foundation
import ProgramTesting
import TestSupport
import Testing

/// The article for a bank's engineer, typed into one shell from its first line to its last.
@Suite struct `The walk-through with curl` {
    private let article: WalkThrough

    init() throws {
        let path = URL(filePath: #filePath).appending(
            path: "../../../Sources/VerifierServer/VerifierServer.docc/AskForAnApproval.md"
        )
        article = WalkThrough(try String(contentsOf: path.standardized, encoding: .utf8))
    }

    @Test(.timeLimit(.minutes(5)))
    func `prints what it says, command by command`() throws {
        let folder = try TemporaryFolder()
        let programs = URL(filePath: BuiltProducts.path(of: "countersignd"))
            .deletingLastPathComponent().path
        let places = [
            "127.0.0.1:8080": "127.0.0.1:\(try freePort())",
            "127.0.0.1:8081": "127.0.0.1:\(try freePort())",
            "127.0.0.1:8090": "127.0.0.1:\(try freePort())",
        ]
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let run = try FinishedProcess.run(
            "timeout",
            ["-s", "KILL", "100", "bash", "-c", article.script(at: places)],
            environment: [
                "HOME": folder.path, "PATH": "\(programs):\(path)", "no_proxy": "127.0.0.1",
                "SWIFT_BACKTRACE": "enable=no",
            ]
        )
        let printed = article.outputs(in: run.output, from: places)
        try #require(article.steps.count > 20)
        for (number, step) in article.steps.enumerated() {
            let said = try #require(number < printed.count ? printed[number] : nil, "\(step)")
            #expect(said.status == 0, "\(step.commands)\n\(said.text)")
            #expect(
                WalkThrough.comparable(said.text) == WalkThrough.comparable(step.output),
                "\(step.commands)"
            )
        }
    }

    @Test func `would be found to say something else`() {
        let time = #"{"state":"pending","created":1795350407243}"#
        let later = #"{ "created": 1795350999999, "state": "pending" }"#
        let other = #"{"state":"approved","created":1795350407243}"#
        #expect(WalkThrough.comparable(time) == WalkThrough.comparable(later))
        #expect(WalkThrough.comparable(time) != WalkThrough.comparable(other))
        #expect(WalkThrough.comparable("47.11 EUR") != WalkThrough.comparable("47.12 EUR"))
    }
}

/// Blocks of commands, each with the block of what they print behind it, if they print anything.
private struct WalkThrough {
    struct Step {
        let commands: String
        var output = ""
    }

    private(set) var steps: [Step] = []

    private static let mark = "\u{1E}"

    init(_ article: String) {
        for block in article.matches(of: /(?ms)^```([a-z]+)\n(.*?)^```$/) {
            if block.1 == "sh" {
                steps.append(Step(commands: String(block.2)))
            } else if let last = steps.indices.last {
                steps[last].output = String(block.2)
            }
        }
    }

    /// All of them for one shell, which tells where each ends and how.
    func script(at places: [String: String]) -> String {
        let head = """
            exec 2>&1
            trap 'for job in $(jobs -p); do kill "$job"; done 2>/dev/null' EXIT
            unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME
            cd

            """
        return steps.reduce(into: head) { script, step in
            let commands = places.reduce(step.commands) { $0.replacing($1.key, with: $1.value) }
            script += commands + "printf '\(Self.mark)%d\(Self.mark)' $?\n"
        }
    }

    func outputs(
        in output: String,
        from places: [String: String]
    ) -> [(text: String, status: Int?)] {
        let text = places.reduce(output) { $0.replacing($1.value, with: $1.key) }
        let parts = text.split(separator: Self.mark, omittingEmptySubsequences: false)
        return stride(from: 0, to: parts.count - 1, by: 2).map {
            (String(parts[$0]), Int(parts[$0 + 1]))
        }
    }

    /// What is the same each time: JSON by its meaning, and nothing of times, keys, ids and codes but
    /// where they stand.
    static func comparable(_ text: String) -> String {
        var text = text.trimmingCharacters(in: .newlines)
        if let value = try? JSONSerialization.jsonObject(with: Data(text.utf8)),
            let bytes = try? JSONSerialization.data(withJSONObject: value, options: .sortedKeys)
        {
            // What is no JSON is compared as text.
            text = String(decoding: bytes, as: UTF8.self)
        }
        return text.replacing(/[A-Za-z0-9_-]{87}/, with: "KEY")
            .replacing(/[0-9a-f]{32}/, with: "ID")
            .replacing(/\b[0-9A-Z]{5}(-[0-9A-Z]{5}){3}\b/, with: "CODE")
            .replacing(/\b[0-9A-HJKMNP-TV-Z]{10}\b/, with: "ACTIVATION")
            .replacing(/\b\d{13}\b/, with: "TIME")
            .replacing(/\d{4}-\d\d-\d\dT[\d:.]+Z/, with: "TIME")
            .replacing(/Time left +\d+ s/, with: "Time left")
            // The device is called as the machine is.
            .replacing(/"installation","name":"[^"]*"/, with: "\"installation\"")
    }
}
