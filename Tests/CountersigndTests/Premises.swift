import Foundation
import TestSupport
import Testing
import TransactionApproval
import Verifier

/// A verifier in a folder of its own, looked after by the built program.
struct Premises: Sendable {
    static let account = AccountReference(
        enterprise: EnterpriseID(checked: "bank"),
        key: AccountKey(type: AccountType(checked: "main"), id: AccountID(checked: "4711"))
    )

    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// One that `init` made.
    static func made() throws -> Premises {
        let premises = try Premises()
        let made = try premises.countersignd("init")
        try #require(made.exitCode == 0, "\(made.errorOutput)")
        return premises
    }

    func path(_ name: String) -> String { folder.path + "/" + name }

    var configuration: String { path("countersignd.json") }
    var store: String { path("store/countersign.db") }

    func countersignd(_ words: String...) throws -> FinishedProcess {
        try countersignd(words)
    }

    func countersignd(_ words: [String]) throws -> FinishedProcess {
        try FinishedProcess.run(
            BuiltProducts.path(of: "countersignd"),
            words + ["--config", configuration]
        )
    }

    /// Runs it on a terminal of its own, where `keys` are typed; gives all that the screen got.
    func onTerminal(_ words: String, typing keys: String = "") throws -> FinishedProcess {
        let program = BuiltProducts.path(of: "countersignd")
        let command = "\(program) \(words) --config \(configuration)"
        return try FinishedProcess.run(
            "script",
            ["-qec", command, "/dev/null"],
            input: Array(keys.utf8)
        )
    }

    /// Runs it and kills it, the later the larger `step` is.
    func kill(_ words: String..., after step: Int) throws {
        let program = BuiltProducts.path(of: "countersignd")
        let delay = String(format: "%.3f", Double(step) * 0.013)
        _ = try FinishedProcess.run(
            "timeout",
            ["-s", "KILL", delay, program] + words + ["--config", configuration]
        )
    }

    func write(_ text: String, to name: String) throws {
        let path = try folder.write(text, to: name)
        try #require(chmod(path, 0o600) == 0)
    }

    func contents(_ name: String) throws -> Data {
        try Data(contentsOf: URL(filePath: path(name)))
    }

    /// All files, by their path in the folder.
    func files() throws -> [String] {
        let found = try FinishedProcess.run(
            "find",
            [folder.path, "-type", "f", "-printf", "%P\\n"]
        )
        return found.output.split(separator: "\n").map(String.init).sorted()
    }

    func copy(_ source: String, to target: String) throws {
        let files = FileManager.default
        if files.fileExists(atPath: path(target)) { try files.removeItem(atPath: path(target)) }
        try files.copyItem(atPath: path(source), toPath: path(target))
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: path(name))
    }

    /// Puts a backup in the place of the store.
    func putBack(_ backup: String) throws {
        for suffix in ["-wal", "-shm"] { unlink(store + suffix) }
        try copy(backup, to: "store/countersign.db")
    }

    /// What the sqlite3 program says to a statement about the store.
    @discardableResult
    func sqlite3(_ statement: String, in file: String = "store/countersign.db") throws -> String {
        let process = try FinishedProcess.run("sqlite3", [path(file), statement])
        return (process.output + process.errorOutput).trimmingCharacters(in: .newlines)
    }
}

extension Premises {
    var keys: KeyEncryptionKeys {
        get throws { try KeyFile.encryptionKeys(in: .file(path("keys/encryption"))) }
    }

    /// A verifier in this process, as a daemon is one, with its store.
    func open() async throws -> (Verifier, SQLiteDatabase) {
        let store = try SQLiteDatabase(path: store, migrations: Schema.migrations)
        let journal = try await Journal.open(
            at: path("journal/journal"),
            signingWith: try KeyFile.privateKey(in: .file(path("keys/checkpoint"))),
            over: store
        )
        let verifier = Verifier(
            database: store,
            keys: try keys,
            readFrom: path("keys/encryption"),
            agreementKey: try KeyFile.privateKey(in: .file(path("keys/agreement"))),
            journal: journal,
            clock: .system(notBefore: .earliest)
        )
        return (verifier, store)
    }

    /// Issues activations of one account, each in place of the one before.
    ///
    /// The enterprise and the account are 2 records where they are new, the first activation of all
    /// is 1, and each further one 2.
    func fill(activations: Int = 1) async throws {
        let (verifier, store) = try await open()
        try await verifier.addEnterprise(
            Self.account.enterprise,
            policy: "{}",
            by: .operatorCommand
        )
        _ = try await verifier.addAccount(Self.account, by: .operatorCommand)
        for _ in 0..<activations {
            _ = try await verifier.issueActivation(for: Self.account, by: .operatorCommand)
        }
        await store.close()
    }
}
