/// An absolute URL of RFC 3986 with one of the schemes and a host, but without user information.
///
/// The host has letters, digits, points, hyphens and underscores, or is an IPv6 address in brackets.
/// So all readers find the same host, and no character ends an attribute of HTML in double quotes.
func isURL(_ text: String, schemes: Set<String>) -> Bool {
    guard let (authority, path) = parts(of: Array(text.utf8), schemes: schemes) else {
        return false
    }
    return isHostWithPort(authority) && isPath(path)
}

let webSchemes: Set = ["http", "https"]

/// A URL with a host, for a receiver that never opens it.
///
/// Its host and its path can have characters that RFC 3986 does not permit, also from other
/// scripts, as some shops have them.
func isStatedURL(_ text: String, schemes: Set<String> = webSchemes) -> Bool {
    let bytes = Array(text.utf8)
    guard let (authority, _) = parts(of: bytes, schemes: schemes) else { return false }
    return !authority.isEmpty
        && (bytes.allSatisfy(isVisible) || text.unicodeScalars.allSatisfy(isVisible))
}

/// A URL of any scheme (RFC 3986, section 3.1) with visible characters: the address of an app.
///
/// Apps have addresses of many forms. A receiver that opens one must check it further.
func isAppURL(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let end = bytes.firstIndex(of: UInt8(ascii: ":")) else { return false }
    return isScheme(bytes[..<end]) && bytes.allSatisfy(isVisible)
}

/// The authority, and all that follows it; nil for another scheme.
private func parts(
    of bytes: [UInt8],
    schemes: Set<String>
) -> (authority: ArraySlice<UInt8>, path: ArraySlice<UInt8>)? {
    guard let end = bytes.firstIndex(of: UInt8(ascii: ":")), isScheme(bytes[..<end]),
        schemes.contains(String(decoding: bytes[..<end], as: UTF8.self).lowercased()),
        bytes[(end + 1)...].starts(with: "//".utf8)
    else { return nil }
    let start = end + 3
    let path = bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
    return (bytes[start..<path], bytes[path...])
}

private func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7e).contains(byte) }

private func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .spaceSeparator,
        .surrogate, .unassigned:
        false
    default: true
    }
}

private func isScheme(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first, isLetter(first) else { return false }
    return text.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
}

private func isHostWithPort(_ text: ArraySlice<UInt8>) -> Bool {
    let isLiteral = text.first == UInt8(ascii: "[")
    let end =
        isLiteral
        ? text.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 }
        : text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
    guard let end else { return false }
    return (isLiteral ? isLiteralHost(text[..<end]) : isHostName(text[..<end]))
        && (end == text.endIndex || isPort(text[end...]))
}

private func isHostName(_ text: ArraySlice<UInt8>) -> Bool {
    !text.isEmpty
        && text.allSatisfy { isLetter($0) || isDigit($0) || ".-_".utf8.contains($0) }
}

/// Without a zone, which has a meaning only on one machine.
private func isLiteralHost(_ text: ArraySlice<UInt8>) -> Bool {
    let address = text.dropFirst().dropLast()
    return address.contains(UInt8(ascii: ":"))
        && isIPAddress(String(decoding: address, as: UTF8.self))
}

/// A colon and a number of one to five digits.
private func isPort(_ text: ArraySlice<UInt8>) -> Bool {
    let digits = text.dropFirst()
    guard text.first == UInt8(ascii: ":"), (1...5).contains(digits.count),
        digits.allSatisfy(isDigit)
    else { return false }
    return (1...65_535).contains(digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
}

/// Path, query and fragment, as far as they exist.
private func isPath(_ text: ArraySlice<UInt8>) -> Bool {
    var (hasFragment, escaped) = (false, 0)
    for byte in text {
        switch byte {
        case _ where escaped > 0:
            guard isHexadecimal(byte) else { return false }
            escaped -= 1
        case UInt8(ascii: "%"): escaped = 2
        case UInt8(ascii: "#"):
            guard !hasFragment else { return false }
            hasFragment = true
        default:
            guard isLetter(byte) || isDigit(byte) || "-._~!$&'()*+,;=:@/?".utf8.contains(byte)
            else { return false }
        }
    }
    return escaped == 0
}
