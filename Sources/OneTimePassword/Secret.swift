package import Cryptography

/// A secret that codes are made from: at least 16 bytes (RFC 4226, section 4, R6).
///
/// The bytes lie in locked memory that is kept out of core dumps, and are wiped when the last
/// reference goes. A secret does not print, reflect or encode itself.
public struct Secret: Sendable {
    public enum Failure: Error, Equatable, Sendable {
        case tooShort(byteCount: Int)
        case tooLong
        /// Not in the encoding it was read as; `offset` counts bytes of the text.
        case malformedText(offset: Int)
        case machine(SystemFailure)
    }

    public static let minimumByteCount = 16

    private let secretBytes: SecretBytes

    /// Takes a secret from outside in; one too short is refused.
    public init(importing secretBytes: SecretBytes) throws(Failure) {
        guard secretBytes.byteCount >= Self.minimumByteCount else {
            throw .tooShort(byteCount: secretBytes.byteCount)
        }
        self.secretBytes = secretBytes
    }

    public init(copying bytes: Span<UInt8>) throws(Failure) {
        try self.init(importing: try SecretBytes(copying: bytes))
    }

    /// Makes a new one; 32 bytes serve every algorithm here.
    public static func random(byteCount: Int = 32) throws(Failure) -> Secret {
        guard byteCount >= minimumByteCount else { throw .tooShort(byteCount: byteCount) }
        guard byteCount <= SecretBytes.maximumByteCount else {
            throw .tooLong
        }
        let bytes: SecureBytes
        do throws(CryptographyFailure) {
            bytes = try SecureBytes.random(count: byteCount)
        } catch {
            throw Failure(error)
        }
        return try Secret(importing: try SecretBytes(bytes))
    }

    /// Takes a key that this package derived; one too short is our own mistake.
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
