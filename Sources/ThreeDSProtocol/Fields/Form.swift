import StrictJSON

/// The type, the length and the values of a data element.
///
/// A length counts characters, each of which is one Unicode scalar value.
package indirect enum Form: Sendable {
    case text(ClosedRange<Int>)
    /// Only digits.
    case digits(ClosedRange<Int>)
    /// Digits whose number is in a range; zeros may lead.
    case number(ClosedRange<Int>, digits: ClosedRange<Int>)
    case code(Code)
    case boolean
    /// A boolean that is omitted instead of being false.
    case alwaysTrue
    case uuid
    /// An absolute URL with a host: `http` or `https`.
    case url(Int)
    /// A URL of `http` or `https` that describes a party, and that its receiver never opens.
    case statedURL(Int)
    /// The same with `https` alone.
    case secureURL(Int)
    /// A URL of any scheme: the address of an app.
    case appURL(Int)
    case mailbox(Int)
    case ipAddress
    case date(DateFormat)
    case timeZoneOffset
    case base64URL(ClosedRange<Int>)
    /// 20 bytes in base64.
    case authenticationValue
    /// Three parts in base64url with points between them (RFC 7515, section 7.1).
    case compactJWS(Int?)
    /// A number of three parts, such as `2.2.0`.
    case version
    case currency
    case country
    case cardNumber
    /// An object with these members, and any others.
    case object(VersionedRows, maximum: Int?)
    case anyObject(maximum: Int)
    case textOrObject(maximum: Int)
    case array(Form, ClosedRange<Int>, maximum: Int? = nil)
    /// Objects that each have one member: the key of a choice and its text.
    case choices(ClosedRange<Int>, keyLength: Int)
    /// Neither checked nor kept: `MessageDraft` leaves out the security code of a card.
    case dropped

    /// The permitted values of a code.
    package struct Code: Sendable {
        package let values: [String]
        package let growth: Growth

        package enum Growth: Sendable {
            case none
            /// All other values of two digits are reserved.
            case reserved
            /// 80 to 99 belong to the directory servers, and all others are reserved.
            case directory
        }

        /// Whether EMVCo or a directory server could define the value later.
        func isReserved(_ text: String) -> Bool {
            growth != .none && text.utf8.count == 2 && hasOnlyDigits(text) && Int(text) != 0
        }

        func permits(_ text: String) -> Bool {
            values.contains { $0.hasBytes(of: text) }
                || growth == .directory && isReserved(text) && text.utf8.first ?? 0 >= 0x38
        }
    }

    package enum DateFormat: String, Sendable {
        case yearAndMonth = "YYMM"
        case day = "YYYYMMDD"
        case minute = "YYYYMMDDHHMM"
        case second = "YYYYMMDDHHMMSS"
    }
}

extension Form {
    static func object(_ rows: [Field], maximum: Int? = nil) -> Form {
        .object(VersionedRows(rows), maximum: maximum)
    }

    /// A code of these values, and of no others.
    static func one(of values: String...) -> Form {
        .code(Code(values: values, growth: .none))
    }

    /// Two digits up to `last`, such as 01 to 05.
    static func codes(to last: Int, _ growth: Code.Growth) -> Form {
        .code(Code(values: (1...last).map(twoDigits), growth: growth))
    }

    static func codes(_ values: [Int], _ growth: Code.Growth) -> Form {
        .code(Code(values: values.map(twoDigits), growth: growth))
    }

    static let yes = Form.one(of: "Y")
    static let yesOrNo = Form.one(of: "Y", "N")

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}

func hasOnlyDigits(_ text: String) -> Bool {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
}
