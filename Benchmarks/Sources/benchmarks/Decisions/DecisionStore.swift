import CReference
import Cryptography
import FoundationEssentials
import OneTimePassword
import TransactionApproval
import Verifier

/// A store with as many accounts as asked for, each with a device that can approve.
final class DecisionStore {
    static let enterprise = EnterpriseID(checked: "bank")

    let path: String
    let database: SQLiteDatabase
    let verifier: Verifier
    /// The accounts that decide in a sample, spread over all of them.
    let deciders: [Int]
    private let folder: URL
    /// How often each decider has decided, which is its next counter too.
    private var round: UInt64 = 0

    /// Every device has this seed: what is measured takes the same time with any.
    private static let seed = [UInt8](repeating: 7, count: CredentialSeed.byteCount)
    static let moment = Timestamp.earliest + .seconds(1_800_000_000)

    init(accountCount: Int, deciderCount: Int) async throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "countersign-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        path = folder.path + "/store"
        try SQLiteDatabase.create(path: path, migrations: Schema.migrations)
        database = try SQLiteDatabase(path: path, migrations: Schema.migrations)
        let keyBytes = try SecureBytes.random(count: 32)
        guard
            let key = KeyEncryptionKeys.Key(version: 1, bytes: keyBytes),
            let keys = KeyEncryptionKeys([key])
        else { throw Failure() }
        verifier = Verifier(
            database: database,
            keys: keys,
            agreementKey: try P256.PrivateKey(),
            journal: nil,
            clock: VerifierClock { Self.moment }
        )
        deciders = (0..<deciderCount).map { $0 * (accountCount / deciderCount) }
        try await verifier.begin()
        try await verifier.setPolicy("{}", of: Self.enterprise, by: .operatorCommand)
        try await addAccounts(accountCount, keys)
    }

    struct Failure: Error {}

    deinit {
        try? FileManager.default.removeItem(at: folder)
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
            kind: .installation(publicKey: [UInt8](repeating: 4, count: 65)),
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

// MARK: A round of decisions

extension DecisionStore {
    /// One decision to make: all that a device sends.
    struct Decision: Sendable {
        let account: Int
        let transaction: TransactionID
        let attempt: Attempt
    }

    /// Makes a pending transaction for each decider, and the right code for it.
    func newRound() async throws -> [Decision] {
        defer { round += 1 }
        let round = round
        var decisions: [Decision] = []
        var records: [TransactionRecord] = []
        for (place, account) in deciders.enumerated() {
            let transaction = try Self.transaction(round, place, account)
            records.append(
                TransactionRecord(
                    id: transaction.id,
                    account: Self.account(account),
                    canonicalBytes: transaction.canonicalBytes,
                    acceptedAuthentication: .userPIN,
                    created: transaction.created,
                    deadline: transaction.deadline,
                    number: nil,
                    state: .pending
                )
            )
            decisions.append(try Self.decision(on: transaction, account, counter: round))
        }
        let new = records
        try await database.write { connection throws(StoreFailure) in
            for record in new { try Ledger(connection).add(record) }
        }
        return decisions
    }

    private static func transaction(
        _ round: UInt64,
        _ place: Int,
        _ account: Int
    ) throws -> Transaction {
        guard
            let euro = Currency("EUR"), let amount = Amount(minorUnits: 47_11, currency: euro),
            let payee = AccountNumber("DE89370400440532013000")
        else { throw Failure() }
        // As a verifier names them: what was made lately lies together.
        let id = Array(
            withUnsafeBytes(of: UInt64(round << 32 + UInt64(place)).bigEndian, Array.init)
                + bytes(5, place).prefix(8)
        )
        return try Transaction(
            enterprise: enterprise,
            id: TransactionID(checked: TextEncoding.hexadecimal.encode(id.span)),
            account: Self.account(account).key,
            content: Transaction.Content(
                context: .payment,
                title: DisplayText("Transfer"),
                amounts: [amount],
                payees: [Transaction.Payee(name: DisplayText("Grocer"), account: payee)]
            ),
            acceptedAuthentication: .userPIN,
            created: moment,
            deadline: moment + .seconds(120),
            epoch: 0,
            nonce: TransactionNonce(checked: id)
        )
    }

    private static func decision(
        on transaction: Transaction,
        _ account: Int,
        counter: UInt64
    ) throws -> Decision {
        let secret = try SecureBytes(copying: seed.span)
        guard let seed = CredentialSeed(secret) else { throw Failure() }
        let codes = try InBandCodes(of: context(.user, account), seed: seed)
        let question = InBandQuestion.decision(
            try TransactionHash(of: transaction),
            .approve,
            nil
        )
        let code = SubmittedCode(
            generation: .first,
            counter: Counter(counter),
            code: try codes.code(for: question, in: Epoch(0), at: Counter(counter))
        )
        return Decision(
            account: account,
            transaction: transaction.id,
            attempt: Attempt(
                id: try AttemptID.random(),
                device: deviceID(account),
                kind: .user,
                code: code
            )
        )
    }

    /// Has `callers` make the decisions at once, each its share one after the other.
    func decide(_ decisions: [Decision], callers: Int) async throws {
        let verifier = verifier
        try await withThrowingTaskGroup { group in
            for caller in 0..<callers {
                group.addTask {
                    for index in stride(from: caller, to: decisions.count, by: callers) {
                        let decision = decisions[index]
                        let answer = try await verifier.decide(
                            .approve,
                            on: decision.transaction,
                            by: .userPIN,
                            decision.attempt
                        )
                        guard answer == .accepted(nil) else { throw Failure() }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
