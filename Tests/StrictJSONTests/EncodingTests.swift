import StrictJSON
import Testing

@Suite struct `Encoding JSON` {
    @Test(arguments: [
        ("plain/é€😀\u{7f}\u{2028}", "\"plain/é€😀\u{7f}\u{2028}\""),
        ("\"\\\n\r\t\u{8}\u{c}\u{1}\u{1f}", #""\"\\\n\r\t\b\f\u0001\u001f""#), ("", #""""#),
    ])
    func `escapes only the required characters`(text: String, written: String) throws {
        #expect(try StrictJSON.encode(text) == Array(written.utf8))
        #expect(try StrictJSON.decode(String.self, from: Array(written.utf8)) == text)
    }

    @Test func `omits nil, and writes empty objects and arrays`() throws {
        struct Sparse: Encodable {
            let nothing: Int?
            let array: [Int]
        }
        let written = try StrictJSON.encode(Sparse(nothing: nil, array: []))
        #expect(written == Array(#"{"array":[]}"#.utf8))
    }

    @Test func `rejects values that could not be read`() {
        #expect(throws: StrictJSON.Unwritable.unsupportedType) { try StrictJSON.encode(1.5) }
        #expect(throws: StrictJSON.Unwritable.unsupportedType) { try StrictJSON.encode(["a": 1]) }
        #expect(throws: StrictJSON.Unwritable.unsupportedType) { try StrictJSON.encode(Set([1])) }
        #expect(throws: StrictJSON.Unwritable.unsupportedType) { try StrictJSON.encode([1, nil]) }
        #expect(throws: StrictJSON.Unwritable.nullCharacter) { try StrictJSON.encode("a\0b") }
        #expect(throws: StrictJSON.Unwritable.repeatedName) {
            let member = JSONValue.Member(name: "a", value: .null)
            return try JSONValue.object([member, member]).written()
        }
    }

    @Test func `rejects a type that encodes nothing, two values or an error`() {
        struct Silent: Encodable { func encode(to encoder: any Encoder) {} }
        struct Twofold: Encodable {
            func encode(to encoder: any Encoder) throws {
                _ = encoder.unkeyedContainer()
                var single = encoder.singleValueContainer()
                try single.encode(1)
            }
        }
        struct Failing: Encodable {
            struct Failure: Error {}
            func encode(to encoder: any Encoder) throws { throw Failure() }
        }
        #expect(throws: StrictJSON.Unwritable.notOneValue) { try StrictJSON.encode([Silent()]) }
        #expect(throws: StrictJSON.Unwritable.notOneValue) { try StrictJSON.encode([Twofold()]) }
        #expect(throws: StrictJSON.Unwritable.refused) { try StrictJSON.encode([Failing()]) }
    }

    @Test func `returns the same bytes each time`() throws {
        struct Pair: Codable {
            let second: Int, first: Int
        }
        for _ in 0..<20 {
            let written = try StrictJSON.encode(Pair(second: 2, first: 1))
            #expect(written == Array(#"{"second":2,"first":1}"#.utf8))
        }
    }
}
