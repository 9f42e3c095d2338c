import Cryptography

/// A PIN, a code or another secret that a person typed or a program passed.
///
/// It is in locked memory, and is wiped when the last reference ends.
package struct TypedSecret: Sendable {
    package static let maximumByteCount = 512

    private final class Storage: Sendable {
        let bytes: SecureBytes

        init(_ bytes: consuming SecureBytes) {
            self.bytes = bytes
        }
    }

    private let storage: Storage

    package init(copying bytes: Span<UInt8>) throws(CommandFailure) {
        guard bytes.count <= Self.maximumByteCount else { throw .secretTooLong }
        storage = Storage(
            try translatingSystemFailure(SecureBytes(copying: bytes), to: CommandFailure.init(_:))
        )
    }

    package func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try storage.bytes.withBytes(body)
    }
}

extension TypedSecret: Equatable {
    /// The time depends on the lengths only.
    package static func == (left: TypedSecret, right: TypedSecret) -> Bool {
        left.storage.bytes.equalsInConstantTime(right.storage.bytes)
    }
}

extension TypedSecret: CustomStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension CommandFailure {
    static var secretTooLong: CommandFailure {
        let limit = TypedSecret.maximumByteCount
        return CommandFailure(
            .malformedInput,
            localized(
                "the input is longer than \(limit) bytes",
                german: "die Eingabe ist länger als \(limit) Bytes"
            )
        )
    }
}
