/// The canonical form of RFC 4122, section 3, in either case of letters.
package func isUUID(_ text: String) -> Bool {
    guard text.utf8.count == 36 else { return false }
    return text.utf8.enumerated().allSatisfy { offset, byte in
        switch offset {
        case 8, 13, 18, 23: byte == UInt8(ascii: "-")
        default: isHexadecimal(byte)
        }
    }
}

/// A text with an at sign inside, without control characters.
///
/// The forms of RFC 5322, section 3.4, also have names, comments and quotes. Nothing is sent to the
/// address, so it is not read further.
func isMailbox(_ text: String) -> Bool {
    text.utf8.dropFirst().dropLast().contains(UInt8(ascii: "@"))
        && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
}

func isIPAddress(_ text: String) -> Bool {
    guard text.utf8.count <= 45 else { return false }
    let bytes = Array(text.utf8)[...]
    return bytes.contains(colon) ? isIPv6(bytes) : isIPv4(bytes)
}

private let colon = UInt8(ascii: ":")
private let point = UInt8(ascii: ".")

private func isIPv4(_ text: ArraySlice<UInt8>) -> Bool {
    let parts = text.split(separator: point, omittingEmptySubsequences: false)
    return parts.count == 4
        && parts.allSatisfy { part in
            (1...3).contains(part.count) && part.allSatisfy(isDigit)
                && part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 255
        }
}

/// Groups of RFC 4291, section 2.2; two colons stand for the missing groups.
private func isIPv6(_ text: ArraySlice<UInt8>) -> Bool {
    var groups = text.split(separator: colon, omittingEmptySubsequences: false)
    let hasGap = zip(text, text.dropFirst()).contains { $0 == colon && $1 == colon }
    if text.starts(with: "::".utf8) { groups.removeFirst() }
    if text.suffix(2).elementsEqual("::".utf8) { groups.removeLast() }
    guard let last = groups.last else { return false }
    var count = groups.count
    if last.contains(point) {
        guard isIPv4(last) else { return false }
        groups.removeLast()
        count += 1
    }
    let gaps = groups.count(where: \.isEmpty)
    guard gaps == (hasGap ? 1 : 0), hasGap ? count <= 8 : count == 8 else { return false }
    return groups.allSatisfy { $0.count <= 4 && $0.allSatisfy(isHexadecimal) }
}

/// Minutes with or without a sign, as browsers return them.
func isTimeZoneOffset(_ text: String) -> Bool {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    return (1...4).contains(digits.utf8.count) && digits.utf8.allSatisfy(isDigit)
}

func isCompactJWS(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 3 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isInBase64URL) }
}

func isVersion(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 3
        && parts.allSatisfy { (1...2).contains($0.count) && $0.allSatisfy(isDigit) }
}

func isInBase64URL(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
}

func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
}

func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
}
