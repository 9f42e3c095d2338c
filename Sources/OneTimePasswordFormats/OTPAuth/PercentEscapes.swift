import OneTimePassword

/// Decodes percent escapes once (RFC 3986, section 2.1); the bytes must be valid UTF-8.
///
/// A plus stays a plus: only HTML forms write a space as a plus.
func unescaped(_ text: Substring) throws(OTPAuthURI.Failure) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
            bytes.append(byte)
            continue
        }
        guard
            let first = rest.popFirst(), let high = hexadecimalDigit(first),
            let second = rest.popFirst(), let low = hexadecimalDigit(second)
        else { throw .malformedPercentEscape }
        bytes.append(high << 4 | low)
    }
    guard let result = String(validating: bytes, as: UTF8.self) else {
        throw .malformedPercentEscape
    }
    return result
}

/// Escapes all but the unreserved characters (RFC 3986, section 2.3).
func escaped(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
        if isASCIILetter(byte) || isDecimalDigit(byte) || "-._~".utf8.contains(byte) {
            result.unicodeScalars.append(Unicode.Scalar(byte))
        } else {
            result +=
                "%" + String(byte >> 4, radix: 16, uppercase: true)
                + String(byte & 0xf, radix: 16, uppercase: true)
        }
    }
    return result
}
