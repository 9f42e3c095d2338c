import Foundation
import ProgramTesting
import TestSupport
import Testing

/// `countersignd` as root, with the files of another user's verifier.
@Suite(.enabled("only root can use files of another user") { geteuid() == 0 })
struct `Files of another user` {
    private static let user: uid_t = 1
    private static let name = String(cString: getpwuid(user).pointee.pw_name)

    private let premises: Premises
    private let program = BuiltProducts.path(of: "countersignd")

    init() async throws {
        premises = try Premises.initialized()
        try await premises.fill()
    }

    private func giveAway(_ names: String..., to user: uid_t = user) throws {
        let paths = names.isEmpty ? [premises.folder.path] : names.map(premises.path)
        let run = try FinishedProcess.run("chown", ["-R", "\(user)"] + paths)
        try #require(run.exitCode == 0, "\(run.errorOutput)")
    }

    /// The name, owner, size and time of each file and folder.
    private func state() throws -> String {
        let format = "%p %u %s %T@ %C@\\n"
        return try FinishedProcess.run("find", [premises.folder.path, "-printf", format]).output
    }

    private static let commands = [
        ["account", "show", "bank/main/4711"], ["account", "add", "bank/main/4712"],
        ["activation", "create", "bank/main/4711"], ["transaction", "list", "bank/main/4711"],
        ["unlock", "bank/main/4711", String(repeating: "0", count: 32), "user"],
        ["enterprise", "list"], ["policy", "show", "bank"], ["token", "list"],
        ["token", "create", "core", "issuer", "--all"], ["token", "revoke", "core", "--yes"],
        ["load", "accounts.csv"], ["rotate", "--add-key"], ["backup", "monday.db"],
        ["restore", "--from-backup", "--yes"], ["audit", "verify"], ["audit", "report"],
        ["audit", "export"], ["outbox", "list"], ["outbox", "retry", "--all"], ["init"], ["run"],
        [
            "export", "--pskc", "tokens.xml", "--key", "transport.key", "--enterprise", "bank",
            "--account-type", "main",
        ],
    ]

    @Test(arguments: commands)
    func `are not used by root, who gets the command of their owner`(_ words: [String]) throws {
        try giveAway()
        let before = try state()
        let refused = try premises.countersignd(words)
        #expect(refused.exitCode == 77)
        #expect(refused.output == "")
        let command = ([program] + words).joined(separator: " ")
        #expect(
            refused.errorOutput == """
                countersignd: \(premises.configuration) belongs to \(Self.name)
                hint: run this as \(Self.name): sudo -u \(Self.name) \(command) --config \
                \(premises.configuration)

                """
        )
        #expect(try state() == before)
    }

    @Test func `get a command that a terminal of 80 columns does not break`() throws {
        try giveAway()
        let screen = try premises.onTerminal("outbox retry --dead --all", columns: 80).output
        let command = "sudo -u \(Self.name) \(program) outbox retry --dead --all --config"
        #expect(screen.contains("\(command) \(premises.configuration)\r\n"), "\(screen)")
    }

    @Test func `are a finding of doctor`() throws {
        try giveAway()
        let found = try premises.countersignd("doctor")
        #expect(found.exitCode == 1)
        let problem = "\(premises.configuration) belongs to \(Self.name)"
        #expect(found.output.hasPrefix("configuration: \(problem)\n  hint: run this as "))
    }

    @Test(arguments: ["keys", "keys/checkpoint", "journal/journal", "store/countersign.db"])
    func `are found wherever the configuration names them`(_ name: String) throws {
        try giveAway(name)
        let before = try state()
        let refused = try premises.countersignd("token", "list")
        #expect(refused.exitCode == 77)
        #expect(refused.errorOutput.hasPrefix("countersignd: \(premises.path(name))"))
        let hint = "hint: run this as \(Self.name): sudo -u \(Self.name) "
        #expect(refused.errorOutput.contains(hint))
        #expect(try state() == before)
    }

    @Test func `are not created by root in the folder of another user`() throws {
        let folder = premises.path("new")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try giveAway("new")
        let before = try state()
        let path = folder + "/deeper/countersignd.json"
        let refused = try FinishedProcess.run(program, ["init", "--config", path])
        #expect(refused.exitCode == 77)
        let problem = "countersignd: \(folder)/ belongs to \(Self.name)\n"
        #expect(refused.errorOutput.hasPrefix(problem))
        #expect(try state() == before)
    }

    @Test func `have a command that a shell reads as it was typed`() throws {
        try premises.copy("countersignd.json", to: "the bank's.json")
        try giveAway()
        let words = ["backup", "$HOME/a b", "--config", premises.path("the bank's.json")]
        let refused = try FinishedProcess.run(program, words)
        let hint = "hint: run this as \(Self.name): "
        let line = try #require(refused.errorOutput.split(separator: "\n").last)
        #expect(line.hasPrefix(hint))
        let script = "sudo() { printf '%s\\n' \"$@\"; }; " + line.dropFirst(hint.count)
        let typed = try FinishedProcess.run("sh", ["-c", script])
        let arguments = ["-u", Self.name, program] + words
        #expect(typed.output == arguments.map { $0 + "\n" }.joined())
    }

    @Test func `have a command that keeps the variables of the configuration`() throws {
        try giveAway()
        let refused = try FinishedProcess.run(
            program,
            ["token", "list", "--config", premises.configuration],
            environment: ["COUNTERSIGND_LOG_LEVEL": "error", "COUNTERSIGND_JOURNAL": "journal/b"]
        )
        let command = "sudo '--preserve-env=COUNTERSIGND_JOURNAL,COUNTERSIGND_LOG_LEVEL' -u "
        #expect(refused.errorOutput.contains("hint: run this as \(Self.name): \(command)"))
    }

    @Test func `of a user without a name are named by its number`() throws {
        try giveAway(to: 4_000_000)
        let refused = try premises.countersignd("token", "list")
        #expect(refused.errorOutput.contains("hint: run this as #4000000: sudo -u '#4000000' "))
    }
}
