/// What a person calls a device: up to 64 characters that show what they are.
package struct DeviceName: Hashable, Sendable {
    package static let largestCharacterCount = 64

    package let text: String

    package init?(_ text: String) {
        // Which rule it breaks does not matter: the person types another one.
        guard let shown = try? DisplayText(text), shown.count <= Self.largestCharacterCount else {
            return nil
        }
        self.text = text
    }
}
