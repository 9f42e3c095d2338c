package import Cryptography

/// The activation code: 90 random bits in 18 characters, then two check characters.
///
/// Move-only, in secure memory, without a description.
package struct ActivationCode: ~Copyable, Sendable {
    package enum Failure: Error, Equatable, Sendable {
        /// Not 20 characters.
        case wrongLength
        /// An invalid character or a wrong check: a typing error.
        case mistyped
        case system(SystemFailure)
    }

    package static let characterCount = secretCount + checkCount
    private static let secretCount = 18
    private static let checkCount = 2

    /// All 20, in canonical spelling.
    private let characters: SecureBytes

    private init(checked characters: consuming SecureBytes) {
        self.characters = characters
    }

    package static func random() throws(CryptographyFailure) -> ActivationCode {
        let bits = try SecureBytes.random(count: secretCount)
        let characters = try bits.withBytes { bits throws(CryptographyFailure) in
            let secret = try SecureBytes(writing: secretCount) { output in
                for index in bits.indices {
                    output[index] = CrockfordBase32.character(for: bits[index])
                }
            }
            return try secret.withBytes { secret throws(CryptographyFailure) in
                let check = try check(of: secret)
                return try SecureBytes(joining: secret, check.span)
            }
        }
        return ActivationCode(checked: characters)
    }

    /// Passes the 18 random characters, which both sides put into their keys.
    borrowing func withSecret<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try characters.withBytes { characters throws(Failure) in
            try body(characters.extracting(first: Self.secretCount))
        }
    }

    /// Ten bits of a hash: they detect a typing error, not an attack.
    private static func check(of secret: Span<UInt8>) throws(CryptographyFailure) -> [UInt8] {
        let label = FieldWriter(.activationCodeCheck).bytes
        let message = try SecureBytes(joining: label.span, secret)
        return try HashAlgorithm.sha256.secretDigest(of: message).withBytes { hash in
            [hash[0] >> 3, hash[0] << 2 | hash[1] >> 6].map(CrockfordBase32.character)
        }
    }
}

// MARK: As a person reads and types it

extension ActivationCode {
    private static let groupCount = 5
    /// Space for separators before and after each character.
    private static let maximumTextByteCount = 64

    /// Four groups of five characters, joined by dashes.
    package borrowing func text() throws(CryptographyFailure) -> SecureBytes {
        try characters.withBytes { characters throws(CryptographyFailure) in
            let groups = Self.characterCount / Self.groupCount
            return try SecureBytes(writing: Self.characterCount + groups - 1) { output in
                for place in output.indices {
                    let (group, offset) = place.quotientAndRemainder(
                        dividingBy: Self.groupCount + 1
                    )
                    output[place] =
                        offset == Self.groupCount
                        ? UInt8(ascii: "-") : characters[group * Self.groupCount + offset]
                }
            }
        }
    }

    /// Accepts both letter cases, look-alikes, dashes and spaces.
    package init(typed text: Span<UInt8>) throws(Failure) {
        guard text.count <= Self.maximumTextByteCount else { throw .wrongLength }
        let places = text.indices.filter { !isSeparator(text[$0]) }
        guard places.count == Self.characterCount else { throw .wrongLength }
        let characters = try translatingSystemFailure(
            Self.read(text, at: places),
            to: Failure.system
        )
        guard let characters else { throw .mistyped }
        self.init(checked: characters)
    }

    private static func read(
        _ text: Span<UInt8>,
        at places: [Int]
    ) throws(CryptographyFailure) -> SecureBytes? {
        let characters = try SecureBytes(writing: places.count) { output in
            for index in places.indices {
                output[index] = CrockfordBase32.canonical(text[places[index]]) ?? 0
            }
        }
        return try isCode(characters) ? consume characters : nil
    }

    /// A zero marks an invalid character.
    private static func isCode(
        _ characters: borrowing SecureBytes
    ) throws(CryptographyFailure) -> Bool {
        try characters.withBytes { characters throws(CryptographyFailure) in
            let check = try check(of: characters.extracting(first: secretCount))
            return characters.indices.allSatisfy { characters[$0] != 0 }
                && equalInConstantTime(characters.extracting(last: checkCount), check.span)
        }
    }
}
