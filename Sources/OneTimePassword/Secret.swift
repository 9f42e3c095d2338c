import Cryptography

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
        case machine(MachineFailure)
    }

    public static let leastByteCount = 16

    let foreign: ForeignSecret

    /// Takes a secret from outside in; one too short is refused.
    public init(importing foreign: ForeignSecret) throws(Failure) {
        guard foreign.byteCount >= Self.leastByteCount else {
            throw .tooShort(byteCount: foreign.byteCount)
        }
        self.foreign = foreign
    }

    public init(copying bytes: Span<UInt8>) throws(Failure) {
        try self.init(importing: try ForeignSecret(copying: bytes))
    }

    /// Makes a new one; 32 bytes serve every algorithm here.
    public static func random(byteCount: Int = 32) throws(Failure) -> Secret {
        guard byteCount >= leastByteCount else { throw .tooShort(byteCount: byteCount) }
        guard byteCount <= ForeignSecret.largestByteCount else {
            throw .tooLong
        }
        let bytes: SecureBytes
        do throws(CryptographyFailure) {
            bytes = try SecureBytes.random(count: byteCount)
        } catch {
            throw Failure(error)
        }
        return try Secret(importing: try ForeignSecret(bytes))
    }

    public var byteCount: Int { foreign.byteCount }

    public func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try foreign.withBytes(body)
    }

    func withSecureBytes<Result: ~Copyable, Failure: Error>(
        _ body: (borrowing SecureBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try foreign.withSecureBytes(body)
    }
}

extension Secret: CustomStringConvertible, CustomReflectable {
    public var description: String { "<redacted>" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
