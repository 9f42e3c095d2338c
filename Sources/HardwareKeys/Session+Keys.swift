import CPKCS11
import Cryptography

/// The keys of the verifier in a token: a private and a public object with the same label.
extension Session {
    func hasKey(_ label: String) throws(Failure) -> Bool {
        try !objects(with: Self.named(label, CKO_PRIVATE_KEY)).isEmpty
    }

    /// Creates a key that cannot leave the token.
    ///
    /// An agreement key also signs, once: the announcement of the key that replaces it.
    func createKey(_ label: String, for use: SecurityModule.KeyUse) throws(Failure) {
        try generateKeyPair(
            Self.named(label, CKO_PUBLIC_KEY)
                .with(CKA_TOKEN, true).with(CKA_PRIVATE, false)
                .with(CKA_VERIFY, use != .sealing).with(CKA_EC_PARAMS, Self.curve)
                .with(CKA_ENCRYPT, false).with(CKA_WRAP, false),
            Self.named(label, CKO_PRIVATE_KEY)
                .with(CKA_TOKEN, true).with(CKA_PRIVATE, true)
                .with(CKA_SENSITIVE, true).with(CKA_EXTRACTABLE, false)
                .with(CKA_SIGN, use != .sealing).with(CKA_DERIVE, use != .signing)
                .with(CKA_DECRYPT, false).with(CKA_UNWRAP, false)
        )
    }

    /// Finds a key, and checks that it cannot leave the token and belongs to its public half.
    ///
    /// Other public keys with the same label are ignored: on many tokens, everyone can add them.
    func key(
        _ label: String,
        for use: SecurityModule.KeyUse
    ) throws(Failure) -> (handle: CK_OBJECT_HANDLE, publicKey: P256.PublicKey) {
        let keys = try objects(with: Self.named(label, CKO_PRIVATE_KEY))
        let publicKeys = try objects(with: Self.named(label, CKO_PUBLIC_KEY))
        guard let key = keys.first, !publicKeys.isEmpty else { throw .keyMissing(label: label) }
        guard keys.count == 1 else { throw .severalKeys(label: label) }
        guard try flag(CKA_SENSITIVE, of: key), try !flag(CKA_EXTRACTABLE, of: key) else {
            throw .extractable(label: label)
        }
        for object in publicKeys {
            guard let publicKey = try publicKey(object) else { continue }
            if try proves(key, use, publicKey) { return (key, publicKey) }
        }
        throw .otherKey(label: label)
    }

    /// Nil for a key on another curve, or without a point.
    private func publicKey(_ object: CK_OBJECT_HANDLE) throws(Failure) -> P256.PublicKey? {
        let encoded: [UInt8]
        do throws(Failure) {
            encoded = try bytes(CKA_EC_POINT, of: object, atMost: Self.maximumEncodedPoint)
        } catch .call(_, let code) where Self.codesOfUnusablePoints.contains(code) {
            return nil
        }
        // Some libraries do not wrap the point in an OCTET STRING.
        let isWrapped = encoded.starts(with: Self.wrapping)
        let point = isWrapped ? Array(encoded.dropFirst(Self.wrapping.count)) : encoded
        // `try?`: a point of another curve is not a point of this one.
        return try? P256.PublicKey(uncompressedPoint: point.span)
    }

    /// Whether the private key belongs to the public key, by a use of both.
    ///
    /// Devices trust the public key. Anyone who can write public objects could plant another one.
    func proves(
        _ key: CK_OBJECT_HANDLE,
        _ use: SecurityModule.KeyUse,
        _ publicKey: P256.PublicKey
    ) throws(Failure) -> Bool {
        if use != .sealing {
            let message = Array("countersign key check 1".utf8)
            let digest = try onCryptography(HashAlgorithm.sha256.digest(of: message.span).array)
            let signature = try signature(of: digest, by: key)
            guard try onCryptography(publicKey.isValid(signature, for: message.span)) else {
                return false
            }
        }
        guard use != .signing else { return true }
        let other = try onCryptography(P256.PrivateKey())
        let secret = try sharedSecret(with: other.publicKey, by: key)
        let expected = try onCryptography(other.sharedSecret(with: publicKey))
        return secret.equalsInConstantTime(expected)
    }

    private static func named(_ label: String, _ kind: CK_OBJECT_CLASS) -> Attributes {
        Attributes()
            .with(CKA_CLASS, kind).with(CKA_KEY_TYPE, CKK_EC).with(CKA_LABEL, Array(label.utf8))
    }

    /// The object identifier of P-256, in DER (RFC 5480, section 2.1.1.1).
    private static let curve: [UInt8] = [
        0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07,
    ]
    /// The start of an OCTET STRING with a point of this curve.
    private static let wrapping = [0x04, UInt8(P256.uncompressedPointByteCount)]
    /// Of any curve.
    private static let maximumEncodedPoint = 256
    private static let codesOfUnusablePoints = [
        CKR_BUFFER_TOO_SMALL, CKR_ATTRIBUTE_TYPE_INVALID, CKR_ATTRIBUTE_SENSITIVE,
    ].map { UInt($0) }
}
