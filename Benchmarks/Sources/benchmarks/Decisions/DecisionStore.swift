import Cryptography
import OneTimePassword
import Sealing
import Storage
import TransactionApproval
import Verification

/// A store with a given number of accounts, each with a device that can approve.
final class DecisionStore {
    static let enterprise = EnterpriseID(checked: "bank")

    enum Place {
        /// A file in the store's own folder.
        case file
        /// A database with `nodeCount` verifiers.
        case server(String, nodeCount: Int)
    }

    /// One verifier with its open store.
    struct Node {
        let database: any Database
        let commits: CommitTally
        let verifier: Verifier
    }

    let folder: TemporaryFolder
    let keys: KeyEncryptionKeys
    let nodes: [Node]
    /// The accounts that decide in a sample, spread over all accounts.
    let deciders: [Int]
    /// The key of every device: the measured time does not depend on the key.
    let deviceKey: P256.PrivateKey
    let accountCount: Int
    /// The size of the file before the first decision.
    private(set) var initialByteCount = 0
    /// The number of decisions of each decider, which is also its next counter.
    var round: UInt64 = 0

    /// The seed of every device, for the same reason.
    static let seed = [UInt8](repeating: 7, count: CredentialSeed.byteCount)
    static let moment = Timestamp.earliest + .seconds(1_800_000_000)

    /// Creates a store.
    ///
    /// With the keys and the id of `other`, the statements of its verifier can be repeated here.
    init(
        on place: Place = .file,
        accountCount: Int,
        deciderCount: Int,
        as other: DecisionStore? = nil
    ) async throws {
        self.accountCount = accountCount
        folder = try TemporaryFolder()
        deciders = Self.deciders(deciderCount, of: accountCount)
        try Self.create(place, in: folder)
        deviceKey = try Self.deviceKey(in: folder)
        keys = try other?.keys ?? Self.keys(in: folder)
        let nodes = try Self.open(place, in: folder, with: keys)
        let (ring, id) = (KeyRing(keys), try await other?.storeID() ?? Array(0..<16))
        _ = try await nodes[0].database.write { connection throws(StoreFailure) in
            try Ledger(connection, ring).begin(id)
        }
        // Like every verifier: its first call creates the key for fingerprints, before the first record.
        _ = try await nodes[0].verifier.call(
            IdempotencyKey(checked: "first"),
            of: .operatorCommand,
            in: Self.enterprise,
            for: []
        )
        try await nodes[0].verifier.addEnterprise(
            Self.enterprise,
            policy: "{}",
            by: .operatorCommand
        )
        try await Self.addAccounts(
            accountCount,
            with: deviceKey.publicKey,
            keys,
            to: nodes[0].database
        )
        self.nodes = nodes
        if case .file = place { initialByteCount = try await Self.byteCount(of: nodes[0].database) }
    }

    /// Opens the store in a folder, which contains `round` rounds.
    init(
        in folder: TemporaryFolder,
        accountCount: Int,
        deciderCount: Int,
        after round: UInt64
    ) throws {
        self.accountCount = accountCount
        self.folder = folder
        self.round = round
        deviceKey = try Self.deviceKey(in: folder)
        deciders = Self.deciders(deciderCount, of: accountCount)
        keys = try Self.keys(in: folder)
        nodes = try Self.open(.file, in: folder, with: keys)
    }

    var path: String { folder.path + "/store" }
    var verifier: Verifier { nodes[0].verifier }
    var database: any Database { nodes[0].database }

    private static func create(_ place: Place, in folder: TemporaryFolder) throws {
        try KeyFile.createEncryptionKeys(at: folder.path + "/keys")
        try KeyFile.createPrivateKey(at: folder.path + "/device-key")
        switch place {
        case .file:
            try SQLiteDatabase.create(path: folder.path + "/store", migrations: Schema.migrations)
        case .server(let address, _):
            try PostgresDatabase.create(address, migrations: Schema.migrations)
        }
    }

    static func keys(in folder: TemporaryFolder) throws -> KeyEncryptionKeys {
        try KeyFile.encryptionKeys(in: .file(folder.path + "/keys"))
    }

    private static func deviceKey(in folder: TemporaryFolder) throws -> P256.PrivateKey {
        try KeyFile.privateKey(in: .file(folder.path + "/device-key"))
    }

    private static func deciders(_ count: Int, of accountCount: Int) -> [Int] {
        (0..<count).map { $0 * (accountCount / count) }
    }

    private static func open(
        _ place: Place,
        in folder: TemporaryFolder,
        with keys: KeyEncryptionKeys
    ) throws -> [Node] {
        let agreementKey = try P256.PrivateKey()
        return try databases(place, in: folder).map { database, commits in
            let verifier = verifier(over: database, with: keys, agreementKey)
            return Node(database: database, commits: commits, verifier: verifier)
        }
    }

