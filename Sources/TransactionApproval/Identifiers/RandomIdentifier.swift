package import Cryptography

/// 16 random bytes: nobody guesses another one, and none says anything about what it names.
package protocol RandomIdentifier: Hashable, Comparable, Sendable, CustomStringConvertible {
    var bytes: [UInt8] { get }

    /// Takes bytes of which `init(_:)` has counted 16.
    init(checked bytes: [UInt8])
}

extension RandomIdentifier {
    package static var byteCount: Int { 16 }

    /// Nil where there are not 16 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(checked: bytes)
    }

    /// Reads what `description` writes, in lower case only: one spelling for each.
    package init?(_ text: String) {
        // A text in no known encoding is no identifier: there is nothing more to say about it.
        guard let bytes = try? TextEncoding.hexadecimal.decode(text), text == text.lowercased()
        else { return nil }
        self.init(bytes)
    }

    package static func random() throws(CryptographyFailure) -> Self {
        Self(checked: try randomBytes(count: byteCount))
    }

    package var description: String { TextEncoding.hexadecimal.encode(bytes.span) }

    package static func < (left: Self, right: Self) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

/// One activated installation, which is also the name of the key that it signs with.
package struct DeviceID: RandomIdentifier {
    package let bytes: [UInt8]
    package init(checked bytes: [UInt8]) { self.bytes = bytes }
}

package struct CredentialID: RandomIdentifier {
    package let bytes: [UInt8]
    package init(checked bytes: [UInt8]) { self.bytes = bytes }
}

/// One try at a decision: asked for again under the same id, it gets the same verdict.
package struct AttemptID: RandomIdentifier {
    package let bytes: [UInt8]
    package init(checked bytes: [UInt8]) { self.bytes = bytes }
}
