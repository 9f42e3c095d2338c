/// An integer of milliseconds that every JSON parser represents exactly (RFC 8259, section 6).
extension Timestamp: Codable {
    private static let latestInJSON: UInt64 = 1 << 53 - 1

    public init(from decoder: any Decoder) throws {
        self = try decoder.value(of: UInt64.self) { milliseconds in
            milliseconds <= Self.latestInJSON ? Timestamp(milliseconds: milliseconds) : nil
        }
    }

    public func encode(to encoder: any Encoder) throws {
        guard milliseconds <= Self.latestInJSON else {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(codingPath: [], debugDescription: "too late for JSON")
            )
        }
        try encoder.write(milliseconds)
    }
}
