import Cryptography
import OneTimePassword
import TransactionApproval
import Verifier

/// A store with as many accounts as asked for, each with a device that can approve.
final class DecisionStore {
    static let enterprise = EnterpriseID(checked: "bank")

    enum Place {
        /// A new file.
        case file
        /// An empty database, with so many verifiers on it.
        case server(String, nodeCount: Int)
    }

    /// One verifier, with the store as it has it open.
    struct Node {
        let database: any Database
        let commits: CommitTally
        let verifier: Verifier
    }

    let folder: TemporaryFolder
    let nodes: [Node]
    /// The accounts that decide in a sample, spread over all of them.
    let deciders: [Int]
    /// Every device has this key: what is measured takes the same time with any.
    let deviceKey: P256.PrivateKey
    /// How often each decider has decided, which is its next counter too.
    var round: UInt64 = 0

    /// Every device has this seed, for the same reason.
    static let seed = [UInt8](repeating: 7, count: CredentialSeed.byteCount)
    static let moment = Timestamp.earliest + .seconds(1_800_000_000)

    init(_ place: Place = .file, accountCount: Int, deciderCount: Int) async throws {
        folder = try TemporaryFolder()
        deviceKey = try P256.PrivateKey()
        deciders = (0..<deciderCount).map { $0 * (accountCount / deciderCount) }
        let keyBytes = try SecureBytes.random(count: 32)
        guard
            let key = KeyEncryptionKeys.Key(version: 1, bytes: keyBytes),
            let keys = KeyEncryptionKeys([key])
        else { throw Failure() }
        let agreementKey = try P256.PrivateKey()
        nodes = try Self.open(place, path: folder.path + "/store").map { database, commits in
            let verifier = Verifier(
                database: database,
                keys: keys,
                agreementKey: agreementKey,
                journal: nil,
                clock: VerifierClock { Self.moment }
            )
            return Node(database: database, commits: commits, verifier: verifier)
        }
        try await verifier.begin()
        try await verifier.setPolicy("{}", of: Self.enterprise, by: .operatorCommand)
        try await addAccounts(accountCount, keys)
    }

    struct Failure: Error {}

    var path: String { folder.path + "/store" }
    var verifier: Verifier { nodes[0].verifier }
    var database: any Database { nodes[0].database }

    private static func open(
        _ place: Place,
        path: String
    ) throws -> [(any Database, CommitTally)] {
        switch place {
        case .file:
            try SQLiteDatabase.create(path: path, migrations: Schema.migrations)
            let database = try SQLiteDatabase(path: path, migrations: Schema.migrations)
            return [(database, database.commits)]
        case .server(let address, let nodeCount):
            try PostgresDatabase.create(address, migrations: Schema.migrations)
            return try (0..<nodeCount).map { _ in
                let database = try PostgresDatabase(address, migrations: Schema.migrations)
                return (database, database.commits)
            }
        }
    }

    private func addAccounts(_ count: Int, _ keys: KeyEncryptionKeys) async throws {
        let secret = Self.seed
        for start in stride(from: 0, to: count, by: 1000) {
            let range = start..<min(start + 1000, count)
            try await database.write { connection throws(StoreFailure) in
                let ledger = Ledger(connection)
                for index in range { try Self.add(index, secret, keys, to: ledger) }
            }
        }
    }

    private static func add(
        _ index: Int,
        _ secret: [UInt8],
        _ keys: KeyEncryptionKeys,
        to ledger: Ledger
    ) throws(StoreFailure) {
        let device = Device(
            id: deviceID(index),
            account: account(index),
            publicKey: [UInt8](repeating: 4, count: 65),
            name: "Phone",
            activated: moment
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
                        standing: .active,
                        confirmedIn: Epoch(0),
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
    static func bytes(_ first: UInt8, _ number: Int) -> [UInt8] {
        // Spread over the tree as random names are, and the same every time.
        var generator = UInt64(number) &* 0x9e37_79b9_7f4a_7c15 | UInt64(first) << 56
        generator ^= generator >> 31
        let high = withUnsafeBytes(of: generator.bigEndian, Array.init)
        return high + withUnsafeBytes(of: UInt64(number).bigEndian, Array.init)
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
