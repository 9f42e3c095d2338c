import Foundation
import OneTimePassword
import PrivateFiles
import TestSupport

@testable import AuthenticationHandler
@testable import Cryptography
@testable import TransactionApproval

/// A vault and a secret store in one temporary folder.
struct Home {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    var vaultPath: String { folder.path + "/vault" }
    var secretsPath: String { folder.path + "/secrets" }

    func vault(
        witness: @escaping @Sendable (PrivateFolder.WritePoint) throws(FileFailure) -> Void = {
            _ in
        }
    ) -> Vault {
        Vault(
            folder: PrivateFolder(vaultPath, observer: witness),
            secretStore: SecretFolder(secretsPath)
        )
    }

    /// Every file of both folders with its contents.
    func contents() throws -> [String: Data] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return paths.reduce(into: [:]) { files, path in
            let file = URL(filePath: folder.path + "/" + path)
            // Folders have no contents: `try?`.
            files[path] = try? Data(contentsOf: file)
        }
    }

    /// Adds one account and returns it.
    @discardableResult
    func addAccount(
        _ id: String = "4711",
        place: UInt32 = 0,
        to vault: Vault
    ) async throws -> OpenAccount {
        let account = OpenAccount(
            record: try .sample(id, place: place),
            secrets: try .random(P256.PrivateKey(), by: .system)
        )
        let locked = try await vault.locked()
        try locked.add(account)
        return account
    }
}

extension AccountRecord {
    static func sample(
        _ id: String = "4711",
        at server: String = "https://approve.bank.example",
        agreeingWith agreementKey: P256.PublicKey? = nil,
        place: UInt32 = 0,
        cost: Argon2id.Cost = .floor
    ) throws -> AccountRecord {
        AccountRecord(
            device: try .random(),
            place: place,
            enterprise: EnterpriseID(checked: "bank"),
            account: AccountKey(type: AccountType(checked: "main"), id: AccountID(checked: id)),
            server: try ServerOrigin(server).unwrapped(),
            agreementKey: try agreementKey ?? P256.PrivateKey().publicKey,
            signingKey: try P256.PrivateKey().publicKey,
            state: .active,
            policy: .sample,
            user: try .sample(cost),
            deviceCredential: try .sample(cost)
        )
    }
}

extension CredentialRecord {
    static func sample(_ cost: Argon2id.Cost = .floor) throws -> CredentialRecord {
        var dependencies = Dependencies()
        dependencies.pinCost = cost
        return CredentialRecord(
            id: try .random(),
            counter: Counter(7),
            epoch: Epoch(0),
            ingredients: try .random(.first, in: dependencies)
        )
    }
}

extension DevicePolicy {
    static let sample = DevicePolicy(
        pin: .default,
        authentication: [.consent, .userPIN],
        returnAddresses: [ReturnAddress("https://bank.example")].compactMap { $0 }
    )
}

func secretBytes(_ text: String) throws -> SecureBytes {
    let bytes = Array(text.utf8)
    return try SecureBytes(copying: bytes.span)
}

extension DeviceSecrets {
    func areSame(as other: DeviceSecrets) -> Bool {
        storeSecret.equalsInConstantTime(other.storeSecret)
            && devicePIN.equalsInConstantTime(other.devicePIN)
            && key.publicKey == other.key.publicKey
    }
}

extension Home {
    /// A handler over this home, with the server's clock.
    func handler(
        _ server: any HTTPTransport,
        clock: @autoclosure @escaping @Sendable () -> Timestamp = ScriptedServer.now,
        randomness: Randomness = .system,
        biometrics: (any BiometricProvider)? = nil,
        witness: @escaping @Sendable (PrivateFolder.WritePoint) throws(FileFailure) -> Void = {
            _ in
        }
    ) throws -> AuthenticationHandler {
        var dependencies = Dependencies()
        dependencies.now = clock
        dependencies.randomness = randomness
        dependencies.pinCost = .floor
        return AuthenticationHandler(
            vault: vault(witness: witness),
            deviceName: try DeviceName("Phone").unwrapped(),
            transport: server,
            biometrics: biometrics,
            dependencies: dependencies
        )
    }

    /// An account that the given server knows.
    func addAccount(
        _ id: String = "4711",
        of server: ScriptedServer,
        _ change: (inout AccountRecord) throws -> Void = { _ in }
    ) async throws -> OpenAccount {
        var sample = try AccountRecord.sample(
            id,
            at: server.origin,
            agreeingWith: server.agreementKey.publicKey
        )
        sample.signingKey = server.signingKey.publicKey
        try change(&sample)
        let account = OpenAccount(
            record: sample,
            secrets: try .random(P256.PrivateKey(), by: .system)
        )
        server.know(account)
        let locked = try await vault().locked()
        try locked.add(account)
        return account
    }
}

extension Home {
    /// Changes the only account.
    func change(_ change: (inout AccountRecord) -> Void) async throws {
        let vault = vault()
        let locked = try await vault.locked()
        var account = try vault.accounts()[0]
        change(&account.record)
        try locked.save(account)
    }
}

extension PIN {
    static func typed(_ digits: String) throws -> PIN {
        let bytes = Array(digits.utf8)
        return try PIN(copying: bytes.span)
    }
}

extension Vault {
    /// All accounts, if none is lost.
    func accounts() throws(Failure) -> [OpenAccount] {
        let contents = try contents()
        if let damaged = contents.damaged.first { throw damaged.failure }
        return contents.accounts
    }
}

extension TransactionExchange.Response {
    init(transaction: Transaction, typedDigits: TypedNumber.Length? = nil) {
        self.init(canonicalBytes: transaction.canonicalBytes, typedDigits: typedDigits)
    }
}

extension Transaction {
    static func sample(
        _ account: String = "4711",
        id: String = "T-1",
        in enterprise: String = "bank",
        accepting types: AuthenticationTypes = [.consent, .userPIN],
        reference: String? = nil,
        returnURL: String? = nil
    ) throws -> Transaction {
        try Transaction(
            enterprise: EnterpriseID(checked: enterprise),
            id: TransactionID(checked: id),
            account: AccountKey(
                type: AccountType(checked: "main"),
                id: AccountID(checked: account)
            ),
            content: .init(
                context: .payment,
                title: DisplayText("Transfer"),
                amounts: [
                    Amount(decimal: "47.11", currency: Currency("EUR").unwrapped()).unwrapped()
                ],
                payees: [
                    .init(
                        name: DisplayText("Shop"),
                        recipient: .account(AccountNumber("A1").unwrapped())
                    )
                ]
            ),
            reference: reference.map { ExternalReference(checked: $0) },
            returnURL: returnURL.flatMap { ReturnURL($0) },
            acceptedAuthentication: types,
            created: ScriptedServer.now,
            deadline: ScriptedServer.now + .seconds(120),
            epoch: 0,
            nonce: .random()
        )
    }
}

/// Runs `body` while all memory for secrets is in use, in the process of an exit test.
func withoutMemoryForSecrets(_ body: () async throws -> Void) async throws {
    var blocks: [SecretBytes] = []
    for byteCount in [SecretBytes.maximumByteCount, 1] {
        let bytes = [UInt8](repeating: 1, count: byteCount)
        // It fails when all memory is in use: `try?`.
        while let block = try? SecretBytes(copying: bytes.span) { blocks.append(block) }
    }
    try await body()
    withExtendedLifetime(blocks) {}
}
