extension Form {
    /// For the page of the table.
    var words: String {
        switch self {
        case .text(let length): "text, \(length.words)"
        case .digits(let length): "digits, \(length.words)"
        case .number(let range, let length):
            "\(range.lowerBound) to \(range.upperBound), \(length.words) digits"
        case .code(let code): code.words
        case .boolean: "boolean"
        case .alwaysTrue: "`true`"
        case .uuid: "UUID"
        case .url(let maximum): "URL, at most \(maximum)"
        case .statedURL(let maximum): "URL that is not opened, at most \(maximum)"
        case .secureURL(let maximum): "URL of `https`, at most \(maximum)"
        case .appURL(let maximum): "URL of any scheme, at most \(maximum)"
        case .mailbox(let maximum): "address with `@`, at most \(maximum)"
        case .ipAddress: "IP address, at most 45"
        case .date(let format): "date \(format.rawValue)"
        case .timeZoneOffset: "minutes with or without a sign, 1 to 5"
        case .base64URL(let length): "base64url, \(length.words)"
        case .authenticationValue: "base64 of 20 bytes, 28"
        case .compactJWS(let maximum): "compact JWS\(limit(maximum))"
        case .version: "version, 5 to 8"
        case .currency: "ISO 4217, 3 digits, without 955 to 964 and 999"
        case .country: "ISO 3166-1, 3 digits, without 901 to 999"
        case .cardNumber: "digits, 13 to 19"
        case .object(_, let maximum), .anyObject(let maximum as Int?): "object\(limit(maximum))"
        case .textOrObject(let maximum): "text or object, at most \(maximum)"
        case .array(let element, let counts, let maximum):
            "array of \(counts.words): \(element.words)\(limit(maximum))"
        case .choices(let counts, let keyLength):
            "array of \(counts.words): object of one key (at most \(keyLength)) and text (at most 45)"
        case .dropped: "not read"
        }
    }

    private func limit(_ maximum: Int?) -> String {
        maximum.map { ", at most \($0)" } ?? ""
    }
}

extension Form.Code {
    fileprivate var words: String {
        let first = values.first ?? ""
        let isRange = values.count > 3 && values.allSatisfy { $0.utf8.count == 2 }
        let numbers = values.compactMap { Int($0) }
        let isDense = isRange && numbers == Array((numbers.first ?? 0)...(numbers.last ?? 0))
        let list = isDense ? "\(first) to \(values.last ?? "")" : values.joined(separator: ", ")
        switch growth {
        case .none: return list
        case .reserved: return "\(list); others reserved"
        case .directory: return "\(list), 80 to 99; others reserved"
        }
    }
}

extension ClosedRange<Int> {
    fileprivate var words: String {
        lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound) to \(upperBound)"
    }
}
