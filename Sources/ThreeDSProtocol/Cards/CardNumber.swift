package import Cryptography

/// The number of a payment card: 13 to 19 digits.
///
/// Some cards have no check digit, so none is compared.
///
/// It is in locked memory, wiped at its end, and never printed, reflected or encoded. Only the
/// message that must contain it writes it, and only its fingerprint is stored. The text from which
/// it was made is not wiped here: a program that reads card numbers wipes all memory it frees.
package final class CardNumber: Sendable {
    private let digits: SecureBytes

    /// Nil for other characters and other lengths.
    package init?(_ digits: Span<UInt8>) throws(CryptographyFailure) {
        guard Self.isNumber(digits) else { return nil }
        self.digits = try SecureBytes(copying: digits)
    }

    func withDigits(_ body: (Span<UInt8>) -> Void) {
        digits.withBytes(body)
    }

    /// A keyed hash: without the key, an attacker cannot try all numbers.
    package func fingerprint(
        _ key: borrowing CardFingerprint.Key
    ) throws(CryptographyFailure) -> CardFingerprint {
        try digits.withBytes { digits throws(CryptographyFailure) in
            CardFingerprint(
                digest: try key.hash.authenticate(digits),
                lastFour: String(decoding: digits.extracting(last: 4).array, as: UTF8.self)
            )
        }
    }

    /// The lengths of ISO/IEC 7812-1.
    package static func isNumber(_ digits: Span<UInt8>) -> Bool {
        guard (13...19).contains(digits.count) else { return false }
        for index in digits.indices {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digits[index]) else {
                return false
            }
        }
        return true
    }
}

extension CardNumber: Equatable {
    /// Takes a time that depends only on the lengths.
    package static func == (left: CardNumber, right: CardNumber) -> Bool {
        left.digits.equalsInConstantTime(right.digits)
    }
}

extension CardNumber: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "<card number>" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// All that is stored of a card number.
package struct CardFingerprint: Equatable, Sendable {
    package let digest: Digest
    package let lastFour: String

    /// The key of fingerprints, for HMAC with SHA-256.
    ///
    /// One task at a time may use it, as with `HMAC`.
    package struct Key: ~Copyable {
        fileprivate let hash: HMAC

        package static let minimumByteCount = 32

        package init(_ bytes: borrowing SecureBytes) throws(CryptographyFailure) {
            guard bytes.count >= Self.minimumByteCount else { throw .invalidArgument }
            hash = try HMAC(.sha256, key: bytes)
        }
    }
}
