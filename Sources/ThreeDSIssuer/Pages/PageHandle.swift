import Cryptography

/// The part of a page's path that names a challenge (SEC-88).
package struct PageHandle: Hashable, Sendable {
    package let text: String

    /// Nil unless the text is 16 random bytes as base64url.
    package init?(_ text: String) {
        guard isSixteenBytes(text) else { return nil }
        self.text = text
    }
}

/// Permits the style and the script of one response, and no other.
package struct PageNonce: Sendable {
    let text: String

    /// Nil unless the text is 16 random bytes as base64url.
    package init?(_ text: String) {
        guard isSixteenBytes(text) else { return nil }
        self.text = text
    }
}

private func isSixteenBytes(_ text: String) -> Bool {
    // A path contains any text, so the reason is not needed: `try?`.
    (try? TextEncoding.base64URL.decode(text))?.count == 16
}
