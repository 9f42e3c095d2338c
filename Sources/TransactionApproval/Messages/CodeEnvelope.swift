package import Cryptography
package import OneTimePassword

/// A code on its way to the verifier, with all that says which code it has to be.
///
/// The verifier looks at it once for each attempt id, and at nothing but this one counter of this
/// generation in this epoch.
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

/// A whole MAC: in JSON the 64 lower-case hexadecimal digits that it is as a code.
package struct InBandCode: Codable, Equatable, Sendable {
    package let code: OneTimeCode

    private static let digitCount = 64

    /// Nil for a code that a person could type.
    package init?(_ code: OneTimeCode) {
        guard code.text.utf8.count == Self.digitCount else { return nil }
        self.code = code
    }

    package init(from decoder: any Decoder) throws {
        self = try decoder.value(of: String.self) { text in
            // Why it is none does not matter.
            (try? OneTimeCode(text)).flatMap { Self($0) }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.write(code.text)
    }
}

/// 16 random bytes beside a code, which nobody keeps.
///
/// Without them a digest of the message, as its signature has it, would tell whoever keeps that
/// digest whether a code that he computed is the one that was sent.
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
