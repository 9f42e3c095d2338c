import StrictJSON
import Testing

private struct Account: Codable, Equatable {
    let id: String
    let type: String?
}

private struct Order: Codable, Equatable {
    let accounts: [Account]
    let minorUnits: Int64
    let urgent: Bool
    let kind: Kind

    enum Kind: String, Codable { case payment, login }
}

/// Reads at most one account, by three kinds of containers.
private struct Nested: Codable, Equatable {
    let id: String
    let first: String

    private enum Outer: String, CodingKey { case account, names }
    private enum Inner: String, CodingKey { case id }

    init(id: String, first: String) {
        self.id = id
        self.first = first
    }

    init(from decoder: any Decoder) throws {
        let outer = try decoder.container(keyedBy: Outer.self)
        let account = try outer.nestedContainer(keyedBy: Inner.self, forKey: .account)
        id = try account.decode(String.self, forKey: .id)
        var names = try outer.nestedUnkeyedContainer(forKey: .names)
        first = try names.decode(String.self)
    }

    func encode(to encoder: any Encoder) throws {
        var outer = encoder.container(keyedBy: Outer.self)
        var account = outer.nestedContainer(keyedBy: Inner.self, forKey: .account)
        var names = outer.nestedUnkeyedContainer(forKey: .names)
        try names.encode(first)
        try account.encode(id, forKey: .id)
    }
}

private enum Event: Codable, Equatable {
    case locked(attempts: Int)
    case approved
}

