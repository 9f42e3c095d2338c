import Cryptography
import Transactions

extension Form {
    /// The verdict about a text; nil for a form that is not a text.
    func judge(_ text: String) -> Verdict? {
        switch self {
        case .currency: return judgeCode(text) { NumericCurrency($0) != nil }
        case .country: return judgeCode(text) { CountryCode($0) != nil }
        case .code(let code):
            if code.permits(text) { return .right }
            return code.isReserved(text) ? .reserved : .wrong
        default: return matches(text).map { $0 ? .right : .wrong }
        }
    }

    enum Verdict {
        case right, wrong
        /// The value is reserved for a later definition.
        case reserved
        /// The form is right, but the code is not in the table of ISO or is excluded.
        case noISOCode
    }

    private func judgeCode(_ text: String, isKnown: (String) -> Bool) -> Verdict {
        guard text.utf8.count == 3, hasOnlyDigits(text) else { return .wrong }
        return isKnown(text) ? .right : .noISOCode
    }

    private func matches(_ text: String) -> Bool? {
        switch self {
        case .text(let length): return text.hasLength(length)
        case .digits(let length):
            return length.contains(text.utf8.count) && hasOnlyDigits(text)
        case .number(let range, let length):
            guard length.contains(text.utf8.count), hasOnlyDigits(text) else { return false }
            return Int(text).map { range.contains($0) } ?? false
        case .uuid: return isUUID(text)
        case .url(let maximum):
            return text.hasLength(1...maximum) && isURL(text, schemes: webSchemes)
        case .statedURL(let maximum): return text.hasLength(1...maximum) && isStatedURL(text)
        case .secureURL(let maximum):
            return text.hasLength(1...maximum) && isStatedURL(text, schemes: ["https"])
        case .appURL(let maximum): return text.hasLength(1...maximum) && isAppURL(text)
        case .mailbox(let maximum): return text.hasLength(3...maximum) && isMailbox(text)
        case .ipAddress: return isIPAddress(text)
        case .date(let format): return format.matches(text)
        case .timeZoneOffset: return text.utf8.count <= 5 && isTimeZoneOffset(text)
        case .base64URL(let length):
            return length.contains(text.utf8.count) && text.utf8.allSatisfy(isInBase64URL)
        case .authenticationValue:
            // Malformed text is an expected input, so the reason is not needed.
            return text.utf8.count == 28 && (try? TextEncoding.base64.decode(text))?.count == 20
        case .compactJWS(let maximum):
            return text.utf8.count <= maximum ?? .max && isCompactJWS(text)
        case .version: return (5...8).contains(text.utf8.count) && isVersion(text)
        case .textOrObject(let maximum): return text.hasLength(1...maximum)
        case .code, .currency, .country, .boolean, .alwaysTrue, .cardNumber, .object, .anyObject,
            .array, .choices, .dropped:
            return nil
        }
    }
}

extension String {
    /// Counts the scalar values only if the count of bytes does not decide.
    func hasLength(_ length: ClosedRange<Int>) -> Bool {
        // A scalar value has one to four bytes, so a hostile text is not counted.
        let range = (utf8.count + 3) / 4...utf8.count
        guard range.lowerBound <= length.upperBound else { return false }
        if length.contains(range.lowerBound), length.contains(range.upperBound) { return true }
        return length.contains(utf8.count { !UTF8.isContinuation($0) })
    }
}

extension Form.DateFormat {
    func matches(_ text: String) -> Bool {
        guard text.utf8.count == rawValue.utf8.count, hasOnlyDigits(text) else { return false }
        let digits = text.utf8.map { Int($0 - UInt8(ascii: "0")) }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
        guard self != .yearAndMonth else { return (1...12).contains(number(2..<4)) }
        guard CalendarDay(year: number(0..<4), month: number(4..<6), day: number(6..<8)) != nil
        else { return false }
        guard digits.count > 8 else { return true }
        guard number(8..<10) < 24, number(10..<12) < 60 else { return false }
        return digits.count == 12 || number(12..<14) < 60
    }
}

/// A day of the Gregorian calendar.
struct CalendarDay {
    init?(year: Int, month: Int, day: Int) {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let dayCount =
            switch month {
            case 2: isLeapYear ? 29 : 28
            case 4, 6, 9, 11: 30
            default: 31
            }
        guard year > 0, (1...12).contains(month), (1...dayCount).contains(day) else { return nil }
    }
}
