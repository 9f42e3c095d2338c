package import Cryptography

/// The 32 secret bytes that device and verifier share.
///
/// Only subkeys of it are used.
package struct CredentialSeed: ~Copyable, Sendable {
    package static let byteCount = 32

    private let bytes: SecureBytes

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
