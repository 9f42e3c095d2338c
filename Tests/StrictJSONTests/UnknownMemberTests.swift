import StrictJSON
import Testing

@Suite struct `Unknown JSON members` {
    private func read(
        _ text: String,
        ignoresOthers: Bool
    ) throws -> CheckedResult<String> {
        try StrictJSON.check(Array(text.utf8)) { value in
            value.object(["a"], ignoresOthers: ignoresOthers)?.required("a")?.string()
        }
    }

    @Test func `are refused, with their place`() throws {
        guard case .refused(let violations) = try read(#"{"a":"x","b":[1]}"#, ignoresOthers: false)
        else {
            Issue.record("accepted")
            return
        }
        #expect(violations.map(\.pointer) == ["/b"])
    }

    @Test func `are ignored on request`() throws {
        guard case .accepted("x") = try read(#"{"b":[1],"a":"x"}"#, ignoresOthers: true) else {
            Issue.record("refused")
            return
        }
    }
}
