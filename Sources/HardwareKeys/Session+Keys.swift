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
        let key = try privateKey(label)
        let publicKeys = try objects(with: Self.named(label, CKO_PUBLIC_KEY))
        guard !publicKeys.isEmpty else { throw .keyMissing(label: label) }
        let use = try KeyProof(of: key, for: use, in: self)
        for object in publicKeys {
            if let publicKey = try publicKey(object), try use.isBy(publicKey) {
                return (key, publicKey)
            }
        }
        throw .otherKey(label: label)
    }

    /// Finds the key of a known public key, whatever public objects the token has meanwhile.
    func handle(
        _ label: String,
        for use: SecurityModule.KeyUse,
        of publicKey: P256.PublicKey
    ) throws(Failure) -> CK_OBJECT_HANDLE {
        let key = try privateKey(label)
        guard try KeyProof(of: key, for: use, in: self).isBy(publicKey) else {
            throw .otherKey(label: label)
        }
        return key
    }

    private func privateKey(_ label: String) throws(Failure) -> CK_OBJECT_HANDLE {
        let keys = try objects(with: Self.named(label, CKO_PRIVATE_KEY))
        guard let key = keys.first else { throw .keyMissing(label: label) }
        guard keys.count == 1 else { throw .severalKeys(label: label) }
        guard
            try bytes(CKA_SENSITIVE, of: key, atMost: 1) == [1],
            try bytes(CKA_EXTRACTABLE, of: key, atMost: 1) == [0]
        else { throw .extractable(label: label) }
        return key
    }

    /// Nil for a key on another curve, or without a point.
    private func publicKey(_ object: CK_OBJECT_HANDLE) throws(Failure) -> P256.PublicKey? {
        let encoded: [UInt8]
        do throws(Failure) {
            encoded = try bytes(CKA_EC_POINT, of: object, atMost: Self.maximumEncodedPoint)
        } catch .call(_, let code) where Self.codesOfUnusablePoints.contains(code) {
            return nil
        }
        let point = Self.unwrapped(encoded)
        // `try?`: a point of another curve is not a point of this one.
        return try? P256.PublicKey(uncompressedPoint: point.span)
    }

    /// Some libraries do not wrap the point in an OCTET STRING.
    ///
    /// Such a point can begin with the same two bytes, so its length decides.
    static func unwrapped(_ encoded: [UInt8]) -> [UInt8] {
        let isWrapped =
            encoded.count == wrapping.count + P256.uncompressedPointByteCount
            && encoded.starts(with: wrapping)
        return isWrapped ? Array(encoded.dropFirst(wrapping.count)) : encoded
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
