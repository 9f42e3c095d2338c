import Testing

@testable import ThreeDSProtocol

@Suite struct `A range of cards` {
    @Test(
        arguments: [
            ("4000050000000000", true), ("4000056655665556", true), ("4000059999999999", true),
            ("4000049999999999", false), ("4000060000000000", false),
            // Of other lengths.
            ("400005000000000", false), ("40000500000000000", false), ("4000056655665", false),
        ]
    )
    func `contains the numbers of its length between its ends`(
        digits: String,
        isInside: Bool
    ) throws {
        let range = try #require(CardRange(from: "4000050000000000", to: "4000059999999999"))
        let number = try #require(try CardNumber(Array(digits.utf8).span))
        #expect(range.contains(number) == isInside)
    }

    @Test func `can have one number`() throws {
        let range = try #require(CardRange(from: "4222222222222", to: "4222222222222"))
        let number = try #require(try CardNumber(Array("4222222222222".utf8).span))
        #expect(range.contains(number))
    }

    @Test(
        arguments: [
            ("4000059999999999", "4000050000000000"), ("400005000000000", "4000059999999999"),
            ("400005", "400006"), ("40000500000000000000", "40000599999999999999"), ("", ""),
            ("400005000000000a", "4000059999999999"), ("4000050000000000", "400005999999999 "),
        ]
    )
    func `of another form is refused`(first: String, last: String) {
        #expect(CardRange(from: first, to: last) == nil)
    }
}
