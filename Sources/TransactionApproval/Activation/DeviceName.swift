/// What a person calls a device: up to 64 characters that show what they are.
package struct DeviceName: Hashable, Codable, Sendable {
    package static let maximumCharacterCount = 64

    package let text: String

    package init?(_ text: String) {
        // Which rule it breaks does not matter: the person types another one.
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
