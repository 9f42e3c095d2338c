import CPKCS11
import Cryptography
import FailureTranslation

/// A session of a token, for one thread at a time.
struct Session: Sendable {
    typealias Failure = SecurityModule.Failure

    let library: Cryptoki
    let slot: CK_SLOT_ID
    let handle: CK_SESSION_HANDLE

    init(_ library: Cryptoki, in slot: CK_SLOT_ID, writes: Bool = false) throws(Failure) {
        var handle: CK_SESSION_HANDLE = 0
        let flags = CKF_SERIAL_SESSION | (writes ? CKF_RW_SESSION : 0)
        try library.call("C_OpenSession") { $0.C_OpenSession?(slot, flags, nil, nil, &handle) }
        (self.library, self.slot, self.handle) = (library, slot, handle)
    }

    func close() {
        // A session that does not close ends with the library at the latest: `try?`.
        try? library.call("C_CloseSession") { $0.C_CloseSession?(handle) }
    }
}

// MARK: Objects

extension Session {
    /// More than a token of a verifier has, also if an attacker adds public objects.
    private static let maximumObjectCount = 4096

    /// All objects with all these attributes; a library may return fewer at a time than exist.
    func objects(with attributes: Attributes) throws(Failure) -> [CK_OBJECT_HANDLE] {
        try attributes.withTemplate { template, count throws(Failure) in
            try library.call("C_FindObjectsInit") {
                $0.C_FindObjectsInit?(handle, template, count)
            }
        }
        var found: [CK_OBJECT_HANDLE] = []
        var (next, count) = ([CK_OBJECT_HANDLE](repeating: 0, count: 64), CK_ULONG(0))
        repeat {
            try library.call("C_FindObjects") {
                $0.C_FindObjects?(handle, &next, CK_ULONG(next.count), &count)
            }
            found += next.prefix(Int(count))
        } while count > 0 && found.count < Self.maximumObjectCount
        try library.call("C_FindObjectsFinal") { $0.C_FindObjectsFinal?(handle) }
        return found
    }

    func bytes(
        _ type: CK_ATTRIBUTE_TYPE,
        of object: CK_OBJECT_HANDLE,
        atMost maximum: Int
    ) throws(Failure) -> [UInt8] {
        var value = [UInt8](repeating: 0, count: maximum)
        let count = try value.withUnsafeMutableBufferPointer { value throws(Failure) in
            try read(type, of: object, to: value)
        }
        return Array(value.prefix(count))
    }

    private func read(
        _ type: CK_ATTRIBUTE_TYPE,
        of object: CK_OBJECT_HANDLE,
        to value: UnsafeMutableBufferPointer<UInt8>
    ) throws(Failure) -> Int {
        var attribute = CK_ATTRIBUTE(
            type: type,
            pValue: UnsafeMutableRawPointer(value.baseAddress),
            ulValueLen: CK_ULONG(value.count)
        )
        try library.call("C_GetAttributeValue") {
            $0.C_GetAttributeValue?(handle, object, &attribute, 1)
        }
        guard attribute.ulValueLen <= value.count else {
            throw .call("C_GetAttributeValue", code: CKR_GENERAL_ERROR)
        }
        return Int(attribute.ulValueLen)
    }

    func generateKeyPair(_ publicHalf: Attributes, _ privateHalf: Attributes) throws(Failure) {
        var mechanism = CK_MECHANISM(
            mechanism: CKM_EC_KEY_PAIR_GEN,
            pParameter: nil,
            ulParameterLen: 0
        )
        var (publicKey, privateKey) = (CK_OBJECT_HANDLE(0), CK_OBJECT_HANDLE(0))
        try publicHalf.withTemplate { publicHalf, publicCount throws(Failure) in
            try privateHalf.withTemplate { privateHalf, privateCount throws(Failure) in
                try library.call("C_GenerateKeyPair") {
                    $0.C_GenerateKeyPair?(
                        handle,
                        &mechanism,
                        publicHalf,
                        publicCount,
                        privateHalf,
                        privateCount,
                        &publicKey,
                        &privateKey
                    )
                }
            }
        }
    }
}

// MARK: Operations

