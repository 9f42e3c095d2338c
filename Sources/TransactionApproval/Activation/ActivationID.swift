package import Cryptography

/// 50 random bits in 10 characters, because a person may have to type them.
package struct ActivationID: TextIdentifier, Codable {
    package static let characterCount = 10

    package let text: String

    package init(checked text: String) { self.text = text }

    /// Nil unless `text` has the canonical spelling.
    package init?(_ text: String) {
        guard let id = ActivationID(typed: text), id.text == text else { return nil }
        self = id
    }

    /// Accepts both letter cases, look-alikes, dashes and spaces.
    package init?(typed text: String) {
        let characters = text.utf8.filter { !isSeparator($0) }
        let canonical = characters.compactMap(CrockfordBase32.canonical)
        guard canonical.count == Self.characterCount, canonical.count == characters.count else {
            return nil
        }
        self.init(checked: String(decoding: canonical, as: UTF8.self))
    }

    package static func random() throws(CryptographyFailure) -> ActivationID {
        let characters = try randomBytes(count: characterCount).map(CrockfordBase32.character)
        return ActivationID(checked: String(decoding: characters, as: UTF8.self))
    }
}

func isSeparator(_ character: UInt8) -> Bool {
    character == UInt8(ascii: "-") || character == UInt8(ascii: " ")
}
