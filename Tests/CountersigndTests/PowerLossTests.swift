import AuthenticationHandler
import Foundation
import Glibc
import ProgramTesting
import TestSupport
import Testing

/// A power loss takes each write that no sync followed; a kill takes none.
@Suite(
    .enabled("strace as root is needed to name the files of system calls") {
        try geteuid() == 0
            && FinishedProcess.run("strace", ["-qq", "-o", "/dev/null", "true"]).exitCode == 0
    },
    .timeLimit(.minutes(5))
)
struct `A verifier that loses power` {
    private static let account = OperatedVerifier.account

    @Test func `SEC-13: has each decision and failure on the disk before its response`()
        async throws
    {
        let folder = try TemporaryFolder()
        let file = folder.path + "/trace"
        let strace = [
            "strace", "-D", "-f", "-q", "-y", "-s", "400", "-o", file, "-e", "signal=none", "-e",
            "trace=pwrite64,write,fsync,fdatasync",
        ]
        let verifier = try await OperatedVerifier(using: .store, by: strace)
        let created = try verifier.resource("activation", "create", Self.account)
        try await verifier.activate(
            try #require(created.text("id")),
            try #require(created.text("code"))
        )
        let app = verifier.app
        _ = try verifier.newTransaction()
        let first = try #require(try await app.getTransaction())
        try await app.authenticateUsingUserPIN(first, pin: Premises.typedPIN())
        _ = try verifier.newTransaction()
        let second = try #require(try await app.getTransaction())
        await #expect(throws: AuthenticationError.self) {
            try await app.authenticateUsingUserPIN(second, pin: OperatedVerifier.wrongPIN())
        }
        let process = verifier.running.processID
        #expect(verifier.running.stop() == 0)
        var text = ""
        try spinUntil {
            // The file can end within a character: `decoding`.
            text = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
            return text.contains(try Regex("\n\(process) +[+]{3} exited"))
        }
        let steps = SystemCallTrace(text).steps

        // Up to the line of the log, which precedes the response.
        let decisions = steps.split(separator: "decision", omittingEmptySubsequences: false)
        #expect(decisions.count == 3)
        for calls in decisions.dropLast() {
            let last = calls.suffix(from: calls.lastIndex(of: "request").map { $0 + 1 } ?? 0)
            // Other work can write in between.
            var rest = last
            for step in ["write db-wal", "sync db-wal", "write head", "sync head"] {
                let place = try #require(rest.firstIndex(of: step), "\(step) in \(last)")
                rest = rest[(place + 1)...]
            }
        }
        let journal = steps.filter { $0.hasSuffix("journal") }
        #expect(journal.count > 1)
        for pair in stride(from: 0, to: journal.count, by: 2) {
            #expect(Array(journal[pair...].prefix(2)) == ["write journal", "sync journal"])
        }
    }
}

@Suite(.killsAtSystemCalls) struct `countersignd init that loses power` {
    @Test func `has each new file on the disk before its name, and then the name`() throws {
        let (premises, folder) = (try Premises(), try TemporaryFolder())
        let trace = folder.path + "/trace"
        let made = try FinishedProcess.run(
            "strace",
            [
                "-f", "-qq", "-y", "-o", trace, "-e", "trace=fsync,fdatasync,rename,renameat2",
                BuiltProducts.path(of: "countersignd"), "init", "--config", premises.configuration,
            ]
        )
        try #require(made.exitCode == 0, "\(made.errorOutput)")
        var (synced, names, folders): (Set<String>, [String], Set<String>) = ([], [], [])
        for line in try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n") {
            if let call = line.firstMatch(of: /sync\(\d+<([^>]+)>/) {
                synced.insert(String(call.1))
                folders.remove(String(call.1))
            } else if let call = line.firstMatch(of: /rename\w*\(.*"([^"]+)", .*"([^"]+)"/) {
                #expect(synced.contains(String(call.1)), "\(line)")
                names.append(String(call.2))
                folders.insert(URL(filePath: String(call.2)).deletingLastPathComponent().path)
            }
        }
        #expect(names.contains(premises.store) && names.contains(premises.configuration))
        #expect(folders == [])
    }
}

/// The writes, syncs and logged requests in the output of strace.
private struct SystemCallTrace {
    private(set) var steps: [String] = []
    /// The syncs that have not returned, by their thread.
    private var unfinished: [Substring: String] = [:]

    init(_ text: String) {
        for line in text.split(separator: "\n") { note(line) }
    }

    private mutating func note(_ line: Substring) {
        let thread = line.prefix { $0 != " " }
        if line.contains(" resumed>"), line.contains("sync") {
            if let step = unfinished.removeValue(forKey: thread) { steps.append(step) }
        } else if line.contains(#"\"message\":\"request completed\""#) {
            steps.append(line.contains("POST /device/v1/decision") ? "decision" : "request")
        } else if let call = line.firstMatch(
            of: /(pwrite64|fsync|fdatasync)\(\d+<[^>]*[\/.]([\w-]+)>/
        ) {
            let step = (call.1 == "pwrite64" ? "write " : "sync ") + call.2
            if call.1 != "pwrite64", line.hasSuffix("<unfinished ...>") {
                unfinished[thread] = step
            } else if steps.last != step || call.1 != "pwrite64" {
                // A commit writes many pages.
                steps.append(step)
            }
        }
    }
}
