package import Cryptography

/// What an activation is called: 50 random bits, in 10 characters that a person may have to type.
package struct ActivationID: TextIdentifier {
    package static let characterCount = 10

    package let text: String

    package init(checked text: String) { self.text = text }

    /// Nil for all but the one spelling that `text` has.
    package init?(_ text: String) {
        guard let id = ActivationID(typed: text), id.text == text else { return nil }
        self = id
    }

    /// Reads what a person typed: either case, look-alikes, dashes and spaces between.
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

/// What may stand between the characters of an activation's id or code.
func isSeparator(_ character: UInt8) -> Bool {
    character == UInt8(ascii: "-") || character == UInt8(ascii: " ")
}
