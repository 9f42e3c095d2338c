package import Cryptography
import Transactions

/// The proof of an authentication for the issuer's authorisation host (CAVV): 20 bytes.
///
/// Its form is this project's own, because those of the schemes are confidential. It has one byte
/// each for the format, the number of the key, the status and zero. Then 16 bytes of an HMAC with
/// SHA-256 follow. This file is the one place to replace.
package struct AuthenticationValue: Equatable, Sendable {
    let bytes: Digest

    private static let byteCount = 20
    private static let macByteCount = 16
    private static let format: UInt8 = 1
    private static let label = "countersign authentication value"

    /// Computes the value again at each use: the store does not contain it.
    package init(
        of purchase: AuthenticatedPurchase,
        by basis: AuthenticationBasis,
        under key: borrowing Key
    ) throws(CryptographyFailure) {
        var writer = FieldWriter(reserving: 512)
        writer.append(Self.label)
        purchase.write(to: &writer)
        basis.write(to: &writer)
        let mac = try key.hash.authenticate(writer.bytes.span)
        let head = [Self.format, key.number, basis.status, 0]
        let value = head + mac.array.prefix(Self.macByteCount)
        bytes = Digest(copying: value.span)
    }

    /// Reads a value that a message or a call contains; nil unless it is 20 bytes in base64.
    package init?(_ text: String) {
        // Malformed text is an expected input: `try?`.
        guard text.utf8.count == 28, let decoded = try? TextEncoding.base64.decode(text),
            decoded.count == Self.byteCount
        else { return nil }
        bytes = Digest(copying: decoded.span)
    }

    /// The element `authenticationValue`.
    var text: String { bytes.withBytes { TextEncoding.base64.encode($0) } }

    /// A key by its number, which its values and the rows of the store contain.
    ///
    /// One task at a time may use it, as with `HMAC`.
    package struct Key: ~Copyable {
        package let number: UInt8
        fileprivate let hash: HMAC

        private static let minimumByteCount = 32

        package init(
            number: UInt8,
            _ bytes: borrowing SecureBytes
        ) throws(CryptographyFailure) {
            guard bytes.count >= Self.minimumByteCount else { throw .invalidArgument }
            hash = try HMAC(.sha256, key: bytes)
            self.number = number
        }
    }
}

extension AuthenticationValue: CustomStringConvertible {
    package var description: String { "<authentication value>" }
}
