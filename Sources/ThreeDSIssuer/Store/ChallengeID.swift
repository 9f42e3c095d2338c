import ThreeDSProtocol

/// The identifier of an authentication that the ACS gave, which also names its challenge.
package struct ChallengeID: Hashable, Sendable {
    package let text: String

    /// Nil for a text that is not a UUID.
    ///
    /// Shops can write its letters in either case (RFC 9562, section 4).
    package init?(_ text: String) {
        guard isUUID(text) else { return nil }
        self.text = text.lowercased()
    }
}
