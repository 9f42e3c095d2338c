import Testing
import TransactionApproval

@Suite struct `Binary fields` {
    @Test func `are read as they were written`() throws {
        let id = try CredentialID.random()
        var writer = FieldWriter()
        writer.append(UInt8(7))
        writer.append(UInt16(0x0102))
        writer.append(UInt64.max)
        writer.append("Grüße")
        writer.append(id)
        writer.append([UInt8](1...3))

        var reader = FieldReader(writer.bytes)
        #expect(try reader.byte() == 7)
        #expect(try reader.number(UInt16.self) == 0x0102)
        #expect(try reader.number(UInt64.self) == .max)
        #expect(try reader.text(atMost: 7) == "Grüße")
        #expect(try reader.identifier(CredentialID.self) == id)
        #expect(try reader.field(atMost: 3) == [1, 2, 3])
        try reader.end()
    }

    @Test func `that end early are refused`() {
        var writer = FieldWriter()
        writer.append("twelve bytes")
        writer.append(UInt64(1))
        for count in writer.bytes.indices {
            #expect(throws: FieldReader.Failure.self) {
                var reader = FieldReader(Array(writer.bytes.prefix(count)))
                _ = try reader.text(atMost: 100)
                _ = try reader.number(UInt64.self)
            }
        }
    }

    @Test func `of different lengths never have the same bytes`() {
        var left = FieldWriter()
        left.append("ab")
        left.append("c")
        var right = FieldWriter()
        right.append("a")
        right.append("bc")
        #expect(left.bytes != right.bytes)
    }

    @Test(arguments: [[0xc0, 0x80], [0xff], [0xed, 0xa0, 0x80], [0xe2, 0x82]] as [[UInt8]])
    func `that are not UTF-8 are refused`(_ bytes: [UInt8]) {
        var writer = FieldWriter()
        writer.append(bytes)
        var reader = FieldReader(writer.bytes)
        #expect(throws: FieldReader.Failure.malformed(offset: 0)) { try reader.text(atMost: 9) }
    }

    @Test func `longer than the limit, or followed by more, are refused`() throws {
        var writer = FieldWriter()
        writer.append("four")
        var reader = FieldReader(writer.bytes)
        #expect(throws: FieldReader.Failure.malformed(offset: 0)) { try reader.text(atMost: 3) }
        var longer = FieldReader(writer.bytes + [0])
        #expect(try longer.text(atMost: 4) == "four")
        #expect(throws: FieldReader.Failure.trailingBytes(offset: 8)) { try longer.end() }
    }
}

@Suite struct `Timestamps` {
    @Test func `move by durations and stop at the ends`() throws {
        let moment = try #require(Timestamp(milliseconds: 5_000))
        #expect(moment + .seconds(2) == Timestamp(milliseconds: 7_000))
        #expect(moment - .seconds(2) == Timestamp(milliseconds: 3_000))
        #expect(moment - .seconds(6) == Timestamp(milliseconds: 0))
        #expect(moment + .seconds(Int64.max) == .latest)
        #expect(moment - .seconds(Int64.max) == Timestamp(milliseconds: 0))
        #expect(Timestamp.latest + .seconds(1) == .latest)
        #expect((moment + .seconds(2)).elapsed(since: moment) == .seconds(2))
        #expect(Timestamp(milliseconds: .max) == nil)
    }
}
