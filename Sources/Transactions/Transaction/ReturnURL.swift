/// The address that the device opens after a decision.
///
/// `https`, or an app scheme with a dot (RFC 8252, section 7.1), so never `javascript`, `file` or
/// `tel`. No user, port or fragment; scheme and host in lower case. The policy lists the allowed
/// schemes and hosts.
package struct ReturnURL: Hashable, Sendable {
    package let text: String
    package let scheme: String
    package let host: String

    package static let maximumByteCount = 500

    package init?(_ text: String) {
        let characters = Array(text.utf8)
        guard
            characters.count <= Self.maximumByteCount,
            let colon = characters.firstIndex(of: UInt8(ascii: ":")),
            characters[colon...].starts(with: Array("://".utf8))
        else { return nil }
        let scheme = characters[..<colon]
        let afterScheme = characters[(colon + 3)...]
        let host = afterScheme.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        guard isScheme(scheme), isHost(host), isPathAndQuery(afterScheme[host.endIndex...])
        else { return nil }
        self.text = text
        self.scheme = String(decoding: scheme, as: UTF8.self)
        self.host = String(decoding: host, as: UTF8.self)
    }
}

extension ReturnURL: CustomStringConvertible {
    package var description: String { text }
}

private func isScheme(_ characters: ArraySlice<UInt8>) -> Bool {
    if characters.elementsEqual("https".utf8) { return true }
    let labels = characters.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.count >= 2 && labels.allSatisfy(isLabel)
        && !characters.prefix(1).contains(where: isDigit)
}

/// A DNS name, or an IPv4 address, which has the same form.
package func isHost(_ characters: ArraySlice<UInt8>) -> Bool {
    characters.count <= 253
        && characters.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .allSatisfy(isLabel)
}

/// RFC 1123, section 2.1, in lower case.
private func isLabel(_ characters: ArraySlice<UInt8>) -> Bool {
    (1...63).contains(characters.count)
        && characters.first != UInt8(ascii: "-") && characters.last != UInt8(ascii: "-")
        && characters.allSatisfy { character in
            isDigit(character) || isLetter(character) || character == UInt8(ascii: "-")
        }
}

/// RFC 3986, sections 3.3 and 3.4.
private func isPathAndQuery(_ characters: ArraySlice<UInt8>) -> Bool {
    let marks = Array("-._~!$&'()*+,;=:@/?".utf8)
    var rest = characters
    while let character = rest.popFirst() {
        if character == UInt8(ascii: "%") {
            guard rest.count >= 2, rest.prefix(2).allSatisfy(isHexadecimalDigit) else {
                return false
            }
            rest = rest.dropFirst(2)
        } else if !isDigit(character), !isLetter(character | 0x20), !marks.contains(character) {
            return false
        }
    }
    return true
}

private func isDigit(_ character: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character)
}

private func isLetter(_ character: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character)
}

private func isHexadecimalDigit(_ character: UInt8) -> Bool {
    isDigit(character)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(character | 0x20)
}
