import Testing

@testable import OneTimePassword
@testable import OneTimePasswordFormats

@Suite struct `A key of a PSKC document` {
    typealias Refusal = ImportedKey.Refusal

    @Test func `computes HOTP codes`() throws {
        let key = try ImportedKey(hotp())
        #expect(key.kind == .hotp(.eight, .sha1, counter: Counter(7)))
        guard case .hotp(let digits, let algorithm, let counter) = key.kind else { return }
        let hotp = try HOTP(secret: key.secret, digits: digits, algorithm: algorithm)
        // RFC 4226, appendix D: 1082162583 in full.
        #expect(hotp.code(at: counter).text == "82162583")
    }

    @Test func `computes TOTP codes`() throws {
        var key = try hotp()
        key.algorithm = .totp
        #expect(try ImportedKey(key).kind == .totp(.eight, .sha1, periodSeconds: 30))
        key.timeIntervalSeconds = 60
        key.time = 0
        #expect(try ImportedKey(key).kind == .totp(.eight, .sha1, periodSeconds: 60))
    }

    @Test func `computes OCRA codes`() throws {
        var key = try hotp()
        key.algorithm = .ocra
        key.suite = "OCRA-1:HOTP-SHA1-6:QN08"
        key.policy.usages = [.challengeResponse, .verify]
        let kind = try ImportedKey(key).kind
        #expect(try kind == .ocra(OCRASuite("OCRA-1:HOTP-SHA1-6:QN08"), counter: Counter(7)))
    }

    @Test(arguments: zip(HMACAlgorithm.allCases, ["HMAC-SHA1", "HMAC-SHA256", "HMAC-SHA512"]))
    func `uses the hash of its suite`(_ hash: HMACAlgorithm, _ suite: String) throws {
        var key = try hotp()
        key.suite = suite
        #expect(try ImportedKey(key).kind == .hotp(.eight, hash, counter: Counter(7)))
    }

    @Test(arguments: HOTP.Digits.allCases)
    func `uses the digits of its response format`(_ digits: HOTP.Digits) throws {
        var key = try hotp()
        key.responseFormat?.length = UInt32(digits.rawValue)
        #expect(try ImportedKey(key).kind == .hotp(digits, .sha1, counter: Counter(7)))
    }

    @Test func `keeps its policy`() throws {
        var key = try hotp()
        key.policy.expiryDate = "2001-01-01T00:00:00Z"
        key.policy.pin = .init()
        key.policy.pin?.usageMode = .local
        #expect(try ImportedKey(key).policy == key.policy)
    }

    // MARK: Refusals

    @Test func `SEC-02 with a secret of 15 bytes is rejected, of 16 bytes accepted`() throws {
        var key = try hotp()
        key.secret = try SecretBytes("0123456789abcde")
        expect(.secret(.tooShort(byteCount: 15)), for: key)
        key.secret = try SecretBytes("0123456789abcdef")
        #expect(try ImportedKey(key).secret.byteCount == 16)
        key.secret = nil
        expect(.secretMissing, for: key)
    }

    @Test(
        arguments: [
            nil, .pin, .other("http://www.yubico.com/#yubikey-aes"),
            .other("urn:ietf:params:xml:ns:keyprov:pskc:HOTP"),
        ] as [PSKCDocument.Algorithm?]
    )
    func `of another algorithm is rejected`(_ algorithm: PSKCDocument.Algorithm?) throws {
        var key = try hotp()
        key.algorithm = algorithm
        expect(.unsupportedAlgorithm(algorithm?.uri), for: key)
    }

    @Test(arguments: ["", "SHA256", "HMAC-SHA384", "hmac-sha1", "OCRA-1:HOTP-SHA1-6:QN08"])
    func `of another hash is rejected`(_ suite: String) throws {
        var key = try hotp()
        key.suite = suite
        expect(.unsupportedSuite(suite), for: key)
    }

    @Test func `for OCRA with an invalid suite is rejected`() throws {
        var key = try hotp()
        key.algorithm = .ocra
        key.suite = "OCRA-garbage"
        expect(.unsupportedSuite("OCRA-garbage"), for: key)
        key.suite = "OCRA-1:HOTP-SHA1-6:C-QN08"
        key.counter = nil
        expect(.counterMissing, for: key)
    }

