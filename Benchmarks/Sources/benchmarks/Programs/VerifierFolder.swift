import Cryptography
import FoundationEssentials
import Sealing
import Storage
import TransactionApproval
import Verification

/// All that a verifier is, as `countersignd init` makes it, with one enterprise.
final class VerifierFolder {
    /// Who are in the store at once.
    static let deviceCount = 10_000

    let folder: TemporaryFolder
    let certificate: Certificate
    /// Whose key every device has that was put into the store.
    let deviceKey: P256.PrivateKey
    let port: Int
    private let isSecured: Bool

    /// One that serves over TLS or in plain text.
    init(isSecured: Bool) throws {
        self.isSecured = isSecured
        folder = try TemporaryFolder()
        certificate = try Certificate()
        deviceKey = try P256.PrivateKey()
        port = try freePort()
        try write(configuration, to: "countersignd.json")
        try countersignd("init")
        try write("{}", to: "policy.json")
        try countersignd("policy", "set", "bank", folder.path + "/policy.json", "--new")
    }

    func write(_ text: String, to name: String) throws {
        try text.write(toFile: folder.path + "/" + name, atomically: true, encoding: .utf8)
    }

    /// Runs a command to its end.
    @discardableResult
    func countersignd(_ words: String...) throws -> String {
        try command(words).run().said
    }

    func command(_ words: [String]) -> Program {
        let configuration = ["--config", folder.path + "/countersignd.json"]
        return Program(words: [Repository.program("countersignd")] + words + configuration)
    }

    var origin: String { isSecured ? "https://localhost:\(port)" : "http://127.0.0.1:\(port)" }

    /// As many may be connected, from one address too, as there are streams to be open.
    private var configuration: String {
        let file = certificate.file
        let tls = isSecured ? #""tls": {"certificate": "\#(file)", "key": "\#(file)"},"# : ""
        return """
            {
              "store": {"sqlite": "store"}, "journal": "journal",
              "encryptionKeys": "keys/encryption", "agreementKey": "keys/agreement",
              "responseKey": "keys/answers", "checkpointKey": "keys/checkpoint",
              "server": {
                "origin": "\(origin)", "listen": ["127.0.0.1:\(port)"], \(tls)
                "connections": \(Self.deviceCount + 100),
                "connectionsPerAddress": \(Self.deviceCount + 100)
              }
            }
            """
    }

    func publicKey(_ name: String) throws -> P256.PublicKey {
        try KeyFile.privateKey(in: .file(folder.path + "/keys/" + name)).publicKey
    }

    /// Puts accounts into the store, each with a device.
    func addDevices() async throws {
        let store = try SQLiteDatabase(
            path: folder.path + "/store",
            migrations: Schema.migrations
        )
        try await DecisionStore.addAccounts(
            Self.deviceCount,
            with: deviceKey.publicKey,
            try KeyFile.encryptionKeys(in: .file(folder.path + "/keys/encryption")),
            to: store
        )
        await store.close()
    }
}

// MARK: What devices send

extension VerifierFolder {
    /// What one of those devices asks now.
    func request<Exchange: DeviceExchange>(
        _: Exchange.Type,
        ofDevice index: Int
    ) throws -> SignedRequest where Exchange.Request == NoContent {
        guard let origin = ServerOrigin(origin) else { throw Failure() }
        return try SignedRequest(
            Exchange.self,
            NoContent(),
            to: origin,
            from: DecisionStore.deviceID(index),
            signedWith: deviceKey,
            at: .earliest + .seconds(Date.now.timeIntervalSince1970)
        )
    }

    private struct Failure: Error {}
}
