package import Cryptography

/// The 12 public bytes that AES-GCM must never see twice under one key.
package struct SealingNonce: Equatable, Sendable {
    package let bytes: [UInt8]

    /// Nil where there are not 12 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == AESGCM.nonceByteCount else { return nil }
        self.bytes = bytes
    }

    private init(checked bytes: [UInt8]) {
        self.bytes = bytes
    }

    package static func random() throws(CryptographyFailure) -> SealingNonce {
        SealingNonce(checked: try randomBytes(count: AESGCM.nonceByteCount))
    }
}

/// A seed on its way to the verifier, under AES-256-GCM.
package struct SealedSeed: Equatable, Sendable {
    package static let ciphertextByteCount = CredentialSeed.byteCount + AESGCM.tagByteCount

    package let nonce: SealingNonce
    /// With the tag at its end.
    package let ciphertext: [UInt8]

    /// Nil where the ciphertext is not that of a seed.
    package init?(nonce: SealingNonce, ciphertext: [UInt8]) {
        guard ciphertext.count == Self.ciphertextByteCount else { return nil }
        self.nonce = nonce
        self.ciphertext = ciphertext
    }

    init(
        sealing seed: borrowing CredentialSeed,
        key: borrowing SecureBytes,
        nonce: SealingNonce,
        authenticating associated: [UInt8]
    ) throws(CryptographyFailure) {
        ciphertext = try seed.withBytes { bytes throws(CryptographyFailure) in
            try AESGCM.seal(
                bytes,
                key: key,
                nonce: nonce.bytes.span,
                authenticating: associated.span
            )
        }
        self.nonce = nonce
    }

    /// Nil where seed, key and associated data do not belong together.
    func open(
        key: borrowing SecureBytes,
        authenticating associated: [UInt8]
    ) throws(CryptographyFailure) -> CredentialSeed? {
        do throws(CryptographyFailure) {
            return CredentialSeed(
                try AESGCM.open(
                    ciphertext.span,
                    key: key,
                    nonce: nonce.bytes.span,
                    authenticating: associated.span
                )
            )
        } catch .authenticationFailed {
            return nil
        }
    }
}

extension FieldWriter {
    package mutating func append(_ seed: SealedSeed) {
        append(seed.nonce.bytes)
        append(seed.ciphertext)
    }
}
