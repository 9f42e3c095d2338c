import Cryptography

/// Secret bytes of any length: a key in somebody else's document, a PIN, a password.
///
/// They lie in locked memory and are wiped when the last reference goes. They make no code:
/// `Secret(importing:)` decides whether they are fit to.
public struct SecretBytes: Sendable {
    public static let maximumByteCount = 512

    private let storage: Storage

    init(_ bytes: consuming SecureBytes) throws(Secret.Failure) {
        try Self.checkLength(bytes.count)
        self.init(checked: bytes)
    }

    /// Takes bytes whose length fits.
    init(checked bytes: consuming SecureBytes) {
        storage = Storage(bytes)
    }

    public init(copying bytes: Span<UInt8>) throws(Secret.Failure) {
        // Before any is copied: locked memory is scarce, and others need it too.
        try Self.checkLength(bytes.count)
        let copy: SecureBytes
        do throws(CryptographyFailure) {
            copy = try SecureBytes(copying: bytes)
        } catch {
            throw Secret.Failure(error)
        }
        try self.init(copy)
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

    func withSecureBytes<Result: ~Copyable, Failure: Error>(
        _ body: (borrowing SecureBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(storage.bytes)
    }

    /// Lets several values refer to one secret, which is wiped with the last of them.
    private final class Storage: Sendable {
        let bytes: SecureBytes

        init(_ bytes: consuming SecureBytes) {
            self.bytes = bytes
        }
    }
}

extension SecretBytes {
    /// Reads base32 (RFC 4648, section 6) in either case, padded or not.
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
        // In no encoding does a byte take more than two characters.
        guard text.utf8.count <= 2 * Self.maximumByteCount else {
            throw .tooLong
        }
        let decoded: SecureBytes
        do throws(CryptographyFailure) {
            decoded = try encoding.decode(secret: text.utf8.span)
        } catch {
            throw Secret.Failure(error)
        }
        try self.init(decoded)
    }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
    public var description: String { "<redacted>" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension SecretBytes: Equatable {
    /// Compares in a time that depends on the lengths alone.
    public static func == (left: SecretBytes, right: SecretBytes) -> Bool {
        left.storage.bytes.equalsInConstantTime(right.storage.bytes)
    }
}

extension Secret.Failure {
    init(_ failure: CryptographyFailure) {
        self =
            switch failure {
            case .malformedEncoding(let offset): .malformedText(offset: offset)
            default: .machine(SystemFailure(failure))
            }
    }
}
