import Cryptography
import FoundationEssentials
import Sealing
import Storage
import TransactionApproval
import Verification

/// A verifier's files, created by `countersignd init`, with one enterprise.
final class VerifierFolder {
    /// The largest number of devices.
    static let deviceCount = 10_000

    let folder: TemporaryFolder
    let certificate: Certificate
    /// The key of every added device.
    let deviceKey: P256.PrivateKey
    let port: Int
    let origin: String
    /// The address of a PostgreSQL database; nil if the store is a file in the folder.
    private let database: String?
    private let isSecured: Bool
    /// The folder of the web device; nil to serve none.
    private let web: String?

    /// Creates a verifier that serves with or without TLS, and the web device from a folder.
    init(isSecured: Bool, database: String? = nil, web: String? = nil) throws {
        (self.isSecured, self.database, self.web) = (isSecured, database, web)
        folder = try TemporaryFolder()
        certificate = try Certificate()
        deviceKey = try P256.PrivateKey()
        port = try freePort()
        origin = isSecured ? "https://localhost:\(port)" : "http://127.0.0.1:\(port)"
        try write(configuration, to: "countersignd.json")
        try countersignd("init")
        try write(web == nil ? "{}" : Self.policyForBrowsers, to: "policy.json")
        try countersignd("policy", "set", "bank", folder.path + "/policy.json", "--new")
    }

    /// Creates another node on the same database.
    init(nextTo first: VerifierFolder) throws {
        (isSecured, database, web) = (first.isSecured, first.database, first.web)
        origin = first.origin
        folder = try TemporaryFolder()
        (certificate, deviceKey) = (first.certificate, first.deviceKey)
        port = try freePort()
        try write(configuration, to: "countersignd.json")
        let keys = "/keys"
        try FileManager.default.createDirectory(
            atPath: folder.path + keys,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        for name in ["encryption", "agreement", "response"] {
            try FileManager.default.copyItem(
                atPath: "\(first.folder.path)\(keys)/\(name)",
                toPath: "\(folder.path)\(keys)/\(name)"
            )
        }
        try countersignd("init", "--join")
    }

    func write(_ text: String, to name: String) throws {
        try text.write(toFile: folder.path + "/" + name, atomically: true, encoding: .utf8)
    }

    /// Runs a command to its end.
    @discardableResult
    func countersignd(_ words: String...) throws -> String {
        try command(words).run().output
    }

    func command(_ words: [String]) -> Program {
        let configuration = ["--config", folder.path + "/countersignd.json"]
        return Program(words: [Repository.program("countersignd")] + words + configuration)
    }

    /// Test accounts have no rate limits.
    private static let policyForBrowsers =
        #"{"allowsTestAccounts": true, "webDevices": {"allowed": true, "requiresPRF": false}}"#

    /// Allows all streams at the same time, also from one address.
    private var configuration: String {
        let file = certificate.file
        let tls = isSecured ? #""tls": {"certificate": "\#(file)", "key": "\#(file)"},"# : ""
        let store = database.map { #""postgresql": "\#($0)""# } ?? #""sqlite": "store""#
        let web = web.map { #""web": {"files": "\#($0)"},"# } ?? ""
        return """
            {
              "store": {\(store)}, "journal": "journal",
              "encryptionKeys": "keys/encryption", "agreementKey": "keys/agreement",
              "responseKey": "keys/response", "checkpointKey": "keys/checkpoint",
              "server": {
                "origin": "\(origin)", "listen": ["127.0.0.1:\(port)"], \(tls) \(web)
                "connections": \(Self.deviceCount + 100),
                "connectionsPerAddress": \(Self.deviceCount + 100)
              }
            }
            """
    }

    func publicKey(_ name: String) throws -> P256.PublicKey {
        try KeyFile.privateKey(in: .file(folder.path + "/keys/" + name)).publicKey
    }

    /// Adds accounts to the store, each with a device.
    func addDevices(_ count: Int = deviceCount) async throws {
        let store: any Database =
            if let database {
                try PostgresDatabase(database, migrations: Schema.migrations)
            } else {
                try SQLiteDatabase(path: folder.path + "/store", migrations: Schema.migrations)
            }
        try await DecisionStore.addAccounts(
            count,
            with: deviceKey.publicKey,
            try KeyFile.encryptionKeys(in: .file(folder.path + "/keys/encryption")),
            to: store,
            recordedAt: VerifierClock.system(notBefore: .earliest).now
        )
        await store.close()
        // Its journal signs the new records, so that the next start does not read them.
        _ = try RunningServer(self)
    }
}

// MARK: Calls of the bank

extension VerifierFolder {
    /// Creates an activation of an app or a browser, and returns its id and code.
    func createActivation(for account: String, _ options: String...) throws -> (String, String) {
        let words = ["activation", "create", account, "--json"] + options
        let issued = try command(words).run().output
        return (try issued.member("id"), try issued.member("code"))
    }

    /// Creates a payment that a device must decide, and returns its identifier.
    func createPayment(for account: String) throws -> String {
        try write(
            """
            {"context": "payment", "title": "Apples",
             "amounts": [{"currency": "EUR", "minorUnits": 4711}],
             "payees": [{"name": "Grocer", "account": "DE89370400440532013000"}]}
            """,
            to: "payment.json"
        )
        let file = folder.path + "/payment.json"
        return try countersignd("transaction", "create", account, file, "--json").member("id")
    }
}

extension String {
    /// The text value of a member that occurs once in this JSON object.
    fileprivate func member(_ name: String) throws -> String {
        let parts = split(separator: "\"\(name)\":\"", maxSplits: 1)
        guard parts.count == 2, let value = parts[1].split(separator: "\"").first else {
            throw BenchmarkFailure("no member \(name) in \(self)")
        }
        return String(value)
    }
}

// MARK: Requests of devices

extension VerifierFolder {
    /// A signed request of an added device.
    func request<Exchange: DeviceExchange>(
        _: Exchange.Type,
        ofDevice index: Int
    ) throws -> SignedRequest where Exchange.Request == NoContent {
        guard let origin = ServerOrigin(origin) else {
            throw BenchmarkFailure("\(origin) is not an origin")
        }
        return try SignedRequest(
            Exchange.self,
            NoContent(),
            to: origin,
            from: DecisionStore.deviceID(index),
            signedWith: deviceKey,
            at: .earliest + .seconds(Date.now.timeIntervalSince1970)
        )
    }
}
