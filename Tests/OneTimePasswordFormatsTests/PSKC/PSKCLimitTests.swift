import Testing

@testable import OneTimePassword
@testable import OneTimePasswordFormats

@Suite struct `A PSKC document` {
    @Test func `has at most 4 MiB`() throws {
        var bytes = Array(PSKCDocument.sampleText.utf8)
        bytes += Array(repeating: UInt8(ascii: "\n"), count: 4 << 20 - bytes.count)
        #expect(try PSKCDocument(reading: bytes.span) == .sample())
        bytes.append(UInt8(ascii: "\n"))
        #expect(throws: PSKCDocument.ReadingFailure.tooLarge) {
            try PSKCDocument(reading: bytes.span)
        }
    }

    @Test func `has at most 32 nested elements`() throws {
        func nested(_ count: Int) -> Change {
            let opening = String(repeating: "<f>", count: count)
            let closing = String(repeating: "</f>", count: count)
            let extensions =
                "<Extensions xmlns:p='urn:f'><p:f>\(opening)\(closing)</p:f></Extensions>"
            return Change("</KeyContainer>", to: extensions + "</KeyContainer>")
        }
        #expect(try PSKCDocument(reading: nested(29).applied()) == .sample())
        #expect(throws: PSKCDocument.ReadingFailure.tooLarge) {
            try PSKCDocument(reading: nested(30).applied())
        }
    }

    @Test func `may contain as many keys as fit`() throws {
        let key = try #require(try PSKCDocument.sample().keys.first)
        func document(keyCount: Int) -> PSKCDocument {
            PSKCDocument(
                keys: (0..<keyCount).map { number in
                    var key = key
                    key.id = "K\(number)"
                    return key
                }
            )
        }
        let large = document(keyCount: 2000)
        let written = try large.serialized(protection: .nothing)
        #expect(try PSKCDocument(reading: written.span) == large)
        #expect(throws: PSKCDocument.WritingFailure.tooLarge) {
            try document(keyCount: 8000).serialized(protection: .nothing)
        }
    }

    @Test(arguments: [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]])
    func `is UTF-8`(_ wrong: [UInt8]) {
        expectEncodingRefused(Array(PSKCDocument.sampleText.utf8) + wrong)
    }

    @Test(arguments: ["\u{FEFF}", ""], [true, false])
    func `is not UTF-16`(_ mark: String, isBigEndian: Bool) throws {
        let declaration = #"<?xml version="1.0" encoding="UTF-8"?>"#
        let text = mark + PSKCDocument.sampleText.replacing(declaration, with: "")
        let bytes = text.utf16.flatMap { unit in
            let bytes = [UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)]
            return isBigEndian ? bytes : bytes.reversed()
        }
        expectEncodingRefused(bytes)
    }

    @Test func `is not empty`() {
        #expect(throws: PSKCDocument.ReadingFailure.notXML(line: 1)) {
            try PSKCDocument(reading: "")
        }
    }

    private func expectEncodingRefused(_ bytes: [UInt8]) {
        #expect(throws: PSKCDocument.ReadingFailure.encodingRefused) {
            try PSKCDocument(reading: bytes.span)
        }
    }
}
