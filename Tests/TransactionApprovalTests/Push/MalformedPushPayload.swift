import Testing

/// A payload with one fault.
struct MalformedPushPayload: CustomTestStringConvertible, Sendable {
    let fault: String
    let bytes: [UInt8]

    var testDescription: String { fault }

    static let all = bytes + documents + members + values + names

    /// Faults before the bytes are JSON.
    private static let bytes: [MalformedPushPayload] =
        [
            raw("byte order mark", [0xef, 0xbb, 0xbf] + good),
            raw("UTF-16", good.flatMap { [$0, 0] }),
            raw("UTF-16, big-endian", good.flatMap { [0, $0] }),
            raw("zero byte behind it", good + [0]),
            raw("zero byte before it", [0] + good),
            raw("4097 bytes", good + [UInt8](repeating: 0x20, count: 4097 - good.count)),
        ]
        + [
            [0xff], [0x80], [0xc0, 0xaf], [0xc1, 0x81], [0xe0, 0x80, 0x80], [0xed, 0xa0, 0x80],
            [0xf0, 0x80, 0x80, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xf8], [0xc3], [0xe2, 0x82],
        ].map {
            raw("bytes \($0) in a value", text("\"tx-1", "\"tx-1\u{1}").replacing([1], with: $0))
        }
        + stride(from: 0, to: good.count, by: 6).map { raw("cut at \($0)", Array(good.prefix($0))) }

    private static let documents: [MalformedPushPayload] = [
        "", " ", "{}", "[]", "null", "true", "1", #""text""#, "[\(document)]",
        #"{"a":\#(document)}"#,
        document + document, document + ",", document + "}", document + "x", document + "\u{a0}",
        "{" + document + "}", "/**/" + document, document + "//", document + "\n#",
        #""\#(document.replacing("\"", with: "\\\""))""#, "(\(document))", "payload=\(document)",
    ].map { raw("document \($0)", Array($0.utf8)) }

    private static let members: [MalformedPushPayload] = [
        changed("none of sa_transaction_id", #""sa_transaction_id":"tx-1","#, ""),
        changed("none of account_id", #""account_id":"acc.1","#, ""),
        changed("none of account_type", #","account_type":"main""#, ""),
        changed("a fourth", #""main""#, #""main","amount":"1""#),
        changed("a fourth, empty", #""main""#, #""main","":"""#),
        changed("a fourth, null", #""main""#, #""main","x":null"#),
        changed("the same twice", #""main""#, #""main","account_type":"main""#),
        changed("another value later", #""main""#, #""main","account_id":"acc.2""#),
        changed("another value earlier", "{", #"{"account_id":"acc.2","#),
        changed("a repeated name, escaped", "{", #"{"account\u005fid":"acc.2","#),
        changed("a repeated name, escaped in capitals", "{", #"{"account\u005Fid":"acc.2","#),
        changed("a repeated name, all escaped", "{", #"{"\u0061ccount_type":"main","#),
        changed("comma at the end", #""main""#, #""main","#),
        changed("comma at the start", "{", "{,"),
        changed("two commas", ",", ",,"),
        changed("no comma", ",", " "),
        changed("semicolon", ",", ";"),
        changed("no colon", ":", " "),
        changed("equals sign", ":", "="),
        changed("two colons", ":", "::"),
        changed("comment", ",", "/* */,"),
        changed("no closing brace", "}", ""),
        changed("closing bracket", "}", "]"),
        changed("form feed as space", ":", ":\u{c}"),
        changed("no-break space", ":", ":\u{a0}"),
        changed("17 more members", "{", "{" + (0..<17).map { #""\#($0)":0,"# }.joined()),
    ]

    private static let values: [MalformedPushPayload] = [
        "null", "true", "1", "-1", "1.0", "1e3", "{}", "[]", #"["tx-1"]"#, #"{"id":"tx-1"}"#,
        "[[[[]]]]",
        #"{"a":{"a":{"a":{"a":1}}}}"#, "tx-1", "'tx-1'", #""tx-1"#, #"tx-1""#, #""""#, #"" tx-1""#,
        #""tx-1 ""#, #""tx 1""#, #""tx\n""#, "\"tx\n1\"", "\"tx\t1\"", "\"tx\0\"", #""tx\u0000""#,
        #""tx-1\u0020""#, #""tx/1""#, #""tx\/1""#, #""..\/..""#, #""tx%2d1""#, #""tx+1""#,
        #""tx:1""#,
        #""tx\"1""#, #""tx\\1""#, #""tx\x""#, #""tx\u12""#, #""tx\u00g0""#, #""tx\ud800""#,
        #""tx\udc00""#, #""tx\udc00\ud800""#, #""tx\ud83d\ude00""#, #""tx-１""#, #""tх-1""#,
        #""tx\u202e1""#, #""tx\u200b1""#, #""tx\ufeff1""#, #""te\u0301""#, #""\u212a""#, "NaN",
        "01", "+1", ".5", "0x1", "undefined", #""tx-1" "tx-2""#,
        #""\#(String(repeating: "x", count: 65))""#,
    ].map { changed("sa_transaction_id \($0)", #""tx-1""#, $0) }

    private static let names: [MalformedPushPayload] =
        [
            "Account_id", "ACCOUNT_ID", "account_id ", " account_id", "accountId", "account-id",
            "account_iD",
            "account_id\\u0000", "account_id\\u200b", "account_\\u0131d", "account＿id",
            "аccount_id", "",
            "account_i", "account_idd", "account_id\\", "account\\_id",
        ].map { changed("account_id named \($0)", #""account_id""#, "\"\($0)\"") }
        + ["account_id", "'account_id'", "1", "null", #"["account_id"]"#]
        .map { changed("account_id named \($0)", #""account_id""#, $0) }

    private static let document =
        #"{"sa_transaction_id":"tx-1","account_id":"acc.1","account_type":"main"}"#
    private static let good = Array(document.utf8)

    private static func raw(_ fault: String, _ bytes: [UInt8]) -> MalformedPushPayload {
        MalformedPushPayload(fault: fault, bytes: bytes)
    }

    private static func changed(
        _ fault: String,
        _ part: String,
        _ replacement: String
    ) -> MalformedPushPayload {
        raw(fault, text(part, replacement))
    }

    private static func text(_ part: String, _ replacement: String) -> [UInt8] {
        let changed = document.replacing(part, with: replacement, maxReplacements: 1)
        precondition(changed != document, "the fault is not in it")
        return Array(changed.utf8)
    }
}
