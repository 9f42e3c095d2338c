import Cryptography
import OneTimePassword
import TransactionApproval

/// What of one device lies outside of the vault.
///
/// Several operations hold it at a time; it is wiped with the last of them.
final class DeviceSecrets: Sendable {
    static let version: UInt8 = 1
    static let partByteCount = 32

    /// A part of every seed, so that a copy of the vault is none.
    let storeSecret: SecureBytes
    /// What takes the PIN's place in the device credential.
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

    /// New ones for a device that has its key already.
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

// MARK: As the store has them

extension DeviceSecrets {
    /// A version and the three parts, each of 32 bytes.
    func stored() throws(CryptographyFailure) -> SecretBytes {
        let parts = try SecureBytes(joining: storeSecret, devicePIN)
        let scalar = try key.scalar()
        let all = try SecureBytes(joining: parts, scalar)
        let version = [Self.version]
        let secret = try all.withBytes { all throws(CryptographyFailure) in
            try SecureBytes(joining: version.span, all)
        }
        do throws(Secret.Failure) {
            return try secret.withBytes { bytes throws(Secret.Failure) in
                try SecretBytes(copying: bytes)
            }
        } catch {
            throw .secureHeap(.full)
        }
    }

    /// Nil for all but what `stored()` gives.
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
