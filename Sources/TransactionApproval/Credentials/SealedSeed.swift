package import Cryptography

/// An AES-GCM nonce of 12 bytes; never used twice with the same key.
package struct SealingNonce: Equatable, Sendable {
    package let bytes: [UInt8]

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

/// A seed, sealed with AES-256-GCM for the verifier.
package struct SealedSeed: Equatable, Sendable {
    package static let ciphertextByteCount = CredentialSeed.byteCount + AESGCM.tagByteCount

    package let nonce: SealingNonce
    /// Ends with the tag.
    package let ciphertext: [UInt8]

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

    /// Nil if key or associated data are wrong.
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
