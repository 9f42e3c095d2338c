package import Cryptography

package enum Decision: Hashable, Sendable {
    case approve
    case reject(RejectionReason)
}

public enum RejectionReason: String, CaseIterable, Codable, Sendable {
    case unspecified
    /// Another person started the request.
    ///
    /// For 24 hours, the verifier sends the person no notifications. The bank gets the event
    /// `transaction.denied-by-person`, and a card payment is refused as suspected fraud.
    case notMe
    case wrongDetails
    case noLongerWanted
}

extension Decision {
    /// The hashed value.
    ///
    /// An approval differs from each rejection in at least six bits.
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
        /// Prevents an approval without looking.
        case two = 2
        /// Transfers a secret between channels (NIST SP 800-63B, 3.1.3).
        case six = 6
    }

    package let digits: String

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

    package var length: Length? { Length(rawValue: digits.utf8.count) }

    package static func random(_ length: Length) throws(CryptographyFailure) -> TypedNumber {
        // The remainder of 64 random bits has no noticeable bias.
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
