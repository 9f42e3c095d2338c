import Cryptography
import Foundation
import PrivateFiles
import TestSupport
import TransactionApproval
import VerifierServer
import VerifierWorld

@testable import AuthenticationHandler

/// A bank, and a person's device that uses the library over the real routes of the verifier.
struct World {
    static let origin = "https://approve.bank.example"
    static let pin = "271905"
    static let newPIN = "538091"
    static let wrongPIN = "640285"
    /// A policy that accepts small payments without a PIN.
    static let allowingConsent = """
        {"authentication": ["consent", "userPIN"],
         "consentCeilings": [{"currency": "EUR", "minorUnits": 3000}]}
        """

    private(set) var bank: Bank
    let line: Line
    /// How far the device's clock is ahead of the bank's.
    var clockError = Duration.zero
    /// Nil if the device has no biometrics.
    var biometrics: BiometricProgram?
    private var responseKey: P256.PrivateKey
    private let folder: TemporaryFolder

    init(policy: String = "{}") async throws {
        try self.init(at: try await Bank(policy: policy))
    }

    init(at bank: Bank) throws {
        self.bank = bank
        responseKey = try P256.PrivateKey()
        folder = try TemporaryFolder()
        line = Line(to: try Self.api(of: bank, signingWith: responseKey))
    }

    private static func api(
        of bank: Bank,
        signingWith key: P256.PrivateKey
    ) throws -> DeviceAPI {
        try DeviceAPI(
            bank.verifier,
            at: ServerOrigin(origin).unwrapped(),
            signingWith: key
        )
    }

    /// Continues with the restarted bank.
    mutating func use(_ bank: Bank) throws {
        self.bank = bank
        line.lead(to: try Self.api(of: bank, signingWith: responseKey))
    }

    /// Restarts the verifier with a response key that it did not announce.
    mutating func replaceResponseKey() throws {
        responseKey = try P256.PrivateKey()
        line.lead(to: try Self.api(of: bank, signingWith: responseKey))
    }

    var trusted: TrustedServer {
        get throws {
            TrustedServer(
                origin: try ServerOrigin(Self.origin).unwrapped(),
                agreementKey: bank.agreementKey.publicKey,
                signingKey: responseKey.publicKey
            )
        }
    }

    // MARK: The device

    /// The app after a restart: its memory is empty.
    func app(
        witness: @escaping @Sendable (PrivateFolder.WritePoint) throws(FileFailure) -> Void = {
            _ in
        }
    ) throws -> AuthenticationHandler {
        var dependencies = Dependencies()
        let (clock, error) = (bank.clock, clockError)
        dependencies.now = { clock.now + error }
        dependencies.pinCost = .floor
        return AuthenticationHandler(
            vault: Vault(
                folder: PrivateFolder(folder.path + "/vault", observer: witness),
                secretStore: SecretFolder(folder.path + "/secrets")
            ),
            deviceName: try DeviceName("Phone").unwrapped(),
            transport: line,
            biometrics: biometrics,
            dependencies: dependencies
        )
    }

    /// Runs both steps, and returns the outcome of each account.
    @discardableResult
    func activate(
        _ id: String = "4711",
        pin: String = pin
    ) async throws -> [Enrolment] {
        let app = try app()
        let verified = try await app.verifyActivation(try await activation(of: id))
        return try await app.setPIN(.typed(pin), for: verified)
    }

    /// The activation id and code of the person.
    func activation(of id: String = "4711") async throws -> Activation {
        try activation(by: try await bank.letter(for: id))
    }

    func activation(by letter: Letter) throws -> Activation {
        try Activation(id: letter.id, code: letter.code.span, at: trusted)
    }

    /// The folder of vault and secrets.
    var path: String { folder.path }

    /// The files of the vault.
    func fileNames() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path + "/vault")
    }

    /// Keeps a copy of the vault, which `putVaultBack` restores.
    func backUpVault() throws {
        try FileManager.default.copyItem(
            atPath: folder.path + "/vault",
            toPath: folder.path + "/copy"
        )
    }

    func putVaultBack() throws {
        try FileManager.default.removeItem(atPath: folder.path + "/vault")
        try FileManager.default.moveItem(
            atPath: folder.path + "/copy",
            toPath: folder.path + "/vault"
        )
    }
}

extension Account {
    /// An account of the bank of these tests.
    static func named(_ id: String) throws -> Account {
        try Account(enterprise: "bank", type: "main", id: id).unwrapped()
    }
}

extension PIN {
    static func typed(_ digits: String) throws -> PIN {
        let bytes = Array(digits.utf8)
        return try PIN(copying: bytes.span)
    }
}
