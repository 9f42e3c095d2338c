import OneTimePassword

/// What a person calls a device: 1 to 64 characters that show what they are.
package struct DeviceName: Hashable, Sendable {
    package static let largestCharacterCount = 64
    /// Some characters are made of many: this many bytes are four for each.
    package static let largestByteCount = 256

    package let text: String

    package init?(_ text: String) {
        guard
            (1...Self.largestCharacterCount).contains(text.count),
            text.utf8.count <= Self.largestByteCount,
            isPlainText(text)
        else { return nil }
        self.text = text
    }
}
