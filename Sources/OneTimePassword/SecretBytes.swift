package import Cryptography
import FailureTranslation

/// Secret bytes of any length, such as a key from a document, a PIN or a password.
///
/// They are in locked memory and are wiped with the last reference. They cannot compute codes:
/// `Secret(importing:)` checks whether they are long enough.
public struct SecretBytes: Sendable {
    public static let maximumByteCount = 512

    private let storage: Storage

    package init(_ bytes: consuming SecureBytes) throws(Secret.Failure) {
        try Self.checkLength(bytes.count)
        self.init(checked: bytes)
    }

    /// Takes bytes of a valid length.
    init(checked bytes: consuming SecureBytes) {
        storage = Storage(bytes)
    }

    public init(copying bytes: Span<UInt8>) throws(Secret.Failure) {
        // Checked before copying: locked memory is scarce, and shared.
        try Self.checkLength(bytes.count)
        try self.init(translating(SecureBytes(copying: bytes), to: Secret.Failure.init))
    }

    private static func checkLength(_ byteCount: Int) throws(Secret.Failure) {
        guard byteCount > 0 else { throw .tooShort(byteCount: 0) }
        guard byteCount <= maximumByteCount else { throw .tooLong }
    }

    public var byteCount: Int { storage.bytes.count }

    public func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try storage.bytes.withBytes(body)
    }

    package func withSecureBytes<Result: ~Copyable, Failure: Error>(
        _ body: (borrowing SecureBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(storage.bytes)
    }

    /// Lets several values share one secret, which is wiped with the last of them.
    private final class Storage: Sendable {
        let bytes: SecureBytes

        init(_ bytes: consuming SecureBytes) {
            self.bytes = bytes
        }
    }
}

extension SecretBytes {
    /// Decodes base32 (RFC 4648, section 6) in either case, with or without padding.
    public init(base32 text: String) throws(Secret.Failure) {
        try self.init(text, as: .base32)
    }

    public init(hexadecimal text: String) throws(Secret.Failure) {
        try self.init(text, as: .hexadecimal)
    }

    public init(base64 text: String) throws(Secret.Failure) {
        try self.init(text, as: .base64)
    }

    private init(_ text: String, as encoding: TextEncoding) throws(Secret.Failure) {
        // In every encoding, a byte takes at most two characters.
        guard text.utf8.count <= 2 * Self.maximumByteCount else { throw .tooLong }
        let decoded = try translating(
            encoding.decode(secret: text.utf8.span),
            to: Secret.Failure.init
        )
        try self.init(decoded)
    }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
    public var description: String { "<redacted>" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension SecretBytes: Equatable {
    /// Compares in a time that depends only on the lengths.
    public static func == (left: SecretBytes, right: SecretBytes) -> Bool {
        left.storage.bytes.equalsInConstantTime(right.storage.bytes)
    }
}

extension Secret.Failure {
    init(_ failure: CryptographyFailure) {
        self =
            switch failure {
            case .malformedEncoding(let offset): .malformedText(offset: offset)
            default: .system(SystemFailure(failure))
            }
    }
}
