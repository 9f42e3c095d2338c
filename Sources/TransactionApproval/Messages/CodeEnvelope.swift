package import Cryptography
package import OneTimePassword

/// A code with the values that determine it.
///
/// The verifier checks it once for each attempt, at exactly this counter, generation and epoch.
package struct CodeEnvelope: Codable, Equatable, Sendable {
    package let attempt: AttemptID
    package let generation: Generation
    package let epoch: Epoch
    package let counter: Counter
    package let code: InBandCode
    package let blind: Blind

    package init(
        attempt: AttemptID,
        generation: Generation,
        epoch: Epoch,
        counter: Counter,
        code: InBandCode,
        blind: Blind
    ) {
        self.attempt = attempt
        self.generation = generation
        self.epoch = epoch
        self.counter = counter
        self.code = code
        self.blind = blind
    }
}

/// The whole MAC, in JSON 64 lower-case hexadecimal digits.
package struct InBandCode: Codable, Equatable, Sendable {
    package let code: OneTimeCode

    private static let digitCount = 64

    /// Nil for a typed code.
    package init?(_ code: OneTimeCode) {
        guard code.text.utf8.count == Self.digitCount else { return nil }
        self.code = code
    }

    package init(from decoder: any Decoder) throws {
        self = try decoder.value(of: String.self) { text in
            // The reason does not matter.
            (try? OneTimeCode(text)).flatMap { Self($0) }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.write(code.text)
    }
}

/// 16 random bytes in a message with a code; never stored.
///
/// Without them, a stored digest of the message would allow an attacker to test codes.
package struct Blind: Equatable, Sendable {
    package static let byteCount = 16

    package let wireBytes: [UInt8]

    package init?(wireBytes: [UInt8]) {
        guard wireBytes.count == Self.byteCount else { return nil }
        self.init(checked: wireBytes)
    }

    private init(checked bytes: [UInt8]) {
        wireBytes = bytes
    }

    package static func random() throws(CryptographyFailure) -> Blind {
        Blind(checked: try randomBytes(count: byteCount))
    }
}

extension Blind: BinaryMember {}

extension Blind: CustomStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
