import Foundation
import ProgramTesting
import TestSupport
import Testing

/// The pages for a bank's engineer, typed into one shell from the first line to the last.
@Suite struct `The walk-throughs for a bank` {
    private static func page(_ name: String) throws -> String {
        let path = URL(filePath: #filePath).appending(path: "../../../docs/integrate/\(name).md")
        return try String(contentsOf: path.standardized, encoding: .utf8)
    }

    @Test(.timeLimit(.minutes(5)))
    func `print the documented output with curl`() throws {
        let page = WalkThrough(try Self.page("bank-with-curl"))
        try #require(page.steps.count > 20)
        try run(page)
    }

    @Test(.timeLimit(.minutes(5)))
    func `print the documented output in Python`() throws {
        let curl = try Self.page("bank-with-curl")
        let start = try #require(curl.range(of: "\n## Request a payment\n"))
        let page = WalkThrough(
            String(curl[..<start.lowerBound]) + (try Self.page("bank-in-python"))
        )
        try #require(page.steps.contains { $0.commands.contains("python3 pay.py") })
        try run(page)
    }

    private func run(_ page: WalkThrough) throws {
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
            ["-s", "KILL", "100", "bash", "-c", page.script(at: places)],
            environment: [
                "HOME": folder.path, "TMPDIR": folder.path, "PATH": "\(programs):\(path)",
                "no_proxy": "127.0.0.1",
                "SWIFT_BACKTRACE": "enable=no",
            ]
        )
        let printed = page.outputs(in: run.output, from: places)
        for (number, step) in page.steps.enumerated() {
            let output = try #require(number < printed.count ? printed[number] : nil, "\(step)")
            #expect(output.status == 0, "\(step.commands)\n\(output.text)")
            #expect(
                WalkThrough.comparable(output.text) == WalkThrough.comparable(step.output),
                "\(step.commands)"
            )
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test func `with other output are found`() {
        let time = #"{"state":"pending","created":"2026-11-22T13:06:47.243Z"}"#
        let later = #"{ "created": "2026-11-22T13:16:39.999Z", "state": "pending" }"#
        let other = #"{"state":"approved","created":"2026-11-22T13:06:47.243Z"}"#
        #expect(WalkThrough.comparable(time) == WalkThrough.comparable(later))
        #expect(WalkThrough.comparable(time) != WalkThrough.comparable(other))
        #expect(WalkThrough.comparable("47.11 EUR") != WalkThrough.comparable("47.12 EUR"))
    }
}

/// Blocks of commands, each with the block of its output, if there is one.
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

    /// All commands for one shell, which marks the end of each block and prints its status.
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

    /// The text that is the same in each run: JSON in one form, with placeholders for times, keys,
    /// ids and codes.
    static func comparable(_ text: String) -> String {
        var text = text.trimmingCharacters(in: .newlines)
        if let value = try? JSONSerialization.jsonObject(with: Data(text.utf8)),
            let bytes = try? JSONSerialization.data(withJSONObject: value, options: .sortedKeys)
        {
            // Text that is not JSON is compared as it is.
            text = String(decoding: bytes, as: UTF8.self)
        }
        return text.replacing(/[A-Za-z0-9_-]{87}/, with: "KEY")
            .replacing(/[0-9a-f]{32}/, with: "ID")
            .replacing(/\b[0-9A-Z]{5}(-[0-9A-Z]{5}){3}\b/, with: "CODE")
            .replacing(/\b[0-9A-HJKMNP-TV-Z]{10}\b/, with: "ACTIVATION")
            .replacing(/\d{4}-\d\d-\d\dT[\d:.]+Z/, with: "TIME")
            .replacing(/Time left +\d+ s/, with: "Time left")
            // A device is named after its machine.
            .replacing(/"installation","name":"[^"]*"/, with: "\"installation\"")
    }
}