@Suite struct `Decoding JSON` {
    static let order = #"""
        {"accounts":[{"id":"a"},{"id":"b","type":"t"}],"minorUnits":-5,"urgent":true,
        "kind":"payment"}
        """#

    @Test func `returns what was encoded, with members in the type's order`() throws {
        let order = Order(
            accounts: [Account(id: "a", type: nil), Account(id: "b", type: "t")],
            minorUnits: -5,
            urgent: true,
            kind: .payment
        )
        #expect(try decode(Order.self, Self.order) == order)
        let written = Self.order.filter { !$0.isNewline }
        #expect(try StrictJSON.encode(order) == Array(written.utf8))
    }

    @Test(
        arguments: [
            // Missing, null, other types, other spellings, additional members.
            (#""urgent":true"#, #""x":1"#, .missing, "/urgent"),
            (#""urgent":true"#, #""urgent":null"#, .wrongType, "/urgent"),
            (#""urgent":true"#, #""urgent":1"#, .wrongType, "/urgent"),
            (#""urgent":true"#, #""urgent":"true""#, .wrongType, "/urgent"),
            (#""type":"t""#, #""type":null"#, .wrongType, "/accounts/1/type"),
            (#""id":"b""#, #""id":1"#, .wrongType, "/accounts/1/id"),
            (#""id":"b""#, #""Id":"b""#, .missing, "/accounts/1/id"),
            (#"{"id":"a"}"#, "null", .wrongType, "/accounts/0"),
            (#"{"id":"a"}"#, "[]", .wrongType, "/accounts/0"),
            (#"[{"id":"a"},{"id":"b","type":"t"}]"#, "{}", .wrongType, "/accounts"),
            (#"-5"#, "-5.0", .wrongType, "/minorUnits"), (#"-5"#, "1e3", .wrongType, "/minorUnits"),
            (#"-5"#, #""-5""#, .wrongType, "/minorUnits"),
            (#"-5"#, "-0", .wrongType, "/minorUnits"),
            (#"-5"#, "9223372036854775808", .wrongType, "/minorUnits"),
            (#"-5"#, "true", .wrongType, "/minorUnits"),
            ("payment", "gift", .refused, "/kind"), ("payment", "Payment", .refused, "/kind"),
            (#""urgent""#, #""more":{},"urgent""#, .unknownContent(number: 2), ""),
            (#""id":"a""#, #""id":"a","more":1"#, .unknownContent(number: 1), "/accounts/0"),
        ] as [(String, String, StrictJSON.Mismatch, String)]
    )
    func `rejects differences from the type, with their path`(
        part: String,
        replacement: String,
        reason: StrictJSON.Mismatch,
        path: String
    ) {
        #expect(throws: StrictJSON.Failure.mismatch(reason, path: path)) {
            try decode(
                Order.self,
                Self.order.replacing(part, with: replacement, maxReplacements: 1)
            )
        }
    }

    @Test func `works in nested containers`() throws {
        let text = #"{"account":{"id":"a"},"names":["n"]}"#
        let nested = Nested(id: "a", first: "n")
        #expect(try decode(Nested.self, text) == nested)
        #expect(try StrictJSON.encode(nested) == Array(text.utf8))
    }

    @Test(
        arguments: [
            (
                #"{"account":{"id":"a","more":1},"names":["n"]}"#, .unknownContent(number: 1),
                "/account"
            ),
            (#"{"account":{"id":"a"},"names":["n","m"]}"#, .unknownContent(number: 1), "/names"),
            (#"{"account":{"id":"a"},"names":[]}"#, .missing, "/names/0"),
            (#"{"account":["a"],"names":["n"]}"#, .wrongType, "/account"),
        ] as [(String, StrictJSON.Mismatch, String)]
    )
    func `rejects unread values in nested containers`(
        text: String,
        reason: StrictJSON.Mismatch,
        path: String
    ) {
        #expect(throws: StrictJSON.Failure.mismatch(reason, path: path)) {
            try decode(Nested.self, text)
        }
    }

    @Test func `supports enumerations with associated values`() throws {
        for (event, text) in [
            (Event.locked(attempts: 5), #"{"locked":{"attempts":5}}"#),
            (.approved, #"{"approved":{}}"#),
        ] {
            #expect(try decode(Event.self, text) == event)
            #expect(try StrictJSON.encode(event) == Array(text.utf8))
        }
        #expect(throws: StrictJSON.Failure.mismatch(.unknownContent(number: 1), path: "")) {
            try decode(Event.self, #"{"approved":{},"more":{}}"#)
        }
    }

    @Test func `escapes the path as RFC 6901 does`() {
        struct Odd: Decodable {
            let value: Int
            enum CodingKeys: String, CodingKey { case value = "a/b~c" }
        }
        #expect(throws: StrictJSON.Failure.mismatch(.wrongType, path: "/a~1b~0c")) {
            try decode(Odd.self, #"{"a/b~c":""}"#)
        }
    }

    @Test func `distinguishes names by their code points`() throws {
        struct Name: Decodable {
            let value: Int
            enum CodingKeys: String, CodingKey { case value = "\u{e9}" }
        }
        #expect(try decode(Name.self, #"{"\u00e9":1}"#).value == 1)
        #expect(throws: StrictJSON.Failure.mismatch(.missing, path: "/\u{e9}")) {
            try decode(Name.self, #"{"e\u0301":1}"#)
        }
    }

    @Test func `rejects types that round, drop or reorder`() {
        for text in ["1", "1.5", "0"] {
            #expect(throws: wrongType) { try decode(Double.self, text) }
            #expect(throws: wrongType) { try decode(Float.self, text) }
        }
        #expect(throws: wrongType) { try decode([String: Int].self, #"{"a":1}"#) }
        #expect(throws: wrongType) { try decode(Set<Int>.self, "[1,1]") }
        #expect(throws: wrongType) { try decode(Int?.self, "null") }
    }

    @Test func `accepts only integers in range`() throws {
        #expect(try decode(UInt8.self, "255") == 255)
        #expect(try decode(Int8.self, "-128") == -128)
        #expect(try decode(UInt64.self, "18446744073709551615") == .max)
        #expect(try decode(Int128.self, "-170141183460469231731687303715884105728") == .min)
        for text in ["256", "-1", "1.0", "1e0", "10E0", "0.0", "-0"] {
            #expect(throws: wrongType) { try decode(UInt8.self, text) }
        }
        #expect(throws: wrongType) { try decode(Int8.self, "128") }
        #expect(throws: wrongType) { try decode(UInt64.self, "18446744073709551616") }
    }

    @Test func `hides the input if the type's own rule throws`() {
        struct Leaky: Decodable {
            struct Told: Error { let text: String }
            init(from decoder: any Decoder) throws {
                throw Told(text: try decoder.singleValueContainer().decode(String.self))
            }
        }
        #expect(throws: StrictJSON.Failure.mismatch(.refused, path: "/0")) {
            try decode([Leaky].self, #"["secret"]"#)
        }
    }

    private var wrongType: StrictJSON.Failure { .mismatch(.wrongType, path: "") }

    @discardableResult
    private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try StrictJSON.decode(type, from: Array(text.utf8))
    }
}
