import StrictJSON
import Testing

@Suite struct `JSON limits` {
    private static let limits = StrictJSON.Limits(byteCount: 20, depth: 3, valueCount: 4)

    @Test(arguments: [
        "[[[]]]", #"{"a":{"b":[]}}"#, "[[],[[]],[]]", "[1,2,3,4]", "[[1],[2]]",
        #"{"a":1,"b":[2,3]}"#, "\"123456789012345678\"", "                   1",
    ])
    func `are exact`(_ text: String) throws {
        _ = try JSONValue(reading: Array(text.utf8), limits: Self.limits)
    }

    @Test(
        arguments: [
            ("[[[[]]]]", .tooDeep, 3), (#"{"a":{"b":[{}]}}"#, .tooDeep, 11),
            ("[1,2,3,4,5]", .tooManyValues, 9), ("[[1],[2],5]", .tooManyValues, 9),
            ("[[1,2,3],4]", .tooManyValues, 9),
            ("\"1234567890123456789\"", .tooLarge, 20), ("                    1", .tooLarge, 20),
        ] as [(String, StrictJSON.Malformation, Int)]
    )
    func `reject one more`(text: String, reason: StrictJSON.Malformation, offset: Int) {
        #expect(throws: StrictJSON.Failure.malformed(reason, offset: offset)) {
            try JSONValue(reading: Array(text.utf8), limits: Self.limits)
        }
    }

    @Test func `allow an escaped zero byte only if configured`() throws {
        let escaped = Array(#"["\u0000"]"#.utf8)
        let lenient = StrictJSON.Limits(
            byteCount: 20,
            depth: 1,
            valueCount: 1,
            allowsNullCharacter: true
        )
        let value = try JSONValue(reading: escaped, limits: lenient)
        #expect(throws: StrictJSON.Unwritable.nullCharacter) { try value.written() }
        #expect(throws: StrictJSON.Failure.malformed(.nullCharacter, offset: 2)) {
            try JSONValue(reading: escaped, limits: Self.limits)
        }
        #expect(throws: StrictJSON.Failure.malformed(.nullCharacter, offset: 2)) {
            try JSONValue(reading: Array("[\"\0\"]".utf8), limits: lenient)
        }
    }

    @Test(arguments: ["[", #"{"a":"#, #"[{"a":"#])
    func `prevent a stack overflow by hostile nesting`(_ opening: String) {
        let bytes = Array(String(repeating: opening, count: 500_000).utf8)
        let limits = StrictJSON.Limits(byteCount: .max, depth: 64, valueCount: .max)
        #expect(throws: StrictJSON.Failure.self) { try JSONValue(reading: bytes, limits: limits) }
    }

    /// Swift's own hash is equal for names that differ only in the order of their combining marks.
    @Test func `keep hostile names fast`() throws {
        let marks = ["\u{301}", "\u{323}", "\u{327}", "\u{31b}", "\u{334}", "\u{345}", "\u{5b0}"]
        let members = permutations(of: marks).map { #""a\#($0.joined())":0"# }
        #expect(members.count == 5040)
        let bytes = Array("{\(members.joined(separator: ","))}".utf8)
        let limits = StrictJSON.Limits(byteCount: .max, depth: 1, valueCount: .max)
        let time = try ContinuousClock().measure {
            _ = try JSONValue(reading: bytes, limits: limits)
        }
        #expect(time < .seconds(5), "by Swift's own hashing it takes ten times as long")
    }

    private func permutations(of marks: [String]) -> [[String]] {
        guard !marks.isEmpty else { return [[]] }
        return marks.flatMap { mark in
            permutations(of: marks.filter { $0 != mark }).map { [mark] + $0 }
        }
    }
}
