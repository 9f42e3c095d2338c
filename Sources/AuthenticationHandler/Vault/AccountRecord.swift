import Cryptography
import OneTimePassword
import TransactionApproval

/// What the vault holds of one account: a file of its own, replaced as a whole.
///
/// Nothing in it depends on the PIN, and without the device's secrets, which lie elsewhere, it is of
/// no use to anybody.
struct AccountRecord: Equatable, Sendable {
    enum State: Equatable, Sendable {
        /// The seeds are on their way by this message: whether the verifier has them must be asked.
        case pending(SentCommit)
        case active
    }

    /// Names the file, the device key and the other secrets.
    let device: DeviceID
    /// The place among the accounts, in the order in which they were set up.
    var place: UInt32
    let enterprise: EnterpriseID
    var account: AccountKey
    let server: ServerOrigin
    let agreementKey: P256.PublicKey
    var signingKey: P256.PublicKey
    /// What the server announced that it will sign with one day.
    var nextSigningKey: P256.PublicKey?
    var state: State
    /// Whether a change of the PIN has not come to this account yet.
    var awaitsPINChange = false
    var policy: DevicePolicy
    var user: CredentialRecord
    var deviceCredential: CredentialRecord
    /// Nil where biometrics are not turned on.
    var biometric: CredentialRecord?
}

/// One credential: what its seed is made from, and which code is next.
struct CredentialRecord: Equatable, Sendable {
    let id: CredentialID
    /// The next counter that was never used.
    var counter: Counter
    var epoch: Epoch
    var ingredients: SeedIngredients
    /// Those of a rekey that was sent: whether the verifier took it must be asked.
    var proposed: SeedIngredients?
}

/// The stored part of one generation of a seed.
struct SeedIngredients: Equatable, Sendable {
    static let shareByteCount = 32
    static let saltByteCount = 16

    let generation: Generation
    /// 32 random bytes.
    let share: [UInt8]
    /// For stretching the PIN: random, and what one try costs.
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

    /// Nil where there is none of this kind.
    func credential(_ kind: CredentialKind) -> CredentialRecord? {
        switch kind {
        case .user: user
        case .device: deviceCredential
        case .biometric: biometric
        }
    }

    /// Takes the place of the one of this kind.
    mutating func set(_ credential: CredentialRecord, _ kind: CredentialKind) {
        switch kind {
        case .user: user = credential
        case .device: deviceCredential = credential
        case .biometric: biometric = credential
        }
    }
}
