import Cryptography

/// 16 bytes that name something, in 32 lower-case hexadecimal digits wherever they are text.
package protocol HexadecimalIdentifier:
    Hashable, Comparable, Codable, Sendable, CustomStringConvertible
{
    var bytes: [UInt8] { get }

    /// Takes bytes of which `init(_:)` has counted 16.
    init(checked bytes: [UInt8])
}

extension HexadecimalIdentifier {
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

    package var description: String { TextEncoding.hexadecimal.encode(bytes.span) }

    package static func < (left: Self, right: Self) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

// In JSON it is its text.
extension HexadecimalIdentifier {
    package init(from decoder: any Decoder) throws {
        self = try decoder.value(of: String.self) { Self($0) }
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.write(description)
    }
}
