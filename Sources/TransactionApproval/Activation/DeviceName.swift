/// A displayed text of at most 64 characters.
package struct DeviceName: Hashable, Codable, Sendable {
    static let maximumCharacterCount = 64

    package let text: String

    package init?(_ text: String) {
        // The caller needs no reason: the person enters another name.
        guard let shown = try? DisplayText(text), shown.count <= Self.maximumCharacterCount else {
            return nil
        }
        self.text = text
    }

    package init(from decoder: any Decoder) throws {
        self = try decoder.value(of: String.self) { Self($0) }
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.write(text)
    }
}
