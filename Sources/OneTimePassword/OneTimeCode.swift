import Cryptography

/// A one-time password: text, because leading zeros count.
///
/// It compares in constant time and hides itself when printed. Never log `text`.
public struct OneTimeCode: Sendable {
    private enum Form {
        /// For people: the last `count` digits of a number, with leading zeros.
        case digits(UInt32, count: Int)
        /// For machines: the whole MAC (RFC 6287, section 5.2: no truncation).
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

// MARK: Creating

extension OneTimeCode {
    /// Takes the last digits of a truncated MAC (RFC 4226, section 5.3).
    init(_ truncatedMAC: UInt32, digitCount: Int) {
        var front = truncatedMAC
        var place: UInt32 = 1
        // A division by a constant takes the same time for every number; by a variable it may not.
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

// MARK: Reading

extension OneTimeCode {
    public enum Failure: Error, Equatable, Sendable {
        /// Neither 4 to 9 ASCII digits nor the lower-case hexadecimal digits of a whole MAC.
        case malformed
    }

    /// Reads a submitted code exactly: no space, sign or digit of another script.
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
                // Any decoding failure means that the code is malformed.
                let mac = try? TextEncoding.hexadecimal.decode(submitted)
            else { throw .malformed }
            form = .wholeMAC(Digest(copying: mac.span))
        default: throw .malformed
        }
    }
}

extension OneTimeCode: Equatable {
    /// Compares in a time that depends only on the lengths.
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
