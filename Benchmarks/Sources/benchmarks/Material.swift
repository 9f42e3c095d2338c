import Cryptography
import OneTimePassword

/// The keys that both sides use: `keys.h` creates the same keys.
enum Material {
    static let keyCount = 16

    static func bytes(ofKey key: Int, count: Int = 32) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: key * 32 + $0) }
    }

    static func key(_ key: Int) throws -> SecureBytes {
        try SecureBytes(copying: bytes(ofKey: key).span)
    }

    static func secrets(byteCount: Int) throws -> [Secret] {
        try (0..<keyCount).map { try Secret(copying: bytes(ofKey: $0, count: byteCount).span) }
    }
}
