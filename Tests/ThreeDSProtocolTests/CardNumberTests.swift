import Cryptography
import StrictJSON
import TestSupport
import Testing

@testable import ThreeDSProtocol

@Suite struct `Card numbers` {
    private func number(_ digits: String) throws -> CardNumber? {
        try CardNumber(Array(digits.utf8).span)
    }

    @Test(arguments: [
        "4242424242424242", "4000056655665556", "378282246310005", "6011111111111117",
        "4222222222222", "6304000000000000000", "0000000000000",
    ])
    func `have 13 to 19 digits`(_ digits: String) throws {
        #expect(try number(digits) != nil)
        // Some cards have no check digit.
        let other = digits.dropLast() + (digits.last == "9" ? "0" : "9")
        #expect(try number(String(other)) != nil)
    }

    @Test(arguments: [
        "", "0", "424242424242", "42424242424242424242", "4242 4242 4242 4242",
        "424242424242424a", "+242424242424242", "４２４２４２４２４２４２４２４２",
    ])
    func `of another form are refused`(_ digits: String) throws {
        #expect(try number(digits) == nil)
    }

    @Test func `SEC-71: are not printed, reflected or interpolated`() throws {
        let number = try #require(try number("4242424242424242"))
        let sample = SampleMessage(.areq, .twoTwo, to: .acs, on: .browser)
        let reader = MessageReader(for: .acs)
        let message = try reader.read(Array(sample.members.document.utf8), as: [.areq], in: .first)
        #expect(message.cardNumber == number)
        let texts = [
            "\(number)", String(reflecting: number), String(describing: [number]),
            String(describing: Mirror(reflecting: number).children.map { $0 }),
            "\(message)", String(reflecting: message), String(describing: message.members),
            String(describing: Mirror(reflecting: message).children.map { $0 }),
            String(reflecting: Optional(number)),
        ]
        for text in texts { #expect(!text.contains("4242")) }
        var dumped = ""
        dump(number, to: &dumped)
        dump(message, to: &dumped)
        #expect(!dumped.contains("4242"))
        dump(message.members, to: &dumped)
        let elements = "\(message.members)" + String(reflecting: message.members) + dumped
        #expect(!elements.contains("purchase") && !elements.contains("example"))
        #expect(!((number as Any) is any Encodable))
    }

    @Test func `SEC-71: are written to an AReq only`() throws {
        let number = try #require(try number("4242424242424242"))
        for type in MessageType.allCases {
            let message = Message(type, .twoTwo, [], cardNumber: number)
            let text = String(decoding: try message.written(), as: UTF8.self)
            #expect(text.contains("4242") == (type == .areq))
            let known = try JSONValue(reading: Array(text.utf8), limits: .message)
            #expect(known["acctNumber"]?.text == (type == .areq ? "4242424242424242" : nil))
        }
    }

    // An exit test, because another test could take the freed block.
    @Test func `SEC-71: are wiped when they are released`() async {
        await #expect(processExitsWith: .success) {
            let digits = Array("6304000000000000000".utf8)
            var address: UnsafeRawPointer?
            func use() throws {
                let number = try #require(try CardNumber(digits.span))
                number.withDigits { digits in
                    digits.withUnsafeBytes { address = $0.baseAddress }
                }
                let block = UnsafeRawBufferPointer(start: address, count: 19)
                #expect(block.elementsEqual(digits))
            }
            try use()
            let freed = UnsafeRawBufferPointer(start: address, count: 19)
            // The heap writes its list of free blocks into the first 16 bytes.
            #expect(freed[16...].allSatisfy { $0 == 0 })
            #expect(!freed[..<16].elementsEqual(digits.prefix(16)))
        }
    }

    @Test func `are equal only if all digits are`() throws {
        #expect(try number("4242424242424242") == number("4242424242424242"))
        #expect(try number("4242424242424242") != number("4000056655665556"))
        #expect(try number("4242424242424242") != number("4222222222222"))
    }

    /// Python's `hmac` as the second opinion.
    @Test func `SEC-72: have a fingerprint under a key`() throws {
        let key = try SecureBytes(copying: Array(0..<32).span)
        let other = try SecureBytes(copying: Array(1..<33).span)
        let number = try #require(try number("4000056655665556"))
        let fingerprint = try number.fingerprint(CardFingerprint.Key(key))
        let program = """
            import hmac
            print(hmac.new(bytes(range(32)), b"4000056655665556", "sha256").hexdigest())
            """
        let python = try FinishedProcess.run("python3", ["-c", program])
        let hexadecimal = TextEncoding.hexadecimal.encode(fingerprint.digest.array.span)
        #expect(python.output == hexadecimal + "\n")
        #expect(fingerprint.lastFour == "5556")
        #expect(try number.fingerprint(CardFingerprint.Key(other)) != fingerprint)
        #expect(!"\(fingerprint)".contains(hexadecimal))
    }

    @Test(arguments: [0, 16, 31])
    func `SEC-72: have no fingerprint under a short key`(count: Int) {
        #expect(throws: CryptographyFailure.invalidArgument) {
            _ = try CardFingerprint.Key(SecureBytes.random(count: count))
        }
    }

    @Test func `SEC-73: come without a security code`() throws {
        let sample = SampleMessage(.areq, .twoThree, to: .acs, on: .browser)
        #expect(sample.members.contains { $0.name == "cardSecurityCode" })
        let reader = MessageReader(for: .acs)
        for code in ["\"987\"", "\"x\"", "7", "{}"] {
            let members = sample.members.filter { $0.name != "cardSecurityCode" }
            let text = members.document.dropLast() + ",\"cardSecurityCode\":\(code)}"
            let message = try reader.read(Array(text.utf8), as: [.areq], in: .first)
            #expect(message[value: "cardSecurityCode"] == nil)
            let written = String(decoding: try message.written(), as: UTF8.self)
            #expect(!written.contains("cardSecurityCode\""))
        }
    }
}