    private static func verifier(
        over database: any Database,
        with keys: KeyEncryptionKeys,
        _ agreementKey: P256.PrivateKey
    ) -> Verifier {
        Verifier(
            database: database,
            keys: KeyRing(keys),
            agreementKey: agreementKey,
            journal: nil,
            clock: VerifierClock { moment }
        )
    }

    /// A verifier on this store whose jobs are recorded.
    func recordingNode(_ recorded: RecordedJobs) throws -> Verifier {
        Self.verifier(
            over: RecordingDatabase(store: database, recorded: recorded),
            with: keys,
            try P256.PrivateKey()
        )
    }

    private static func databases(
        _ place: Place,
        in folder: TemporaryFolder
    ) throws -> [(any Database, CommitTally)] {
        switch place {
        case .file:
            let path = folder.path + "/store"
            let database = try SQLiteDatabase(path: path, migrations: Schema.migrations)
            return [(database, database.commits)]
        case .server(let address, let nodeCount):
            return try (0..<nodeCount).map { _ in
                let database = try PostgresDatabase(address, migrations: Schema.migrations)
                return (database, database.commits)
            }
        }
    }

    private func storeID() async throws -> [UInt8] {
        let ring = KeyRing(keys)
        return try await database.read { connection throws(StoreFailure) in
            try Ledger(connection, ring).state().id
        }
    }

    /// The size of the store's file, without its write-ahead log.
    func byteCount() async throws -> Int { try await Self.byteCount(of: database) }

    private static func byteCount(of database: any Database) async throws -> Int {
        let size = try await database.read { connection throws(StoreFailure) in
            try connection.rows(selectSize, [])[0].values[0].integer
        }
        return Int(size)
    }

    private static let selectSize = Statement(
        "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
    )

    /// Adds `count` accounts, each with a device that has this key.
    ///
    /// A verifier that audits the store needs a record of each account and device.
    static func addAccounts(
        _ count: Int,
        with publicKey: P256.PublicKey,
        _ keys: KeyEncryptionKeys,
        to database: any Database,
        recordedAt time: Timestamp? = nil
    ) async throws {
        let (secret, point) = (seed, publicKey.uncompressedPoint)
        let ring = KeyRing(keys)
        for start in stride(from: 0, to: count, by: 5000) {
            let range = start..<min(start + 5000, count)
            try await database.write { connection throws(StoreFailure) in
                let ledger = Ledger(connection, ring)
                for index in range {
                    try add(index, point, secret, keys, to: ledger)
                    if let time { try record(index, in: ledger, at: time) }
                }
            }
        }
    }

    private static func record(
        _ index: Int,
        in ledger: Ledger,
        at time: Timestamp
    ) throws(StoreFailure) {
        let account = account(index)
        let events = [Event(.accountCreated, of: account.key, in: account)]
        let head = try ledger.state().audit
        try ledger.record(events, by: .operatorCommand, at: time, after: head)
    }

    private static func add(
        _ index: Int,
        _ publicKey: [UInt8],
        _ secret: [UInt8],
        _ keys: KeyEncryptionKeys,
        to ledger: Ledger
    ) throws(StoreFailure) {
        let device = Device(
            id: deviceID(index),
            account: account(index),
            kind: .installation(publicKey: publicKey),
            isWeb: false,
            name: "Phone",
            activated: moment,
            waits: false
        )
        guard try ledger.add(device.account) else { throw .conflict }
        try ledger.add(device)
        for kind in [CredentialKind.user, .device] {
            let context = context(kind, index)
            let owner = SealOwner.seed(of: context, on: device.id, for: device.account)
            guard let sealed = try? keys.seal(secret.span, for: owner) else { throw .unavailable }
            try ledger.add(
                CredentialState(
                    device: device,
                    credential: Credential(
                        id: context.id,
                        device: device.id,
                        kind: kind,
                        generation: .first,
                        counter: Counter(0),
                        status: .active,
                        confirmedEpoch: Epoch(0),
                        seed: sealed
                    ),
                    failures: FailureCount()
                )
            )
        }
    }
}

// MARK: Names

extension DecisionStore {
    /// Identifiers in the order of the numbers, so that a million rows are written quickly.
    ///
    /// The deciders are far apart all the same.
    static func bytes(_ first: UInt8, _ number: Int) -> [UInt8] {
        let number = withUnsafeBytes(of: UInt64(number).bigEndian, Array.init)
        return number + [UInt8](repeating: first, count: 8)
    }

    static func deviceID(_ index: Int) -> DeviceID { DeviceID(checked: bytes(1, index)) }

    static func account(_ index: Int) -> AccountReference {
        AccountReference(
            enterprise: enterprise,
            key: AccountKey(
                type: AccountType(checked: "main"),
                id: AccountID(checked: "\(4_000_000_000 + index)")
            )
        )
    }

    static func context(_ kind: CredentialKind, _ index: Int) -> CredentialContext {
        CredentialContext(
            enterprise: enterprise,
            id: CredentialID(checked: bytes(kind == .user ? 2 : 3, index)),
            kind: kind,
            generation: .first
        )
    }
}
