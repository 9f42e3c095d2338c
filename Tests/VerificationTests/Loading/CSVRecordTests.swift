import Testing

@testable import Verification

@Suite struct `CSV lines` {
    private func fields(_ line: String) throws(CSVRecord.Failure) -> [String?] {
        let bytes = Array(line.utf8)
        var record = CSVRecord()
        try record.split(bytes.span)
        return record.fields.map { CSVRecord.text(of: $0, in: bytes.span) }
    }

    /// A ' represents a quote.
    @Test(
        arguments: [
            ("", [""]), ("a", ["a"]), ("a,b", ["a", "b"]), (",", ["", ""]), ("a,", ["a", ""]),
            ("'a'", ["a"]), ("'a,b',c", ["a,b", "c"]), ("''", [""]), ("''''", ["'"]),
            ("'a''b'", ["a'b"]), ("'''',''''''", ["'", "''"]), (" a , b ", [" a ", " b "]),
            ("ä,→", ["ä", "→"]),
        ] as [(String, [String])]
    )
    func `a line is split as in RFC 4180`(_ row: (line: String, fields: [String])) throws {
        let expected = row.fields.map { $0.replacing("'", with: "\"") }
        #expect(try fields(row.line.replacing("'", with: "\"")) == expected)
    }

    @Test(arguments: ["'", "a'b", "'a'b", "'a' ,b", "a,'b", " 'a'", "'''", "'a''"])
    func `a line with a misplaced quote is refused`(_ line: String) {
        #expect(throws: CSVRecord.Failure.quoting) {
            try fields(line.replacing("'", with: "\""))
        }
    }

    @Test func `a field that is not UTF-8 has no text`() throws {
        let bytes: [UInt8] = [0x61, 0x2c, 0xc3, 0x28]
        var record = CSVRecord()
        try record.split(bytes.span)
        #expect(record.fields.map { CSVRecord.text(of: $0, in: bytes.span) } == ["a", nil])
    }
}
