package import Cryptography
import FailureTranslation

/// The secret key of one-time passwords: at least 16 bytes (RFC 4226, section 4, R6).
///
/// The bytes are in locked memory that core dumps exclude, and are wiped with the last reference. A
/// secret cannot be printed, reflected or encoded. `SecretBytes` are the same without the minimum
/// length.
public struct Secret: Sendable {
    public enum Failure: Error, Equatable, Sendable {
        case tooShort(byteCount: Int)
        case tooLong
        /// Not in the expected encoding; `offset` counts bytes of the text.
        case malformedText(offset: Int)
        case system(SystemFailure)
    }

    public static let minimumByteCount = 16

    private let secretBytes: SecretBytes

    /// Imports an existing secret; one that is too short is rejected.
    public init(importing secretBytes: SecretBytes) throws(Failure) {
        guard secretBytes.byteCount >= Self.minimumByteCount else {
            throw .tooShort(byteCount: secretBytes.byteCount)
        }
        self.secretBytes = secretBytes
    }

    public init(copying bytes: Span<UInt8>) throws(Failure) {
        try self.init(importing: try SecretBytes(copying: bytes))
    }

    /// Generates a secret; 32 bytes are enough for every algorithm here.
    public static func random(byteCount: Int = 32) throws(Failure) -> Secret {
        guard byteCount >= minimumByteCount else { throw .tooShort(byteCount: byteCount) }
        guard byteCount <= SecretBytes.maximumByteCount else { throw .tooLong }
        let bytes = try translating(SecureBytes.random(count: byteCount), to: Failure.init)
        return try Secret(importing: try SecretBytes(bytes))
    }

    /// Wraps a key that this package derived; a wrong length is a programming error.
    package init(derived bytes: consuming SecureBytes) {
        precondition((Self.minimumByteCount...SecretBytes.maximumByteCount).contains(bytes.count))
        secretBytes = SecretBytes(checked: bytes)
    }

    public var byteCount: Int { secretBytes.byteCount }

    public func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try secretBytes.withBytes(body)
    }

    func withSecureBytes<Result: ~Copyable, Failure: Error>(
        _ body: (borrowing SecureBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try secretBytes.withSecureBytes(body)
    }
}

extension Secret: CustomStringConvertible, CustomReflectable {
    public var description: String { "<redacted>" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
