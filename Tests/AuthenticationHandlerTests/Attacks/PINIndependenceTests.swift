import Foundation
import OneTimePassword
import PrivateFiles
import TestSupport
import Testing

@testable import AuthenticationHandler
@testable import Cryptography
@testable import TransactionApproval

/// Two devices that differ only in their PIN have equal files (SECURITY.md, 2.1).
///
/// So no file tests a PIN.
@Suite struct `The vault and the PIN` {
    /// The vault's files, and the sizes of those in the secret store: the keys are never equal.
    struct Files: Equatable {
        let vault: [String: Data]
        let secrets: [String: Int]

        init(of home: Home) throws {
            let files = try home.contents()
            vault = files.filter { $0.key.hasPrefix("vault/") }
            secrets = files.filter { $0.key.hasPrefix("secrets/") }.mapValues(\.count)
        }

        /// Whether the secret store has no space for more than its lock and the keys of accounts.
        func hasOnlyKeys(of accountCount: Int) -> Bool {
            let size = 1 + 3 * DeviceSecrets.partByteCount
            return secrets.values.sorted() == [0] + Array(repeating: size, count: accountCount)
        }
    }

    let server: ScriptedServer
    let activation: ScriptedActivation

    init() throws {
        server = try ScriptedServer()
        activation = try ScriptedActivation(of: ["4711", "4712"], at: server)
    }

    /// The files after use with these PINs.
    private func files(
        _ pin: String,
        then newPIN: String? = nil,
        spoiling: (OpenAccount, String) throws -> OpenAccount? = { _, _ in nil },
        hiding: (SecretFolder, String) throws -> Void = { _, _ in }
    ) async throws -> Files {
        let home = try Home()
        let handler = try home.handler(server, randomness: .repeated(from: 7))
        _ = try await activation.activate(handler, pin)
        for _ in 0..<3 { _ = try await handler.oneTimeCode(pin: .typed(pin)) }
        if let newPIN {
            try server.thenTellStatuses(in: home)
            for _ in 0..<2 { server.then(RekeyExchange.self, .done(NoContent())) }
            _ = try await handler.changePIN(from: .typed(pin), to: .typed(newPIN))
        }
        for account in try home.vault().accounts() {
            guard let spoiled = try spoiling(account, pin) else { continue }
            try await home.vault().locked().save(spoiled)
        }
        try hiding(SecretFolder(home.secretsPath), pin)
        return try Files(of: home)
    }

    @Test func `The vault is equal for every PIN, and the rest is keys (SEC-24)`() async throws {
        let (one, other) = (try await files("271905"), try await files("98264107"))
        #expect(one.vault.keys.filter { $0.contains("account-") }.count == 2)
        #expect(one.hasOnlyKeys(of: 2))
        #expect(one == other)
    }

    @Test func `The vault is equal for every PIN after a PIN change`() async throws {
        let one = try await files("271905", then: "538091")
        let other = try await files("98264107", then: "640285193")
        #expect(one == other)
        #expect(one.hasOnlyKeys(of: 2))
        #expect(one != (try await files("271905")), "or nothing was changed")
    }

    /// The writes of the vault, and the files, after a right or wrong PIN is typed.
    private func trace(
        typing pin: String,
        noting: (inout AccountRecord) -> Void = { _ in }
    ) async throws -> (writes: [PrivateFolder.WritePoint], files: Files) {
        let home = try Home()
        let writes = Writes()
        let handler = try home.handler(
            server,
            randomness: .repeated(from: 7),
            witness: writes.witness
        )
        _ = try await activation.activate(handler, "271905")
        let secrets = try home.contents().filter { $0.key.hasPrefix("secrets/") }
        let outcome: Outcome<LoginExchange.Response> =
            pin == "271905"
            ? .done(.init(login: TransactionID(checked: "L")))
            : .refused(.authenticationFailed(attemptsLeft: 4))
        server.then(LoginExchange.self, outcome)
        do {
            _ = try await handler.logIn(with: .pin(.typed(pin)), signing: nil)
        } catch  where error is AuthenticationError {
            let vault = home.vault(witness: writes.witness)
            var account = try vault.accounts()[0]
            let found = account.record
            noting(&account.record)
            if account.record != found { try await vault.locked().save(account) }
        }
        _ = try await handler.oneTimeCode(pin: .typed(pin))
        #expect(try home.contents().filter { $0.key.hasPrefix("secrets/") } == secrets)
        return (writes.all, try Files(of: home))
    }

    @Test func `Writes are equal for a right and a wrong PIN (SEC-24)`()
        async throws
    {
        let right = try await trace(typing: "271905")
        let wrong = try await trace(typing: "98264107")
        #expect(right.writes == wrong.writes)
        #expect(right.files == wrong.files)
        #expect(right.writes.count > 20)
    }

    @Test func `a faulty build that records a wrong PIN is detected`() async throws {
        let right = try await trace(typing: "271905")
        let wrong = try await trace(typing: "98264107") {
            $0.awaitsPINChange = true
        }
        #expect(right.writes != wrong.writes)
        #expect(right.files != wrong.files)
    }

    /// Shows that the check finds builds that store a length, a check value or a flag.
    @Test(
        arguments: [
            { record, pin in record.user.counter = Counter(UInt64(pin.utf8.count)) },
            { record, pin in
                record.place = UInt32(pin.utf8.reduce(0) { $0 &* 31 &+ Int($1) } & 0xff)
            },
            { record, pin in record.awaitsPINChange = pin.hasPrefix("2") },
        ] as [@Sendable (inout AccountRecord, String) -> Void]
    )
    func `a faulty build that stores a check value is detected`(
        _ keep: @Sendable (inout AccountRecord, String) -> Void
    ) async throws {
        let spoil = { (account: OpenAccount, pin: String) -> OpenAccount? in
            var account = account
            keep(&account.record, pin)
            return account
        }
        let one = try await files("271905", spoiling: spoil)
        let other = try await files("98264107", spoiling: spoil)
        #expect(one != other)
    }

    @Test func `a faulty build that hides a check value in the secret store is detected`()
        async throws
    {
        let hide = { (store: SecretFolder, pin: String) in
            let digits = Array(pin.utf8.prefix(1))
            try store.store(try SecretBytes(copying: digits.span), named: "first")
        }
        let spoiled = try await files("271905", hiding: hide)
        #expect(!spoiled.hasOnlyKeys(of: 2))
    }
}

extension Randomness {
    /// The same bytes for each new instance.
    static func repeated(from seed: UInt64) -> Randomness {
        let source = RepeatedBytes(seed)
        return Randomness(
            bytes: { (count: Int) throws(CryptographyFailure) in source.next(count) },
            secret: { (count: Int) throws(CryptographyFailure) in
                let bytes = source.next(count)
                return try SecureBytes(copying: bytes.span)
            }
        )
    }
}

/// `@unchecked`: all state is used under the lock.
private final class RepeatedBytes: @unchecked Sendable {
    private let lock = NSLock()
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    func next(_ count: Int) -> [UInt8] {
        lock.withLock {
            (0..<count).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 33)
            }
        }
    }
}

/// All writes in their order.
///
/// `@unchecked`: all state is used under the lock.
private final class Writes: @unchecked Sendable {
    private let lock = NSLock()
    private var points: [PrivateFolder.WritePoint] = []

    var all: [PrivateFolder.WritePoint] { lock.withLock { points } }

    var witness: @Sendable (PrivateFolder.WritePoint) throws(FileFailure) -> Void {
        { [self] point throws(FileFailure) in lock.withLock { points.append(point) } }
    }
}
