import Cryptography
import OneTimePassword

/// The 32 bytes that a provider released for one operation.
struct BiometricKey: ~Copyable, Sendable {
    let bytes: SecureBytes

    /// Nil if there are not 32 bytes.
    init?(_ secret: SecretBytes) throws(CryptographyFailure) {
        guard secret.byteCount == DeviceSecrets.partByteCount else { return nil }
        bytes = try secret.withBytes { bytes throws(CryptographyFailure) in
            try SecureBytes(copying: bytes)
        }
    }
}
