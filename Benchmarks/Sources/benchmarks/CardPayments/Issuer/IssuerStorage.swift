import Cryptography
import JOSE
import Sealing
import ServerOperation
import Storage
import ThreeDSIssuer
import ThreeDSProtocol
import Transactions

/// The storage work of an ACS, as a loop in C.
///
/// The statements of an ACS on one store are recorded, and run on an equal store. Nothing is
/// decided, sealed or opened.
final class IssuerStorage {
    private static let groupSize = Load.connectionCount

    private let folder: TemporaryFolder
    private let replica: String
    private let jobs = RecordedJobs()
    private let service: IssuerService
    private let served: ServedDirectory
    private let signer: JWS.VerificationKey
    private var purchases: ArraySlice<AppPurchase>

    /// With purchases that await their AReqs.
    init(purchaseCount: Int, asking verifier: StandInVerifier) async throws {
        let purchases = try (0..<purchaseCount).map { try AppPurchase($0) }
        self.purchases = purchases[...]
        folder = try TemporaryFolder()
        let path = folder.path + "/recorded.db"
        replica = folder.path + "/replica.db"
        let keys = try Self.keys()
        try await Self.makeStore(at: path, with: purchases, under: keys)
        try Program.run("/bin/cp", [path, replica])
        let database = try SQLiteDatabase(path: path, migrations: IssuerSchema.migrations)
        let recording = RecordingDatabase(store: database, recorded: jobs)
        let key = try P256.PrivateKey()
        signer = .es256(key.publicKey)
        served = try Self.directory(key)
        guard let enterprise = EnterpriseID("bank") else { throw BenchmarkFailure("a name") }
        service = IssuerService(
            try await IssuerStore(recording, under: keys),
            asking: try verifier.client(of: enterprise),
            for: [served],
            at: ChallengeAddresses(origin: "https://acs.example", isSandbox: false),
            by: IssuerSettings(),
            clock: { .ofWallClock }
        )
        _ = jobs.take()
    }

    /// The time of an AReq's statements, in microseconds.
    func timePerRequest(_ count: Int) async throws -> Double {
        _ = try await answer(count)
        return try replay(count)
    }

    /// Makes `count` purchases that wait for the approval of the person.
    func begin(_ count: Int) async throws -> [AppPurchase] {
        let purchases = try await answer(count)
        try await challenge(purchases)
        _ = try replay(count)
        return purchases
    }

    /// The time of the statements of a CReq, in microseconds.
    func timePerChallengeRequest(_ purchases: [AppPurchase]) async throws -> Double {
        try await challenge(purchases)
        return try replay(purchases.count)
    }

    private func answer(_ count: Int) async throws -> [AppPurchase] {
        guard purchases.count >= count else { throw BenchmarkFailure("no purchase is left") }
        let taken = Array(purchases.prefix(count))
        purchases = purchases.dropFirst(count)
        let (service, served, signer) = (service, served, signer)
        _ = try await concurrently(taken) { purchase, _ in
            guard let response = try await service.response(to: purchase.request, from: served)
            else { throw BenchmarkFailure("no ARes") }
            try await purchase.accept(response.body, signedBy: signer)
        }
        return taken
    }

    private func challenge(_ purchases: [AppPurchase]) async throws {
        let service = service
        _ = try await concurrently(purchases) { purchase, _ in
            let response = try await service.response(toApp: purchase.nextRequest())
            guard case .sealed = response else { throw BenchmarkFailure("no CRes") }
        }
    }

    private func replay(_ count: Int) throws -> Double {
        let time = try CReplay(of: jobs.take())
            .run(on: replica, groupSize: Self.groupSize, sharesEnd: false)
        return time / .microseconds(count)
    }
}

// MARK: Store

extension IssuerStorage {
    private static func keys() throws -> KeyRing {
        let bytes = try SecureBytes.random(count: 32)
        guard let key = KeyEncryptionKeys.Key(version: 1, bytes: bytes),
            let keys = KeyEncryptionKeys([key])
        else { throw BenchmarkFailure("no keys") }
        return KeyRing(keys)
    }

    private static func makeStore(
        at path: String,
        with purchases: [AppPurchase],
        under keys: KeyRing
    ) async throws {
        try SQLiteDatabase.create(path: path, migrations: IssuerSchema.migrations)
        let database = try SQLiteDatabase(path: path, migrations: IssuerSchema.migrations)
        try await IssuerStore.complete(database, under: keys)
        let store = try await IssuerStore(database, under: keys)
        let cards = try purchases.enumerated().map { number, purchase in
            guard let digits = try CardNumber(Array(purchase.card.utf8).span),
                let account = CardAccount("bank/main/\(number)")
            else { throw BenchmarkFailure("no card") }
            return try NewCard(digits, account, for: store)
        }
        try await database.write { connection throws(StoreFailure) in
            let register = store.register(connection, by: .command, at: .ofWallClock)
            for card in cards { _ = try register.add(card) }
        }
        await database.close()
    }

    private static func directory(_ key: P256.PrivateKey) throws -> ServedDirectory {
        guard let id = DirectoryID("A000000003"),
            let range = CardRange(from: "4000050000000000", to: "4000059999999999"),
            let cards = CardDirectory(id, ranges: [range], versionsFrom: "2.1.0", to: "2.3.1")
        else { throw BenchmarkFailure("no directory") }
        return ServedDirectory(cards, signer: try JWS.Signer(.es256(key)), clientKeys: []) {
            _ async throws(ServedDirectory.ResultFailure) in throw .init("no directory server")
        }
    }
}
