/// An address outside of the ACS, to which a page sends or links.
package struct WebAddress: Sendable {
    let text: String
    /// Scheme, host and port.
    let origin: String

    /// As `notificationURL`: a longer one could make the page too large.
    private static let maximumByteCount = 256

    /// Nil unless the scheme is `https`; a sandbox also has `http` on its own machine.
    package init?(_ text: String, isSandbox: Bool) {
        guard text.utf8.count <= Self.maximumByteCount,
            text.utf8.allSatisfy({ UInt8(ascii: "!")...UInt8(ascii: "~") ~= $0 }),
            let end = text.firstIndex(of: ":"), text[end...].hasPrefix("://")
        else { return nil }
        let authority = text[end...].dropFirst(3).prefix { !"/?#".contains($0) }
        // Without user information, which could look like a host.
        guard !authority.isEmpty, authority.allSatisfy({ isInAuthority($0) }) else { return nil }
        switch text[..<end].lowercased() {
        case "https": break
        case "http" where isSandbox:
            guard ["localhost", "127.0.0.1"].contains(authority.prefix { $0 != ":" }) else {
                return nil
            }
        default: return nil
        }
        self.text = text
        origin = text[..<end] + "://" + authority
    }
}

private func isInAuthority(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || ".-:[]".contains(character)
}
