import Cryptography
import Testing

@testable import OneTimePassword
@testable import OneTimePasswordFormats

@Suite struct `Reading a PSKC document` {
    @Test func `returns all its values`() throws {
        let document = try PSKCDocument.sample()
        var key = PSKCDocument.Key(
            id: "K1",
            algorithm: .hotp,
            secret: try SecretBytes("12345678901234567890")
        )
        key.device.manufacturer = "Maker"
        key.device.serialNumber = "42"
        key.cryptoModuleID = "M1"
        key.issuer = "Bank"
        key.responseFormat = .init(length: 8)
        key.counter = Counter(7)
        key.policy.usages = [.oneTimePassword]
        #expect(document == PSKCDocument(id: "C1", keys: [key]))
    }

    @Test(arguments: [
        Change("MTIzNDU2Nzg5", to: "\n MTIz\tNDU2\r\nNzg5 "),
        Change("MTIzNDU2Nzg5", to: "MTIz<!-- none of it -->NDU2<![CDATA[Nzg5]]>"),
        Change("MTIzNDU2Nzg5", to: "&#77;TIzNDU2Nzg&#x35;"),
        Change("<Issuer>Bank<", to: "<Issuer>\n  Bank\t\n<"),
        Change("UTF-8", to: "utf-8"),
        Change(#" encoding="UTF-8""#, to: ""),
        Change("<?xml", to: "\u{FEFF}<?xml"),
        Change("<Issuer>", to: "<Issuer xmlns:f='urn:f' f:lang='en' xml:lang='en'>"),
        Change("</Key>", to: "<Extensions><f:Foo xmlns:f='urn:f'/></Extensions></Key>"),
        Change("</Data>", to: "<f:Secret xmlns:f='urn:f'/></Data>"),
        Change("</KeyContainer>", to: "<Signature/></KeyContainer>"),
        Change(
            "</KeyContainer>",
            to: "<d:Signature xmlns:d='http://www.w3.org/2000/09/xmldsig#'/></KeyContainer>"
        ),
        Change("</KeyContainer>", to: "<KeyPackage/></KeyContainer>"),
        Change(#"Length="8""#, to: #"Length="8" CheckDigits="0""#),
    ])
    func `does not depend on the spelling`(_ change: Change) throws {
        #expect(try PSKCDocument(reading: change.applied()) == .sample())
    }

    @Test func `returns a secret that does not print itself`() throws {
        let document = try PSKCDocument.sample()
        var text = String(describing: document) + String(reflecting: document)
        dump(document, to: &text)
        #expect(text.contains("K1"))
        #expect(!text.contains("1234567890"))
        #expect(!text.contains("MTIz"))
    }

    @Test(arguments: ["CheckDigits='true'", "CheckDigits='1'", "CheckDigit='true'"])
    func `accepts both spellings of the check digit`(_ attribute: String) throws {
        let change = Change("Length=", to: attribute + " Length=")
        let key = try #require(try PSKCDocument(reading: change.applied()).keys.first)
        #expect(key.responseFormat?.hasCheckDigit == true)
    }
}

@Suite struct `Reading a PSKC document rejects` {
    typealias Failure = PSKCDocument.ReadingFailure

    @Test(arguments: [
        (Change("?>\n", to: "?><!DOCTYPE KeyContainer>\n"), Failure.doctypeRefused),
        (Change("?>\n", to: "?><!DOCTYPE k [<!ENTITY e 'x'>]>\n"), .doctypeRefused),
        (Change("?>\n", to: "?><!DOCTYPE k SYSTEM 'file:///etc/passwd'>\n"), .doctypeRefused),
        (Change("?>\n", to: "?><!DOCTYPE k PUBLIC '-' 'http://127.0.0.1/'>\n"), .doctypeRefused),
        (Change("Bank", to: "&bank;"), .notXML(line: 7)),
        (Change("UTF-8", to: "ISO-8859-1"), .encodingRefused),
        (Change("UTF-8", to: "US-ASCII"), .encodingRefused),
        (Change("UTF-8", to: "UTF-16"), .encodingRefused),
        (Change("Bank", to: "Ba\u{0}nk"), .encodingRefused),
        (Change("Bank", to: "Ba&#1;nk"), .notXML(line: 7)),
        (Change("</Issuer>", to: ""), .notXML(line: 14)),
        (Change("</KeyContainer>", to: ""), .notXML(line: 16)),
        (Change("</KeyContainer>", to: "</KeyContainer><x/>"), .notXML(line: 16)),
        (Change("Id=\"K1\"", to: "Id=\"K1\" Id=\"K2\""), .notXML(line: 6)),
        (Change("<Issuer>", to: "<f:Issuer>"), .notXML(line: 7)),
    ])
    func `input that is not plain XML in UTF-8`(_ change: Change, _ failure: Failure) throws {
        try expect(failure, for: change)
    }

    @Test func `two different spellings of a check digit`() throws {
        let both = Change("Length=", to: "CheckDigits='false' CheckDigit='true' Length=")
        #expect(throws: Failure.self) { try PSKCDocument(reading: both.applied()) }
        let same = Change("Length=", to: "CheckDigits='true' CheckDigit='true' Length=")
        #expect(throws: Never.self) { try PSKCDocument(reading: same.applied()) }
    }

    @Test(arguments: [(2, 9, true), (9, 9, true), (9, 2, false)])
    func `a challenge with a minimum length above its maximum`(
        minimum: Int,
        maximum: Int,
        isRead: Bool
    ) throws {
        let format = "<ChallengeFormat Encoding='DECIMAL' Min='\(minimum)' Max='\(maximum)'/>"
        let change = Change("<ResponseFormat", to: format + "<ResponseFormat")
        let document = try? PSKCDocument(reading: change.applied())
        #expect((document != nil) == isRead)
    }

    @Test func `a secret that is too long, before decoding it`() throws {
        let before = SecureHeap.usedByteCount
        let secret = String(repeating: "AAAA", count: 1_000_000 / 4)
        let change = Change("MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=", to: secret)
        let failure = #expect(throws: Failure.self) {
            try PSKCDocument(reading: change.applied())
        }
        guard case .malformed = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(SecureHeap.usedByteCount - before < 1_000_000)
    }

    @Test(arguments: [
        (Change("<KeyContainer ", to: "<Container "), Failure.notXML(line: 16)),
        (Change("keyprov:pskc\">\n<KeyP", to: "keyprov:container:1.0\">\n<KeyP"), .notPSKC),
        (Change("xmlns=", to: "about="), .notPSKC),
        (Change("Version=\"1.0\"", to: "Version=\"1.1\""), .notPSKC),
        (Change("Version=\"1.0\"", to: "Version=\"1.0 \""), .notPSKC),
        (Change("Version=\"1.0\" ", to: ""), .missing("Version", line: 2)),
    ])
    func `another format`(_ change: Change, _ failure: Failure) throws {
        try expect(failure, for: change)
    }

    @Test(arguments: [
        (Change("</Data>", to: "<Counter><PlainValue>8</PlainValue></Counter></Data>"), 12),
        (Change("</Data>", to: "<Secret/></Data>"), 12),
        (Change("</Data>", to: "</Data>\n<Data/>"), 13),
        (Change("</Secret>", to: "<PlainValue>MTIz</PlainValue></Secret>"), 10),
        (Change("</Secret>", to: "<EncryptedValue/></Secret>"), 10),
        (Change("</Secret>", to: "<ValueMAC>MTIz</ValueMAC></Secret>"), 10),
        (Change("</Issuer>", to: "</Issuer>\n<Issuer>Other</Issuer>"), 8),
        (Change("</Issuer>", to: "</Issuer><Isuer/>"), 7),
        (Change("<KeyPackage>", to: "<\u{212A}eyPackage/><KeyPackage>"), 3),
        (Change("<Issuer>", to: "<Issuer \u{212A}='1'>"), 7),
        (Change("</Key>", to: "</Key><Key Id='K2'/>"), 14),
        (Change("</DeviceInfo>", to: "<Secret/></DeviceInfo>"), 4),
        (Change("</Id>", to: "</Id><Id>M2</Id>"), 5),
        (Change("<KeyPackage>", to: "<Keys/><KeyPackage>"), 3),
        (Change("</KeyContainer>", to: "<Signature/><Signature/></KeyContainer>"), 16),
        (Change("<ResponseFormat", to: "<ResponseFormat/><ResponseFormat"), 8),
    ])
    func `an element that is not allowed there`(_ change: Change, _ line: Int) throws {
        try expect(.unexpectedElement(line: line), for: change)
    }

    @Test(arguments: [
        (Change(" Encoding=\"DECIMAL\"", to: ""), "Encoding", 8),
        (Change(" Length=\"8\"", to: ""), "Length", 8),
        (Change("<Id>M1</Id>", to: ""), "Id", 5),
        (Change("<PlainValue>7</PlainValue>", to: ""), "EncryptedValue", 11),
    ])
    func `a missing part`(_ change: Change, _ name: String, _ line: Int) throws {
        try expect(.missing(name, line: line), for: change)
    }

    @Test func `a container without a package`() {
        let text = "<KeyContainer Version='1.0' xmlns='urn:ietf:params:xml:ns:keyprov:pskc'/>"
        #expect(throws: Failure.missing("KeyPackage", line: 1)) { try PSKCDocument(reading: text) }
    }

    @Test(arguments: [
        "-1", "+7", "07", "7.0", "0x7", "7e1", "٧", "7 7", "18446744073709551616", "",
    ])
    func `a counter that is not an unsigned 64-bit number`(_ counter: String) throws {
        let change = Change("<PlainValue>7<", to: "<PlainValue>\(counter)<")
        try expect(.malformed("PlainValue", line: 11), for: change)
    }

    @Test func `no unsigned 64-bit counter`() throws {
        let change = Change("<PlainValue>7<", to: "<PlainValue>18446744073709551615<")
        let document = try PSKCDocument(reading: change.applied())
        #expect(document.keys.first?.counter == Counter(.max))
    }

    @Test(arguments: [
        (Change("\"8\"", to: "\"-1\""), "Length", 8),
        (Change("\"8\"", to: "\"4294967296\""), "Length", 8),
        (Change("\"8\"", to: "\"eight\""), "Length", 8),
        (Change("DECIMAL", to: "decimal"), "Encoding", 8),
        (Change("Length=", to: "CheckDigits='FALSE' Length="), "CheckDigits", 8),
        (Change("Length=", to: "CheckDigit='' Length="), "CheckDigit", 8),
        (
            Change("<KeyUsage>", to: "<NumberOfTransactions>many</NumberOfTransactions><KeyUsage>"),
            "NumberOfTransactions", 13
        ),
        (Change("<KeyUsage>", to: "<PINPolicy MinLength='FOUR'/><KeyUsage>"), "MinLength", 13),
        (Change("Bank", to: "Ba<b/>nk"), "Issuer", 7),
        (Change("MTIz", to: "MTIz<b/>"), "PlainValue", 10),
    ])
    func `an invalid value`(_ change: Change, _ name: String, _ line: Int) throws {
        try expect(.malformed(name, line: line), for: change)
    }

    @Test(arguments: ["MTIz*NDU2", "MTIzNDU", "MTIzNDV=", "MTIz-_", "=", "é"])
    func `a secret that is not base64`(_ secret: String) throws {
        let change = Change("MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=", to: secret)
        try expect(.malformed("PlainValue", line: 10), for: change)
    }

    @Test(arguments: ["", " \n ", String(repeating: "MTIz", count: 171)])
    func `an empty secret, and one of more than 512 bytes`(_ secret: String) throws {
        let change = Change("MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=", to: secret)
        try expect(.malformed("Secret", line: 10), for: change)
    }

    @Test(arguments: [
        "\u{202E}knaB", "Ba\u{2066}nk", "Ba\u{200B}nk", "Ba\u{200D}nk", "Ba\u{AD}nk", "Ba\nnk",
        "Ba\u{3164}nk", "Ba\u{2800}nk", "Ba\u{34F}nk",
        "Ba\u{85}nk", "Ba\u{2028}nk", "Ba\u{E000}nk", "Ba\u{E0041}nk", "Ba&#x202E;nk",
        String(repeating: "B", count: 1025),
    ])
    func `text with invisible characters`(_ text: String) throws {
        try expect(.malformed("Issuer", line: 7), for: Change("Bank", to: text))
        // An XML reader converts a line break in an attribute to a space.
        if text.contains("\n") { return }
        try expect(.malformed("Id", line: 6), for: Change("K1", to: text))
    }

    @Test(arguments: ["Bánk & Söhne".replacing("&", with: "&amp;"), "銀行", "بنك", "🏦 Bank"])
    func `no visible text in other scripts`(_ text: String) throws {
        let document = try PSKCDocument(reading: Change("Bank", to: text).applied())
        #expect(document.keys.first?.issuer == text.replacing("&amp;", with: "&"))
    }

    @Test func `a second key with the same id`() throws {
        let package = "<KeyPackage><Key Id='K1'/></KeyPackage>"
        let change = Change("</KeyContainer>", to: package + "</KeyContainer>")
        try expect(.duplicateKeyID(line: 16), for: change)
        let other = package.replacing("K1", with: "K2")
        let changed = Change("</KeyContainer>", to: other + "</KeyContainer>")
        #expect(try PSKCDocument(reading: changed.applied()).keys.map(\.id) == ["K1", "K2"])
    }

    private func expect(_ failure: Failure, for change: Change) throws {
        let text = try change.applied()
        #expect(throws: failure) { try PSKCDocument(reading: text) }
    }
}
