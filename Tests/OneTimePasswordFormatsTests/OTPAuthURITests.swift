import Testing

@testable import OneTimePassword
@testable import OneTimePasswordFormats

@Suite struct `otpauth URIs` {
    static let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

    @Test func `are read from their own output`() throws {
        let uri = try OTPAuthURI(
            kind: .hotp(counter: Counter(1 << 63 - 1)),
            label: "Zoë & co/1%",
            issuer: "Bank?#=",
            secret: try SecretBytes(base32: Self.secret),
            algorithm: .sha512,
            digits: .eight
        )
        #expect(try OTPAuthURI(uri.text) == uri)
        #expect(
            uri.text
                == "otpauth://hotp/Bank%3F%23%3D:Zo%C3%AB%20%26%20co%2F1%25?secret=\(Self.secret)"
                + "&algorithm=SHA512&digits=8&issuer=Bank%3F%23%3D&counter=9223372036854775807"
        )
    }

    @Test(arguments: 16...128)
    func `have one spelling for a secret of any length`(byteCount: Int) throws {
        let bytes = (0..<byteCount).map { UInt8($0 &* 151 & 0xff) }
        let secret = try SecretBytes(copying: bytes.span)
        let uri = try OTPAuthURI(kind: .totp(periodSeconds: 30), label: "a", secret: secret)
        #expect(try OTPAuthURI(uri.text).secret == secret)
        #expect(!uri.text.contains("%"))
    }

    @Test(
        arguments: [
            ("otpauth://totp/a?secret=\(secret)&secret=\(secret)", .duplicate(.secret)),
            ("otpauth://hotp/a?secret=\(secret)", .missing(.counter)),
            ("otpauth://totp/a?digits=6", .missing(.secret)),
            ("otpauth://totp/a?secret=\(secret)&digits=5", .invalidValue(.digits)),
            ("otpauth://totp/a?secret=\(secret)&period=0", .invalidValue(.period)),
            ("otpauth://totp/a?secret=0", .invalidValue(.secret)),
            ("otpauth://totp/A:b?secret=\(secret)&issuer=C", .contradictoryIssuer),
            ("otpauth://totp/a%0ab?secret=\(secret)", .invalidLabel),
            ("otpauth://totp/%20a?secret=\(secret)", .invalidLabel),
            ("otpauth://totp/A:b%3a%cc%81?secret=\(secret)", .invalidLabel),
            ("otpauth://totp/a%2?secret=\(secret)", .malformedPercentEscape),
            ("otpauth://motp/a?secret=\(secret)", .malformedURI),
        ] as [(String, OTPAuthURI.Failure)]
    )
    func `with errors are rejected by the wrong part`(
        text: String,
        failure: OTPAuthURI.Failure
    ) {
        #expect(throws: failure) { try OTPAuthURI(text) }
    }

    @Test func `are not written if they could not be read`() throws {
        let secret = try SecretBytes(base32: Self.secret)
        let long = try SecretBytes(copying: [UInt8](repeating: 1, count: 129).span)
        #expect(throws: OTPAuthURI.Failure.invalidLabel) {
            try OTPAuthURI(kind: .totp(periodSeconds: 30), label: "a:b", secret: secret)
        }
        #expect(throws: OTPAuthURI.Failure.invalidValue(.issuer)) {
            try OTPAuthURI(
                kind: .totp(periodSeconds: 30),
                label: "a",
                issuer: "\u{202E}b",
                secret: secret
            )
        }
        #expect(throws: OTPAuthURI.Failure.invalidValue(.counter)) {
            try OTPAuthURI(kind: .hotp(counter: Counter(1 << 63)), label: "a", secret: secret)
        }
        #expect(throws: OTPAuthURI.Failure.invalidValue(.secret)) {
            try OTPAuthURI(kind: .totp(periodSeconds: 30), label: "a", secret: long)
        }
    }

    @Test func `SEC-69 do not print their secret`() throws {
        let uri = try OTPAuthURI("otpauth://totp/a?secret=\(Self.secret)")
        var dumped = ""
        dump(uri, to: &dumped)
        for text in ["\(uri)", String(reflecting: uri), dumped] {
            #expect(text.contains("<redacted>"))
            #expect(!text.contains(Self.secret) && !text.contains("3132"))
        }
    }

    @Test func `SEC-02 with a short secret are read but not imported`() throws {
        let uri = try OTPAuthURI("otpauth://totp/a?secret=JBSWY3DPEHPK3PXP")
        #expect(uri.secret.byteCount == 10)
        #expect(throws: Secret.Failure.tooShort(byteCount: 10)) {
            try Secret(importing: uri.secret)
        }
    }
}