    @Test(arguments: [0, 4, 5, 9, 10, 40, .max] as [UInt32])
    func `with another number of digits is rejected`(_ length: UInt32) throws {
        var key = try hotp()
        key.responseFormat?.length = length
        expect(.unsupportedResponse, for: key)
    }

    @Test func `with another response format is rejected`() throws {
        var key = try hotp()
        key.responseFormat?.hasCheckDigit = true
        expect(.unsupportedResponse, for: key)
        key.responseFormat = .init(format: .hexadecimal, length: 8)
        expect(.unsupportedResponse, for: key)
        key.responseFormat = nil
        expect(.unsupportedResponse, for: key)
    }

    @Test func `for HOTP without a counter is rejected`() throws {
        var key = try hotp()
        key.counter = nil
        expect(.counterMissing, for: key)
    }

    @Test func `for TOTP with another time is rejected`() throws {
        var key = try hotp()
        key.algorithm = .totp
        for period: UInt64 in [0, 100_000, .max] {
            key.timeIntervalSeconds = period
            expect(.periodOutOfRange, for: key)
        }
        key.timeIntervalSeconds = 30
        key.time = 1
        expect(.unsupportedTime, for: key)
    }

    @Test func `for OCRA without a suite, or with check digits, is rejected`() throws {
        var key = try hotp()
        key.algorithm = .ocra
        key.policy.usages = []
        expect(.suiteMissing, for: key)
        key.suite = "OCRA-1:HOTP-SHA1-6:QN08"
        key.challengeFormat = .init(
            format: .decimal,
            lengths: 8...8,
            hasCheckDigit: true
        )
        expect(.unsupportedChallenge, for: key)
        key.responseFormat?.hasCheckDigit = true
        expect(.unsupportedResponse, for: key)
    }

    @Test func `for another use is rejected`() throws {
        var key = try hotp()
        key.policy.usages = [.challengeResponse, .integrity]
        expect(.usageNotAllowed, for: key)
        key.policy.usages.append(.oneTimePassword)
        #expect(try ImportedKey(key).kind == .hotp(.eight, .sha1, counter: Counter(7)))
    }

    @Test(arguments: [.prepend, .append, .algorithmic, nil] as [PSKCDocument.PINPolicy.UsageMode?])
    func `with a PIN in its codes is rejected`(_ mode: PSKCDocument.PINPolicy.UsageMode?) throws {
        var key = try hotp()
        key.policy.pin = .init()
        key.policy.pin?.usageMode = mode
        expect(.pinRequired, for: key)
    }

    /// RFC 6030, section 5.
    @Test(arguments: [
        "<KeyUsage>Dance</KeyUsage>", "<KeyUsage/>", "<OnWeekdays/>",
        "<f:OnWeekdays xmlns:f='urn:f'/>", "<f:KeyUsage xmlns:f='urn:f'>OTP</f:KeyUsage>",
        "<PINPolicy PINUsageMode='Local' OnWeekdays='true'/>",
        "<PINPolicy PINUsageMode='Local'><OnWeekdays/></PINPolicy>",
        "<PINPolicy PINUsageMode='local'/>",
        "<PINPolicy PINUsageMode='Local' PINEncoding='EMOJI'/>",
    ])
    func `with an unsupported policy is rejected`(_ element: String) throws {
        let change = Change("</Policy>", to: element + "</Policy>")
        let document = try PSKCDocument(reading: change.applied())
        expect(.policyNotUnderstood, for: try #require(document.keys.first))
    }

    @Test func `with all supported policies is accepted`() throws {
        let elements = """
            <StartDate>2026-01-01T00:00:00Z</StartDate><ExpiryDate>2026-02-01T00:00:00Z</ExpiryDate>
            <NumberOfTransactions>5</NumberOfTransactions>
            <PINPolicy PINKeyId='P' PINUsageMode='Local' MaxFailedAttempts='3' MinLength='4'
            MaxLength='6' PINEncoding='DECIMAL'/>
            """
        let change = Change("<Policy>", to: "<Policy>" + elements)
        let key = try #require(try PSKCDocument(reading: change.applied()).keys.first)
        #expect(try ImportedKey(key).policy.pin?.maximumLength == 6)
    }

    // MARK: -

    private func hotp() throws -> PSKCDocument.Key {
        try #require(try PSKCDocument.sample().keys.first)
    }

    private func expect(_ refusal: Refusal, for key: PSKCDocument.Key) {
        #expect(throws: refusal) { try ImportedKey(key) }
    }
}
