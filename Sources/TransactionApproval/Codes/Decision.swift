package import Cryptography

/// What a person decides about a transaction.
package enum Decision: Hashable, Sendable {
    case approve
    case reject(RejectionReason)
}

public enum RejectionReason: String, CaseIterable, Codable, Sendable {
    case unspecified
    /// The person did not ask for this: somebody else did.
    case notMe
    case wrongDetails
    case noLongerWanted
}

extension Decision {
    /// What is hashed: at least six bits lie between an approval and any rejection.
    package var byte: UInt8 {
        switch self {
        case .approve: 0b1010_0101
        case .reject(.unspecified): 0b0101_1010
        case .reject(.notMe): 0b0101_1001
        case .reject(.wrongDetails): 0b0101_0110
        case .reject(.noLongerWanted): 0b0110_1010
        }
    }
}

/// The number that the bank shows and the person types into the device.
package struct TypedNumber: Equatable, Sendable {
    package enum Length: Int, CaseIterable, Codable, Sendable {
        /// Against approving without looking.
        case two = 2
        /// What carries a secret from one channel to the other (NIST SP 800-63B, 3.1.3).
        case six = 6
    }

    package let digits: String

    /// Takes exactly two or six ASCII digits.
    package init?(_ digits: String) {
        guard
            Length(rawValue: digits.utf8.count) != nil,
            digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else { return nil }
        self.digits = digits
    }

    private init(checked digits: String) {
        self.digits = digits
    }

    /// Nil for no number that there is.
    package var length: Length? { Length(rawValue: digits.utf8.count) }

    package static func random(_ length: Length) throws(CryptographyFailure) -> TypedNumber {
        // Of 64 bits no remainder is noticeably likelier than another.
        let number = try randomBytes(count: 8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let digits = String(number).suffix(length.rawValue)
        let zeros = String(repeating: "0", count: length.rawValue - digits.utf8.count)
        return TypedNumber(checked: zeros + digits)
    }
}

extension TypedNumber: CustomStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
