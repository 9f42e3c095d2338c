import CPKCS11
import Cryptography

/// A use of a private key in a token, which shows whether a public key belongs to it.
///
/// Devices trust the public key. Anyone who can write public objects could plant another one.
struct KeyProof: ~Copyable {
    typealias Failure = SecurityModule.Failure

    private static let message = Array("countersign key check 1".utf8)

    /// Nil if the key does not sign.
    private let signature: P256.Signature?
    /// Nil if the key derives no secrets.
    private let agreement: Agreement?

    init(
        of key: CK_OBJECT_HANDLE,
        for use: SecurityModule.KeyUse,
        in session: Session
    ) throws(Failure) {
        self.init(
            try use == .sealing ? nil : Self.signature(by: key, in: session),
            try use == .signing ? nil : Agreement(by: key, in: session)
        )
    }

    private init(_ signature: P256.Signature?, _ agreement: consuming Agreement?) {
        self.signature = signature
        self.agreement = agreement
    }

    private static func signature(
        by key: CK_OBJECT_HANDLE,
        in session: Session
    ) throws(Failure) -> P256.Signature {
        let digest = try onCryptography(HashAlgorithm.sha256.digest(of: message.span).array)
        return try session.signature(of: digest, by: key)
    }

    func isBy(_ publicKey: P256.PublicKey) throws(Failure) -> Bool {
        if let signature,
            try !onCryptography(publicKey.isValid(signature, for: Self.message.span))
        {
            return false
        }
        return try agreement?.isBy(publicKey) ?? true
    }
}

/// A secret that a token derived with a new key.
private struct Agreement: ~Copyable {
    private let other: P256.PrivateKey
    private let secret: SecureBytes

    init(by key: CK_OBJECT_HANDLE, in session: Session) throws(SecurityModule.Failure) {
        let other = try onCryptography(P256.PrivateKey())
        secret = try session.sharedSecret(with: other.publicKey, by: key)
        self.other = other
    }

    func isBy(_ publicKey: P256.PublicKey) throws(SecurityModule.Failure) -> Bool {
        let expected = try onCryptography(other.sharedSecret(with: publicKey))
        return secret.equalsInConstantTime(expected)
    }
}
