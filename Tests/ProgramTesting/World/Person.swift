import Foundation
package import TestSupport
import Testing

/// A person with an account at the bank, and a home on a machine that has `countersign`.
package struct Person: Sendable {
    package static let pin = "271905"

    package let home: TemporaryFolder
    package let bank: Bank
    package let account: String
    package let backend: Backend

    /// Creates a person at `bank`, or at `careful`, where numbers are typed.
    package init(at enterprise: String = "bank", of bank: Bank? = nil) throws {
        home = try TemporaryFolder()
        self.bank = try bank ?? Bank.open.get()
        account = "A\(UInt64.random(in: 1_000_000_000_000..<10_000_000_000_000))"
        backend = try self.bank.newAccount(account, at: enterprise)
        try trust(self.bank.settings)
    }

    /// A person whose machine is activated.
    package static func activated(at enterprise: String = "bank", of bank: Bank? = nil) throws
        -> Person
    {
        let person = try Person(at: enterprise, of: bank)
        let (id, code) = try person.newActivation()
        let run = try person.countersign("activate", id, "--pin-fd", "0", typing: [code, pin])
        try #require(run.exitCode == 0, "\(run.errorOutput)")
        return person
    }

    package func trust(_ settings: String) throws {
        let folder = "\(home.path)/.config/countersign"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        let path = try home.write(settings, to: ".config/countersign/countersign.json")
        try #require(chmod(path, 0o600) == 0)
    }

    package func newActivation() throws -> (id: String, code: String) {
        let issued = try backend.post("/activations")
        return (try #require(issued["id"]), try #require(issued["code"]))
    }

    /// A token of the bank that can revoke devices.
    package func serviceToken() throws -> String {
        try bank.premises.token("service-\(account)", "customerService")
    }

    /// Creates a payment of 47.11 EUR at the bank, and returns the transaction's id.
    package func newPayment(authentication types: String = #"["userPIN"]"#) throws -> String {
        let created = try request(
            """
            {"context":"payment","title":"Transfer","reference":"R-1",
            "fields":[{"label":"Purpose","value":"Apples"}],
            "amounts":[{"currency":"EUR","minorUnits":4711}],
            "payees":[{"name":"Grocer","account":"DE89370400440532013000"}],
            "authentication":\(types)}
            """
        )
        return try #require(created["id"])
    }

    package func request(_ content: String) throws -> Fetched {
        let created = try backend.post("/transactions", content)
        try #require(created.status == 201, "\(created.body)")
        return created
    }

    /// A program of the shell, with this name.
    package func program(_ name: String, _ script: String) throws -> String {
        let path = home.path + "/" + name
        try "#!/bin/sh\n\(script)\n".write(toFile: path, atomically: true, encoding: .utf8)
        try #require(chmod(path, 0o700) == 0)
        return path
    }

    /// This machine's device at the bank.
    package func device() throws -> String? {
        try backend.get("/devices").body.firstMatch(of: /"id":"([0-9a-f]{32})"/)
            .map { String($0.1) }
    }

    /// Locks the PIN with wrong PINs.
    package func lock() throws {
        for _ in 1...5 { _ = try run("login", typing: "271906") }
    }

    package func state(of transaction: String) throws -> String? {
        try backend.get("/transactions/\(transaction)")["state"]
    }

    /// Runs the program with lines on its standard input.
    package func countersign(_ words: String..., typing lines: [String] = []) throws
        -> FinishedProcess
    {
        try countersign(words, typing: lines)
    }

    package func countersign(
        _ words: [String],
        typing lines: [String] = [],
        environment more: [String: String] = [:]
    ) throws -> FinishedProcess {
        try FinishedProcess.run(
            BuiltProducts.path(of: "countersign"),
            words,
            input: Array(lines.map { $0 + "\n" }.joined().utf8),
            environment: environment.merging(more) { $1 }
        )
    }

    /// Another program, with this home.
    package func run(
        _ program: String,
        _ words: [String],
        environment more: [String: String] = [:]
    ) throws -> FinishedProcess {
        try FinishedProcess.run(program, words, environment: environment.merging(more) { $1 })
    }

    /// Runs the program with secrets on a descriptor.
    package func run(_ words: String..., typing lines: String...) throws -> FinishedProcess {
        try countersign(words + ["--pin-fd", "0"], typing: lines)
    }

    /// The id of the oldest pending transaction, if there is one.
    package func waiting() throws -> String {
        let list = try backend.get("/transactions").body
        return list.firstMatch(of: /"id":"([0-9a-f]{32})","account":\{[^}]*\},"state":"pending"/)
            .map { String($0.1) } ?? ""
    }

    package func onTerminal(
        _ words: String...,
        columns: Int = 200,
        environment more: [String: String] = [:]
    ) throws -> TerminalSession {
        try onTerminal(words, columns: columns, environment: more)
    }

    package func onTerminal(
        _ words: [String],
        columns: Int = 200,
        environment more: [String: String] = [:]
    ) throws -> TerminalSession {
        try TerminalSession(
            [BuiltProducts.path(of: "countersign")] + words,
            columns: columns,
            environment: environment.merging(more) { $1 }
        )
    }

    /// Runs the program in a shell that continues with a script.
    package func onTerminalOfShell(_ words: String, then script: String) throws -> TerminalSession {
        let program = BuiltProducts.path(of: "countersign")
        return try TerminalSession(
            ["sh", "-c", "\(program) \(words); \(script)"],
            environment: environment
        )
    }

    private var environment: [String: String] {
        [
            "HOME": home.path, "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "", "XDG_STATE_HOME": "",
            "no_proxy": "localhost",
        ]
    }
}
