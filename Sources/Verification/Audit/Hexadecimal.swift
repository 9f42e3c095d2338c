import Cryptography

/// Bytes that are lower-case hexadecimal text in JSON.
struct Hexadecimal: Codable, Equatable, Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        bytes = try TextEncoding.hexadecimal.decode(text)
        guard text == TextEncoding.hexadecimal.encode(bytes.span) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not lower case")
            )
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(TextEncoding.hexadecimal.encode(bytes.span))
    }
}
