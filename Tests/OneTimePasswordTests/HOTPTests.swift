import Testing

@testable import OneTimePassword

@Suite struct `HOTP codes` {
    let secret: Secret

    init() throws {
        secret = try Secret(copying: Array("12345678901234567890".utf8).span)
    }

    @Test func `match the values of RFC 4226, appendix D`() throws {
        let hotp = try HOTP(secret: secret)
        #expect(hotp.code(at: Counter(0)).text == "755224")
        #expect(hotp.code(at: Counter(9)).text == "520489")
    }

    @Test func `use the new secret after a change`() throws {
        let other = try Secret(copying: Array("abcdefghijklmnopqrst".utf8).span)
        let expected = try HOTP(secret: other)
        var hotp = try HOTP(secret: secret)
        for counter in (UInt64(0)..<3).map(Counter.init) {
            try hotp.setSecret(secret)
            try hotp.setSecret(other)
            #expect(hotp.code(at: counter) == expected.code(at: counter))
            #expect(hotp.code(at: counter) == expected.code(at: counter))
            try hotp.setSecret(secret)
            #expect(hotp.code(at: counter) != expected.code(at: counter))
        }
    }

    @Test func `SEC-04 a used code is rejected`() throws {
        let hotp = try HOTP(secret: secret)
        let code = hotp.code(at: Counter(4))
        #expect(hotp.verify(code, from: Counter(4)) == .accepted(next: Counter(5)))
        #expect(hotp.verify(code, from: Counter(5)) == .rejected)
    }
}
