import OneTimePassword
import StrictJSON
import Testing
import TransactionApproval

@Suite struct `Device messages` {
    @Test func `all have samples`() throws {
        let samples = Set(try MessageSample.all().map { ObjectIdentifier($0.type) })
        for exchange in DeviceRoute.allCases.map(\.exchange) {
            let expected = messages(of: exchange).filter { $0 != ObjectIdentifier(NoMessage.self) }
            #expect(samples.isSuperset(of: expected), "\(exchange)")
        }
    }

    private func messages<Exchange: DeviceExchange>(
        of exchange: Exchange.Type
    ) -> [ObjectIdentifier] {
        [ObjectIdentifier(Exchange.Request.self), ObjectIdentifier(Exchange.Response.self)]
    }

    @Test(arguments: try MessageSample.all())
    func `are read as they were written`(_ sample: MessageSample) throws {
        #expect(sample.isReadBack)
        #expect(try sample.rewritten(sample.text) == sample.text)
    }

    @Test(arguments: try MessageSample.all())
    func `are refused with any fault at any place`(_ sample: MessageSample) throws {
        let malformed = try MalformedMessage.all(of: sample)
        #expect(malformed.count >= 6)
        for message in malformed {
            #expect(throws: StrictJSON.Failure.self, "\(message.fault)") {
                try sample.rewritten(message.text)
            }
        }
    }

    @Test(arguments: try MessageSample.all())
    func `are refused above their limits`(_ sample: MessageSample) throws {
        let limit = sample.limits.byteCount
        let full = sample.text + [UInt8](repeating: 0x20, count: limit - sample.text.count)
        #expect(try sample.rewritten(full) == sample.text)
        #expect(throws: StrictJSON.Failure.malformed(.tooLarge, offset: limit)) {
            try sample.rewritten(full + [0x20])
        }
    }

    @Test(arguments: [
        // Both choices, none, and a choice with the value of the other.
        ("approval", #"{"approve":"userPIN"}"#, #"{"approve":"userPIN","reject":"notMe"}"#),
        ("approval", #"{"approve":"userPIN"}"#, "{}"),
        ("approval", #"{"approve":"userPIN"}"#, #"{"approve":"notMe"}"#),
        ("approval", #"{"approve":"userPIN"}"#, #"{"reject":"userPIN"}"#),
        // A claim by another device than the first enrolled one.
        ("commit", #"enrolments":[{"device":"d0"#, #"enrolments":[{"device":"d1"#),
        ("commit", #""enrolments":[{"#, #""enrolments":[],"unknown":[{"#),
        // A rekey that skips a generation, or has the device credential as authority.
        ("rekey", #""generation":"4""#, #""generation":"5""#),
        ("rekey", #""kind":"user","generation":"3""#, #""kind":"device","generation":"3""#),
        // A member of another setting.
        ("push off", #"{"kind":"off"}"#, #"{"kind":"off","token":"a"}"#),
        ("push by FCM", #","token":"dX:APA91b_-9""#, ""),
        // A lock with both ends.
        ("device's status", #"{"until":"#, #"{"never":true,"until":"#),
        ("device's status", #"{"until":1800000000000}"#, #"{"never":false}"#),
    ])
    func `are refused if their parts contradict each other`(
        _ name: String,
        _ part: String,
        _ other: String
    ) throws {
        let sample = try #require(try MessageSample.all().first { $0.name == name })
        let text = String(decoding: sample.text, as: UTF8.self)
        let changed = text.replacing(part, with: other)
        #expect(changed != text)
        #expect(throws: StrictJSON.Failure.self) { try sample.rewritten(Array(changed.utf8)) }
    }

    @Test func `can contain the largest transaction`() throws {
        let base64 = (Transaction.maximumByteCount + 2) / 3 * 4
        let limits = TransactionExchange.Response.limits
        #expect(limits.byteCount >= base64 + #"{"transaction":"","typedDigits":6}"#.utf8.count)
    }

    @Test func `contain no time that another parser would round`() throws {
        let last = Problem.clockSkew(serverTime: try moment(1 << 53 - 1))
        #expect(try Problem(reading: last.written) == last)
        let problem = Problem.clockSkew(serverTime: try moment(1 << 53))
        #expect(throws: StrictJSON.Unwritable.refused) { try problem.written }
    }
}

@Suite struct `Codes in messages` {
    @Test func `SEC-44 are printed and mirrored by no message`() throws {
        let values = try MessageValues()
        let request = RekeyExchange.Request(rekey: values.rekey, envelope: values.envelope)
        var shown = "\(request) \(String(reflecting: request))"
        dump(request, to: &shown)
        #expect(!shown.contains(values.envelope.code.code.text))
        #expect(!shown.contains("\(values.envelope.blind.wireBytes)"))
        #expect(!shown.contains("176"), "the first byte of the blind")
        #expect(shown.contains("redacted"))
    }

    @Test func `SEC-44 are not part of parsing errors`() throws {
        let sample = try #require(try MessageSample.all().first { $0.name == "PIN check" })
        let code = try MessageValues().envelope.code.code.text
        for message in try MalformedMessage.all(of: sample) {
            do {
                _ = try sample.rewritten(message.text)
            } catch {
                #expect(!"\(error)".contains(code.prefix(20)), "\(message.fault)")
            }
        }
    }

    @Test(arguments: ["12345678", String(repeating: "0f", count: 20)])
    func `are whole MACs`(_ text: String) throws {
        #expect(try InBandCode(OneTimeCode(text)) == nil)
    }

    @Test func `have different blind bytes each time`() throws {
        #expect(try Blind.random() != Blind.random())
        #expect(Blind(wireBytes: bytes(from: 0, 15)) == nil)
        #expect(Blind(wireBytes: bytes(from: 0, 17)) == nil)
    }
}