extension Session {
    /// The signature of the message with this SHA-256.
    func signature(
        of digest: [UInt8],
        by key: CK_OBJECT_HANDLE
    ) throws(Failure) -> P256.Signature {
        var mechanism = CK_MECHANISM(mechanism: CKM_ECDSA, pParameter: nil, ulParameterLen: 0)
        try library.call("C_SignInit") { $0.C_SignInit?(handle, &mechanism, key) }
        var (digest, count) = (digest, CK_ULONG(P256.signatureByteCount))
        var signature = [UInt8](repeating: 0, count: P256.signatureByteCount)
        try library.call("C_Sign") {
            $0.C_Sign?(handle, &digest, CK_ULONG(digest.count), &signature, &count)
        }
        do throws(CryptographyFailure) {
            return try P256.Signature(raw: signature.span.extracting(first: Int(count)))
        } catch {
            throw .call("C_Sign", code: CKR_GENERAL_ERROR)
        }
    }

    /// The shared secret, which leaves the token: the caller derives keys from it.
    func sharedSecret(
        with other: P256.PublicKey,
        by key: CK_OBJECT_HANDLE
    ) throws(Failure) -> SecureBytes {
        let derived = try derivedKey(with: other, by: key)
        let secret: SecureBytes
        do throws(Failure) {
            secret = try value(of: derived)
        } catch {
            // The first failure is reported; the object ends with the session: `try?`.
            try? destroy(derived)
            throw error
        }
        try destroy(derived)
        return secret
    }

    /// A secret that stayed in the token could be read by others, and would fill its memory.
    private func destroy(_ object: CK_OBJECT_HANDLE) throws(Failure) {
        try library.call("C_DestroyObject") { $0.C_DestroyObject?(handle, object) }
    }

    private func value(of derived: CK_OBJECT_HANDLE) throws(Failure) -> SecureBytes {
        var result = Result<Int, Failure>.success(0)
        let secret = try onCryptography(
            SecureBytes(writing: P256.coordinateByteCount) { bytes in
                bytes.withUnsafeMutableBufferPointer { bytes in
                    result = Result { () throws(Failure) in
                        try read(CKA_VALUE, of: derived, to: bytes)
                    }
                }
            }
        )
        guard try result.get() == P256.coordinateByteCount else {
            throw .call("C_GetAttributeValue", code: CKR_GENERAL_ERROR)
        }
        return secret
    }

    private func derivedKey(
        with other: P256.PublicKey,
        by key: CK_OBJECT_HANDLE
    ) throws(Failure) -> CK_OBJECT_HANDLE {
        var (point, derived) = (other.uncompressedPoint, CK_OBJECT_HANDLE(0))
        let attributes = Attributes()
            .with(CKA_CLASS, CKO_SECRET_KEY).with(CKA_KEY_TYPE, CKK_GENERIC_SECRET)
            .with(CKA_TOKEN, false).with(CKA_SENSITIVE, false).with(CKA_EXTRACTABLE, true)
            .with(CKA_VALUE_LEN, CK_ULONG(P256.coordinateByteCount))
        try point.withUnsafeMutableBufferPointer { point throws(Failure) in
            var parameters = CK_ECDH1_DERIVE_PARAMS()
            parameters.kdf = CKD_NULL
            parameters.pPublicData = point.baseAddress
            parameters.ulPublicDataLen = CK_ULONG(point.count)
            try withUnsafeMutableBytes(of: &parameters) { parameters throws(Failure) in
                var mechanism = CK_MECHANISM(
                    mechanism: CKM_ECDH1_DERIVE,
                    pParameter: parameters.baseAddress,
                    ulParameterLen: CK_ULONG(parameters.count)
                )
                try attributes.withTemplate { template, count throws(Failure) in
                    try library.call("C_DeriveKey") {
                        $0.C_DeriveKey?(handle, &mechanism, key, template, count, &derived)
                    }
                }
            }
        }
        return derived
    }
}

/// Translates a failure that the HSM did not cause.
func onCryptography<Outcome: ~Copyable>(
    _ body: @autoclosure () throws(CryptographyFailure) -> Outcome
) throws(SecurityModule.Failure) -> Outcome {
    try translatingSystemFailure(body(), to: SecurityModule.Failure.system)
}
