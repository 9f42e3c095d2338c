/// An absolute URL of RFC 3986 with one of the schemes and a host, but without user information.
///
/// The host has letters, digits, points and hyphens, or is an IPv6 address in brackets. So all
/// readers find the same host, and no character ends an attribute of HTML in double quotes.
func isURL(_ text: String, schemes: Set<String>?) -> Bool {
    let bytes = Array(text.utf8)
    guard let end = bytes.firstIndex(of: UInt8(ascii: ":")), isScheme(bytes[..<end]) else {
        return false
    }
    let scheme = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
    let rest = bytes[(end + 1)...]
    guard schemes?.contains(scheme) ?? true, rest.starts(with: "//".utf8) else { return false }
    let start = end + 3
    let path = bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
    return isHostWithPort(bytes[start..<path]) && isPath(bytes[path...])
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
        && text.allSatisfy { isLetter($0) || isDigit($0) || ".-".utf8.contains($0) }
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
