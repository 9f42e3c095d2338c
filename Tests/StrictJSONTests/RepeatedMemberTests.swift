import StrictJSON
import Testing

@Suite struct `Repeated JSON members` {
    private func paths(in text: String) throws -> [String] {
        try JSONValue.reading(Array(text.utf8), limits: .message).repeatedMembers
            .map { $0.path.joined(separator: ".") }
    }

    @Test(
        arguments: [
            ("{}", []), (#"{"a":1,"b":1}"#, []), (#"[{"a":1},{"a":1}]"#, []),
            (#"{"a":1,"a":2}"#, ["a"]), (#"{"a":1,"a":2,"a":3}"#, ["a"]),
            (#"{"a":1,"b":2,"b":3,"a":4}"#, ["b", "a"]),
            (#"{"a":{"b":1,"b":2},"a":3}"#, ["a.b", "a"]),
            (#"{"a":[{"b":1},{"c":{"d":1,"\u0064":2}}]}"#, ["a.c.d"]),
            (#"{"a":{"b":1},"c":{"b":1,"b":2}}"#, ["c.b"]),
            (#"{"":1,"":2}"#, [""]),
            // Names of different code points differ, even where Swift's strings are equal.
            (#"{"\u00e9":1,"e\u0301":2}"#, []),
        ] as [(String, [String])]
    )
    func `are listed with the names of the objects around them`(
        text: String,
        expected: [String]
    ) throws {
        #expect(try paths(in: text) == expected)
    }

    @Test func `are all in the document`() throws {
        let bytes = Array(#"{"a":1,"a":2}"#.utf8)
        guard case .object(let members) = try JSONValue.reading(bytes, limits: .message).value
        else { throw StrictJSON.Unwritable.refused }
        #expect(members.map(\.name) == ["a", "a"])
    }

    @Test func `are at most 100`() throws {
        let pairs = (0..<200).map { #""n\#($0)":1,"n\#($0)":2"# }
        #expect(try paths(in: "{\(pairs.joined(separator: ","))}").count == 100)
    }

    @Test(arguments: [#"{"a":1,"a":2"#, #"{"a":1,"a":2}}"#, #"{"a":"\ud800","a":2}"#, "{'a':1}"])
    func `make no other error acceptable`(_ text: String) {
        #expect(throws: StrictJSON.Failure.self) { try paths(in: text) }
    }

    @Test func `are counted by the limits`() {
        let text = "{\(Array(repeating: #""a":1"#, count: 4097).joined(separator: ","))}"
        #expect(throws: StrictJSON.Failure.self) { try paths(in: text) }
    }
}
