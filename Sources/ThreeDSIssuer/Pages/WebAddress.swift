/// An address outside of the ACS, to which a page sends or links.
package struct WebAddress: Sendable {
    let text: String
    /// Scheme, host and port.
    let origin: String

    /// Nil unless the scheme is `https`; a sandbox also has `http` on its own machine.
    ///
    /// A longer address than `notificationURL` could make the page too large.
    package init?(_ text: String, atMost maximumByteCount: Int = 256, isSandbox: Bool) {
        guard text.utf8.count <= maximumByteCount,
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
    character.isLetter || character.isNumber || ".-_:[]".contains(character)
}
