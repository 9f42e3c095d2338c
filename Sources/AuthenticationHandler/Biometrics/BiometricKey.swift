import Cryptography
import OneTimePassword

/// The 32 bytes that a provider released for one operation.
struct BiometricKey: ~Copyable, Sendable {
    let bytes: SecureBytes

    /// Nil if there are not 32 bytes, or no memory for secrets is left.
    init?(_ secret: SecretBytes) {
        guard secret.byteCount == DeviceSecrets.partByteCount else { return nil }
        let copy = secret.withBytes { try? SecureBytes(copying: $0) }
        guard let copy else { return nil }
        bytes = copy
    }
}
