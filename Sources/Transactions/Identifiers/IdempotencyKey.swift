/// The name that a caller gives to a call, so that a repeated one has no second effect.
package struct IdempotencyKey: TextIdentifier {
    package let text: String
    package init(checked text: String) { self.text = text }

    /// A header can contain dots alone.
    package init?(_ text: String) {
        guard hasIdentifierCharacters(text) else { return nil }
        self.init(checked: text)
    }
}
