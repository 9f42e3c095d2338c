import TestSupport
import Testing

@testable import OneTimePassword

private func wholeMAC(_ byte: String) -> String { String(repeating: byte, count: 32) }

@Suite struct `One-time codes` {
    @Test func `SEC-01 keep their leading zeros`() throws {
        #expect(try OneTimeCode("012345").text == "012345")
        #expect(try OneTimeCode("012345") != OneTimeCode("12345"))
        #expect(try OneTimeCode("012345") == OneTimeCode("012345"))
    }

    @Test(arguments: [
        " 123456", "123456 ", "\u{FF11}\u{FF12}\u{FF13}\u{FF14}\u{FF15}\u{FF16}", "123456\n",
        "+123456", "-12345", "0x1234", "12345\u{FF16}", "123456\0", "", "123", "1234567890",
        "12e4", "1 2 3 4", "١٢٣٤٥٦",
    ])
    func `SEC-15 accept only ASCII digits`(submitted: String) {
        #expect(throws: OneTimeCode.Failure.malformed) { try OneTimeCode(submitted) }
    }

    @Test(arguments: ["1234", "00000000", "999999999"])
    func `SEC-15 accept digits unchanged`(submitted: String) throws {
        #expect(try OneTimeCode(submitted).text == submitted)
    }

    @Test func `accept a whole MAC in lower-case hexadecimal`() throws {
        let text = String(repeating: "0f", count: 32)
        #expect(try OneTimeCode(text).text == text)
        #expect(throws: OneTimeCode.Failure.malformed) { try OneTimeCode(text.uppercased()) }
        #expect(throws: OneTimeCode.Failure.malformed) { try OneTimeCode(text + "0f") }
        #expect(throws: OneTimeCode.Failure.malformed) {
            try OneTimeCode(String(repeating: "0g", count: 32))
        }
    }

    @Test(arguments: [
        ("13572468", "13572468"), ("13572468", "13572469"), ("13572468", "03572468"),
        ("135724", "864213"), (wholeMAC("0f"), wholeMAC("0f")), (wholeMAC("0f"), wholeMAC("f0")),
    ])
    func `SEC-14 are compared by one call of OpenSSL, whatever differs`(
        _ left: String,
        _ right: String
    ) throws {
        let (code, other) = (try OneTimeCode(left), try OneTimeCode(right))
        let calls = CallTally.calls(of: .comparison) { #expect((code == other) == (left == right)) }
        #expect(calls == 1)
    }

    @Test func `SEC-69 do not print themselves`() throws {
        let code = try OneTimeCode("13572468")
        var dumped = ""
        dump(code, to: &dumped)
        for text in ["\(code)", String(reflecting: code), String(describing: [code]), dumped] {
            #expect(!text.contains("13572468"))
            #expect(!text.contains("49"), "the first character's number")
        }
    }
}

@Suite struct `Secrets` {
    @Test func `SEC-02 of less than 16 bytes are rejected`() throws {
        let fifteen = [UInt8](repeating: 7, count: 15)
        #expect(throws: Secret.Failure.tooShort(byteCount: 15)) {
            try Secret(copying: fifteen.span)
        }
        #expect(throws: Secret.Failure.tooShort(byteCount: 15)) {
            try Secret(importing: try SecretBytes(copying: fifteen.span))
        }
        #expect(try Secret(copying: (fifteen + [7]).span).byteCount == 16)
    }

    @Test func `SEC-02 differ when generated`() throws {
        let texts = try (0..<10_000).map { _ in
            try Secret.random().withBytes { bytes in bytes.withUnsafeBufferPointer { Array($0) } }
        }
        #expect(Set(texts).count == 10_000)
        #expect(texts.allSatisfy { $0.count == 32 })
    }

    @Test func `SEC-69 do not print themselves`() throws {
        let foreign = try SecretBytes(hexadecimal: "a1b2c3d4e5f60718293a4b5c6d7e8f90")
        let secret = try Secret(importing: foreign)
        var dumped = ""
        dump(secret, to: &dumped)
        dump(foreign, to: &dumped)
        for text in ["\(secret)\(foreign)", String(reflecting: [secret]), dumped] {
            #expect(text.contains("<redacted>"))
            #expect(!text.contains("a1"))
            #expect(!text.contains("161"))
        }
    }

    @Test func `are not copied into decoding errors`() throws {
        #expect(throws: Secret.Failure.malformedText(offset: 3)) {
            try SecretBytes(base32: "ABC1DEFG")
        }
        #expect(throws: Secret.Failure.tooShort(byteCount: 0)) { try SecretBytes(base32: "") }
        #expect(throws: Secret.Failure.tooLong) {
            try SecretBytes(hexadecimal: String(repeating: "00", count: 513))
        }
        #expect(
            try SecretBytes(hexadecimal: String(repeating: "00", count: 512)).byteCount == 512
        )
        #expect(throws: Secret.Failure.tooLong) {
            try SecretBytes(base32: String(repeating: "A", count: 8 << 20))
        }
    }

    @Test(arguments: [-1, 0, 15])
    func `SEC-02 are not generated too short`(byteCount: Int) {
        #expect(throws: Secret.Failure.tooShort(byteCount: byteCount)) {
            try Secret.random(byteCount: byteCount)
        }
        #expect(throws: Secret.Failure.tooLong) { try Secret.random(byteCount: 513) }
    }
}
