import Cryptography

/// A one-time password: text, in which a leading zero counts.
///
/// It compares in constant time and does not print itself: `text` is for the person or the message
/// that it goes to, never for a log.
public struct OneTimeCode: Sendable {
    private enum Form {
        /// For a person: the last `count` digits of a number, zeros in front included.
        case digits(UInt32, count: Int)
        /// For a machine (RFC 6287, section 5.2: no truncation).
        case wholeMAC(Digest)
    }

    private let form: Form

    public var text: String {
        switch form {
        case .digits(var number, let count):
            var characters = InlineArray<9, UInt8>(repeating: 0)
            for index in (0..<count).reversed() {
                characters[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
                number /= 10
            }
            return String(
                copying: UTF8Span(
                    unchecked: characters.span.extracting(first: count),
                    isKnownASCII: true
                )
            )
        case .wholeMAC(let mac): return mac.withBytes { TextEncoding.hexadecimal.encode($0) }
        }
    }
}

// MARK: Making one

extension OneTimeCode {
    /// Takes the last digits of a truncated MAC (RFC 4226, section 5.3).
    init(_ truncatedMAC: UInt32, digitCount: Int) {
        var front = truncatedMAC
        var place: UInt32 = 1
        // A division by a constant takes the same time for every number, one by a variable may not.
        for _ in 0..<digitCount {
            front /= 10
            place *= 10
        }
        form = .digits(truncatedMAC - front * place, count: digitCount)
    }

    init(whole mac: Digest) {
        form = .wholeMAC(mac)
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
        switch submitted.utf8.count {
        case 4...9:
            guard submitted.utf8.allSatisfy(isDecimalDigit), let number = UInt32(submitted) else {
                throw .malformed
            }
            form = .digits(number, count: submitted.utf8.count)
        case 40, 64, 128:
            guard
                submitted == submitted.lowercased(),
                // Why it is none does not matter: it is malformed.
                let mac = try? TextEncoding.hexadecimal.decode(submitted)
            else { throw .malformed }
            form = .wholeMAC(Digest(copying: mac.span))
        default: throw .malformed
        }
    }
}

extension OneTimeCode: Equatable {
    /// Compares in a time that depends on the lengths alone.
    public static func == (left: OneTimeCode, right: OneTimeCode) -> Bool {
        switch (left.form, right.form) {
        case (.digits(let left, let leftCount), .digits(let right, let rightCount)):
            leftCount == rightCount && equalInConstantTime(left, right)
        case (.wholeMAC(let left), .wholeMAC(let right)): left == right
        default: false
        }
    }
}

extension OneTimeCode: CustomStringConvertible, CustomReflectable {
    public var description: String { "<redacted>" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
