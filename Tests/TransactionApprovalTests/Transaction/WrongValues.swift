import Testing
import TransactionApproval

/// Bytes that a field cannot contain.
struct WrongValues: CustomTestStringConvertible, Sendable {
    let field: Transaction.Field
    let values: [[UInt8]]

    var testDescription: String { "\(field)" }

    static let all =
        [.enterprise, .id, .accountType, .accountID].map {
            WrongValues(field: $0, values: identifiers)
        } + [
            WrongValues(field: .context, values: [[], [0], [4], [255], [1, 1]]),
            WrongValues(field: .title, values: titles),
            WrongValues(field: .displayFields, values: displayFields),
            WrongValues(field: .amounts, values: amounts),
            WrongValues(field: .payees, values: payees),
            WrongValues(field: .reference, values: references),
            WrongValues(field: .returnURL, values: returnURLs),
            WrongValues(field: .acceptedAuthentication, values: [[], [8], [255], [1, 1]]),
            WrongValues(field: .created, values: [[], [0], zeros(9), ones(8)]),
            WrongValues(field: .deadline, values: [[], [0], zeros(8), zeros(9), ones(8)]),
            WrongValues(field: .epoch, values: [[], zeros(7), zeros(9)]),
            WrongValues(field: .nonce, values: [[], zeros(15), zeros(17)]),
        ]

    private static let identifiers: [[UInt8]] = [
        [], bytes(" "), bytes("a b"), bytes("ä"), bytes("a/b"), bytes("a\0"), [0xff], [0xc0, 0x80],
        bytes(letters(65)),
    ]

    private static let titles: [[UInt8]] = [
        [], bytes("a\u{202e}b"), bytes("a  b"), bytes("e\u{301}"), [0xed, 0xa0, 0x80],
        [0x61, 0xff],
    ]

    private static let displayFields: [[UInt8]] = [
        [], [1], [0, 0], list(1, "a"), list(2, "a", "b"), list(1, "a", "b", "c"), list(1, "a", ""),
        list(1, "a", "pаypal"), list(1, letters(41), "b"), list(1, "a", letters(201)),
        list(1, "a") + ones(4), list(0, "a", "b"),
    ]

    private static let amounts: [[UInt8]] = [
        [], [1], [2] + amount("EUR", 2), [1] + amount("EUR", 2) + [0], [0] + amount("EUR", 2),
        [1] + amount("EUR", 0), [1] + amount("EUR", 3), [1] + amount("EUR", 255),
        [1] + amount("JPY", 2), [1] + amount("KWD", 2), [1] + amount("eur", 2),
        [1] + amount("XXX", 2), [1] + amount("XTS", 2), [1] + amount("XAU", 0),
        [1] + amount("ABC", 2), [1] + amount("EUR", 2, Amount.maximumMinorUnits + 1),
        [1] + amount("EUR", 2, .max), [1, 0xff, 0xff, 0xff, 2] + zeros(8),
    ]

    private static let payees: [[UInt8]] = [
        [], [1], list(1, "a"), list(1, "", "1"), list(1, "a", ""), list(1, "a", "de89"),
        list(1, "a", "DE88370400440532013000"), list(1, "a", "1") + [0], list(2, "a", "1"),
        list(1, letters(71), "1"), list(1, "a\u{200b}", "1"), list(1, "1", "a"), list(0, "a", "1"),
    ]

    private static let references = [[0x20], [0xff], bytes("a/b"), bytes(letters(65))]

    private static let returnURLs = [[0], bytes("http://a/"), bytes("https://A/"), bytes("a")]

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private static func ones(_ count: Int) -> [UInt8] { [UInt8](repeating: 0xff, count: count) }

    private static func list(_ count: UInt8, _ texts: String...) -> [UInt8] {
        texts.reduce([count]) { $0 + CanonicalFields.length($1.utf8.count) + bytes($1) }
    }

    private static func amount(
        _ code: String,
        _ exponent: UInt8,
        _ minorUnits: UInt64 = 1
    ) -> [UInt8] {
        bytes(code) + [exponent]
            + stride(from: 56, through: 0, by: -8).map {
                UInt8(truncatingIfNeeded: minorUnits >> $0)
            }
    }
}
