import Cryptography
import OneTimePassword

/// The 32 bytes that a provider released, for the one operation that asked for them.
struct BiometricKey: ~Copyable, Sendable {
    let bytes: SecureBytes

    /// Nil where there are not 32 bytes, or no memory for secrets is left.
    init?(_ secret: SecretBytes) {
        guard secret.byteCount == DeviceSecrets.partByteCount else { return nil }
        let copy = secret.withBytes { try? SecureBytes(copying: $0) }
        guard let copy else { return nil }
        bytes = copy
    }
}
