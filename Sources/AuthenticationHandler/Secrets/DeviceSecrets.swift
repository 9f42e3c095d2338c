import Cryptography
import OneTimePassword
import TransactionApproval

/// The secrets of one device, which are outside the vault.
///
/// They are wiped when the last operation that uses them ends.
final class DeviceSecrets: Sendable {
    static let version: UInt8 = 1
    static let partByteCount = 32

    /// A part of every seed, so that a copy of the vault alone is useless.
    let storeSecret: SecureBytes
    /// The device credential uses it instead of a PIN.
    let devicePIN: SecureBytes
    let key: P256.PrivateKey

    init(
        storeSecret: consuming SecureBytes,
        devicePIN: consuming SecureBytes,
        key: P256.PrivateKey
    ) {
        self.storeSecret = storeSecret
        self.devicePIN = devicePIN
        self.key = key
    }

    static func random(
        _ key: P256.PrivateKey,
        by randomness: Randomness
    ) throws(CryptographyFailure) -> DeviceSecrets {
        DeviceSecrets(
            storeSecret: try randomness.secret(partByteCount),
            devicePIN: try randomness.secret(partByteCount),
            key: key
        )
    }
}

// MARK: Stored form

extension DeviceSecrets {
    /// A version byte and three parts of 32 bytes.
    func stored() throws(CryptographyFailure) -> SecretBytes {
        let parts = try SecureBytes(joining: storeSecret, devicePIN)
        let scalar = try key.scalar()
        let all = try SecureBytes(joining: parts, scalar)
        let version = [Self.version]
        let secret = try all.withBytes { all throws(CryptographyFailure) in
            try SecureBytes(joining: version.span, all)
        }
        do throws(Secret.Failure) {
            return try SecretBytes(secret)
        } catch {
            // Only the length is checked.
            throw .invalidArgument
        }
    }

    /// Nil unless the bytes have the form of `stored()`.
    static func read(_ secret: SecretBytes) throws(CryptographyFailure) -> DeviceSecrets? {
        guard secret.byteCount == 1 + 3 * partByteCount else { return nil }
        return try secret.withBytes { bytes throws(CryptographyFailure) -> DeviceSecrets? in
            guard bytes[0] == version else { return nil }
            let scalar = try part(2, of: bytes)
            do throws(CryptographyFailure) {
                return DeviceSecrets(
                    storeSecret: try part(0, of: bytes),
                    devicePIN: try part(1, of: bytes),
                    key: try P256.PrivateKey(scalar: scalar)
                )
            } catch .invalidCurveEncoding {
                return nil
            }
        }
    }

    private static func part(
        _ number: Int,
        of bytes: Span<UInt8>
    ) throws(CryptographyFailure) -> SecureBytes {
        let start = 1 + number * partByteCount
        return try SecureBytes(copying: bytes.extracting(start..<start + partByteCount))
    }
}

extension SecureBytes {
    init(
        joining first: borrowing SecureBytes,
        _ second: borrowing SecureBytes
    ) throws(CryptographyFailure) {
        self = try first.withBytes { first throws(CryptographyFailure) in
            try second.withBytes { second throws(CryptographyFailure) in
                try SecureBytes(joining: first, second)
            }
        }
    }
}
