import Cryptography

/// 16 bytes, written as 32 lower-case hexadecimal digits.
package protocol HexadecimalIdentifier:
    Hashable, Comparable, Codable, Sendable, CustomStringConvertible
{
    var bytes: [UInt8] { get }

    /// The caller has checked that there are 16 bytes.
    init(checked bytes: [UInt8])
}

extension HexadecimalIdentifier {
    package static var byteCount: Int { 16 }

    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(checked: bytes)
    }

    /// Accepts lower case only, so that each value has one spelling.
    package init?(_ text: String) {
        // The reason does not matter.
        guard
            !text.utf8.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) }),
            let bytes = try? TextEncoding.hexadecimal.decode(text)
        else { return nil }
        self.init(bytes)
    }

    package var description: String { TextEncoding.hexadecimal.encode(bytes.span) }

    package static func < (left: Self, right: Self) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

extension HexadecimalIdentifier {
    package init(from decoder: any Decoder) throws {
        self = try decoder.value(of: String.self) { Self($0) }
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.write(description)
    }
}
