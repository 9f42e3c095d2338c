import Cryptography
import OneTimePassword
import TransactionApproval

/// The stored state of one account: a file that is replaced as a whole.
///
/// Nothing in it depends on the PIN. Without the device secrets, which are elsewhere, it is
/// useless.
struct AccountRecord: Equatable, Sendable {
    enum State: Equatable, Sendable {
        /// This message with the seeds was sent, and its result is unknown.
        case pending(SentCommit)
        case active
    }

    /// The name of the file, of the device key and of the other secrets.
    let device: DeviceID
    /// The position in the order of activation.
    var place: UInt32
    let enterprise: EnterpriseID
    var account: AccountKey
    let server: ServerOrigin
    var agreementKey: P256.PublicKey
    var signingKey: P256.PublicKey
    /// The announced next signing key of the server.
    var nextSigningKey: P256.PublicKey?
    var state: State
    /// Whether this account still has the old PIN after an interrupted change.
    var awaitsPINChange = false
    var policy: DevicePolicy
    var user: CredentialRecord
    var deviceCredential: CredentialRecord
    /// Nil if biometrics are not enabled.
    var biometric: CredentialRecord?
}

/// One credential: the inputs of its seed, and its next counter.
struct CredentialRecord: Equatable, Sendable {
    let id: CredentialID
    /// The next unused counter.
    var counter: Counter
    var epoch: Epoch
    var ingredients: SeedIngredients
    /// The inputs of a rekey that was sent and whose result is unknown.
    var proposed: SeedIngredients?
}

/// The stored inputs of one generation of a seed.
struct SeedIngredients: Equatable, Sendable {
    static let shareByteCount = 32
    static let saltByteCount = 16

    let generation: Generation
    /// 32 random bytes.
    let share: [UInt8]
    /// The salt and the cost for stretching the PIN.
    let salt: [UInt8]
    let cost: Argon2id.Cost
}

extension SeedIngredients: CustomStringConvertible, CustomReflectable {
    var description: String { "<redacted>" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension AccountRecord {
    func context(_ kind: CredentialKind, of credential: CredentialRecord) -> CredentialContext {
        CredentialContext(
            enterprise: enterprise,
            id: credential.id,
            kind: kind,
            generation: credential.ingredients.generation
        )
    }

    /// Nil if there is no credential of this kind.
    func credential(_ kind: CredentialKind) -> CredentialRecord? {
        switch kind {
        case .user: user
        case .device: deviceCredential
        case .biometric: biometric
        }
    }

    /// Replaces the credential of this kind.
    mutating func set(_ credential: CredentialRecord, _ kind: CredentialKind) {
        switch kind {
        case .user: user = credential
        case .device: deviceCredential = credential
        case .biometric: biometric = credential
        }
    }
}
