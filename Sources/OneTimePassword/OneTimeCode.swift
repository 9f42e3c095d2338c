import Cryptography

/// A one-time password: text, in which a leading zero counts.
///
/// It compares in constant time and does not print itself: `text` is for the person or the message
/// that it goes to, never for a log.
public struct OneTimeCode: Sendable {
    /// Digits for a person, or a whole MAC (RFC 6287, section 5.2: no truncation).
    private enum Form { case digits, wholeMAC }

    private let form: Form
    private let count: Int
    /// The characters of the digits, or the bytes of the MAC.
    private var bytes: InlineArray<64, UInt8>

    public var text: String {
        switch form {
        case .digits:
            String(unsafeUninitializedCapacity: count) { buffer in
                for index in 0..<count { buffer[index] = bytes[index] }
                return count
            }
        case .wholeMAC: TextEncoding.hexadecimal.encode(bytes.span.extracting(first: count))
        }
    }
}

// MARK: Making one

extension OneTimeCode {
    /// Takes 31 bits from where the last byte points to (RFC 4226, section 5.3).
    @inline(__always)
    init(truncating mac: Digest, digitCount: Int) {
        let offset = Int(mac[mac.byteCount - 1] & 0xf)
        var number = UInt32(mac[offset] & 0x7f) << 24
        number |= UInt32(mac[offset + 1]) << 16
        number |= UInt32(mac[offset + 2]) << 8
        number |= UInt32(mac[offset + 3])
        form = .digits
        count = digitCount
        bytes = InlineArray(repeating: 0)
        for index in stride(from: digitCount - 1, through: 0, by: -1) {
            bytes[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
            number /= 10
        }
    }

    init(whole mac: Digest) {
        form = .wholeMAC
        count = mac.byteCount
        bytes = InlineArray { $0 < mac.byteCount ? mac[$0] : 0 }
    }
}

// MARK: Reading one

extension OneTimeCode {
    public enum Failure: Error, Equatable, Sendable {
        /// Neither 4 to 9 ASCII digits nor the lower-case hexadecimal digits of a whole MAC.
        case malformed
    }

    /// Reads what somebody submitted, exactly: no space, sign or digit of another script is taken.
    public init(_ submitted: String) throws(Failure) {
        let characters = Array(submitted.utf8)
        let content: [UInt8]
        switch characters.count {
        case 4...9:
            form = .digits
            content = characters
            guard content.allSatisfy(isDecimalDigit) else { throw .malformed }
        case 40, 64, 128:
            form = .wholeMAC
            guard
                !characters.contains(where: { (0x41...0x5a).contains($0) }),
                let mac = try? TextEncoding.hexadecimal.decode(submitted)
            else { throw .malformed }
            content = mac
        default: throw .malformed
        }
        count = content.count
        bytes = InlineArray { $0 < content.count ? content[$0] : 0 }
    }
}

extension OneTimeCode: Equatable {
    /// Compares in a time that depends on the lengths alone.
    @inline(__always)
    public static func == (left: OneTimeCode, right: OneTimeCode) -> Bool {
        left.form == right.form
            && equalInConstantTime(
                left.bytes.span.extracting(first: left.count),
                right.bytes.span.extracting(first: right.count)
            )
    }
}

extension OneTimeCode: CustomStringConvertible, CustomReflectable {
    public var description: String { "<redacted>" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
