package import Cryptography

/// The 32 secret bytes of a credential, which device and verifier share.
///
/// Nothing is computed with them directly: each use has a subkey, bound to the credential.
package struct CredentialSeed: ~Copyable, Sendable {
    package static let byteCount = 32

    private let bytes: SecureBytes

    /// Nil where there are not 32 bytes.
    package init?(_ bytes: consuming SecureBytes) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    private init(checked bytes: consuming SecureBytes) {
        self.bytes = bytes
    }

    package static func random() throws(CryptographyFailure) -> CredentialSeed {
        CredentialSeed(checked: try .random(count: byteCount))
    }

    package borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withBytes(body)
    }

    /// 32 bytes for one use of one credential.
    borrowing func subkey(
        _ use: Label,
        of credential: CredentialContext
    ) throws(CryptographyFailure) -> SecureBytes {
        var info = FieldWriter(use)
        info.append(credential)
        let infoBytes = info.bytes
        return try HKDF.expand(from: bytes, info: infoBytes.span, byteCount: 32)
    }
}
