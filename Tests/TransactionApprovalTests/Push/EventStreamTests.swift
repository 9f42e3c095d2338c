import Testing
import TransactionApproval

@Suite struct `A stream of events` {
    private func events(in text: String, piece: Int = .max) throws -> [String] {
        var reader = EventStream.Reader()
        var remaining = Array(text.utf8)[...]
        var events: [[UInt8]] = []
        while !remaining.isEmpty {
            let next = remaining.prefix(piece)
            remaining = remaining.dropFirst(next.count)
            events += try reader.take(Array(next))
        }
        return events.map { String(decoding: $0, as: UTF8.self) }
    }

    /// HTML Standard, section 9.2.6.
    @Test(
        arguments: [
            ("data: a\n\n", ["a"]),
            ("data:a\r\rdata: b\r\n\r\n", ["a", "b"]),
            ("data:  a\n\n", [" a"]),
            ("data: a\ndata: b\n\n", ["a\nb"]),
            (":\n\n: data: x\n\ndata: a\n\n", ["a"]),
            ("id: 7\nevent: call\nretry: 1\ndata: a\nunknown\n\n", ["a"]),
            ("event: call\n\n", []),
            ("data: a\n", []),
            ("data: a", []),
            ("\n\n\r\n", []),
            ("data\n\nData: a\n\n data: a\n\n", []),
        ]
    )
    func `is read in pieces of any size`(
        _ text: String,
        _ expected: [String]
    ) throws {
        #expect(try events(in: text) == expected)
        for piece in 1...3 { #expect(try events(in: text, piece: piece) == expected) }
    }

    @Test func `contains push payloads`() throws {
        let payload = PushPayload(
            transactionID: try #require(TransactionID("0199a0b1c2d3e4f5a6b7c8d9eaf0a1b2")),
            account: try AccountKey(
                type: #require(AccountType("main")),
                id: #require(AccountID("4711"))
            )
        )
        var reader = EventStream.Reader()
        let events = try reader.take(
            EventStream.comment + EventStream.event(payload) + EventStream.comment
        )
        #expect(try events.map { try PushPayload(reading: $0) } == [payload])
    }

    @Test(arguments: ["data: ", ":", "unknown"])
    func `stops at an event above the maximum size`(_ field: String) throws {
        let fitting = field + String(repeating: "a", count: 8192 - field.utf8.count)
        #expect(throws: Never.self) { try events(in: fitting + "\n\n" + fitting + "\n\n") }
        #expect(throws: EventStream.Reader.TooLong.self) { try events(in: fitting + "a") }
        #expect(throws: EventStream.Reader.TooLong.self) {
            try events(in: fitting.dropLast(10) + "\ndata: aaaaaa")
        }
    }
}
