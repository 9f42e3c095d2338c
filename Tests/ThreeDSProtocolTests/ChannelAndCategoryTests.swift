import StrictJSON
import Testing

@testable import ThreeDSProtocol

@Suite struct `The channel and the category` {
    private static let asked = ["threeDSRequestorChallengeInd": [String]()]
    private static let response = SampleMessage(
        .ares,
        .twoTwo,
        to: .directory,
        on: .app,
        ["transStatus": "C"],
        after: asked
    )
    private static let result = SampleMessage(
        .rreq,
        .twoTwo,
        to: .directory,
        on: .app,
        ["transStatus": "Y", "challengeCancel": "01"],
        after: asked
    )
    private static let request = SampleMessage(
        .creq,
        .twoTwo,
        to: .acs,
        on: .app,
        without: ["challengeCancel", "challengeNoEntry"],
        after: ["acsUiType": ["01"]]
    )
    private static let last = SampleMessage(
        .cres,
        .twoTwo,
        to: .sdk,
        on: .app,
        ["challengeCompletionInd": "Y"]
    )

    @Test(arguments: [response, result, request, last])
    func `of the samples are accepted`(_ sample: SampleMessage) throws {
        #expect(try sample.changed([]).agreedVerdict() == "ok")
    }

    /// The transaction is a payment in an app.
    @Test(
        arguments: [
            (
                response,
                [
                    ("deviceChannel", "\"03\""), ("acsSignedContent", nil),
                    ("acsRenderingType", nil),
                ],
                "201 acsRenderingType,acsSignedContent"
            ),
            (
                response,
                [
                    ("deviceChannel", "\"02\""), ("messageCategory", "\"02\""),
                    ("transStatus", nil),
                ], "201 transStatus"
            ),
            (
                result, [("messageCategory", "\"02\""), ("authenticationValue", nil)],
                "201 authenticationValue"
            ),
            (result, [("messageCategory", "\"02\"")], "203 messageCategory"),
            (result, [("messageCategory", "\"80\"")], "203 messageCategory"),
            (
                request,
                [
                    ("deviceChannel", "\"02\""), ("challengeWindowSize", "\"01\""),
                    ("sdkCounterStoA", nil),
                ], "201 sdkCounterStoA"
            ),
            (
                last, [("messageCategory", "\"02\""), ("transStatus", nil)], "201 transStatus"
            ),
            (request, [("deviceChannel", "\"02\""), ("challengeWindowSize", "\"01\"")], "ok"),
        ] as [(SampleMessage, [(String, String?)], String)]
    )
    func `of a transaction are not changed by a later message`(
        sample: SampleMessage,
        changes: [(String, String?)],
        expected: String
    ) throws {
        let verdict = try sample.changed(changes).agreedVerdict()
        #expect(verdict == expected)
    }

    @Test func `of a transaction stay when a result is added`() throws {
        var facts = try #require(SampleMessage.facts(Self.result.facts, .twoTwo))
        facts.add(
            Message(
                .rreq,
                .twoTwo,
                [
                    .init(name: "messageCategory", value: .string("02")),
                    .init(name: "deviceChannel", value: .string("03")),
                ]
            )
        )
        #expect(facts.category == .payment)
        #expect(facts.channel == .app)
    }

    @Test func `of a component can be fewer`() throws {
        let sample = SampleMessage(.areq, .twoTwo, to: .acs, on: .browser)
        func refused(_ reader: MessageReader) throws -> String {
            do throws(MessageReader.Failure) {
                let bytes = Array(sample.members.document.utf8)
                _ = try reader.read(bytes, as: [.areq], in: .first)
                return "ok"
            } catch {
                guard case .fault(let fault) = error else { throw error }
                return "\(fault.code.rawValue) \(fault.detail)"
            }
        }
        #expect(try refused(MessageReader(for: .acs, channels: [.browser])) == "ok")
        #expect(try refused(MessageReader(for: .acs, channels: [.app])) == "203 deviceChannel")
        let others = MessageReader(for: .acs, categories: [.nonPayment])
        #expect(try refused(others) == "203 messageCategory")
    }

    @Test(arguments: ProtocolVersion.allCases)
    func `that the component does not process are refused`(_ version: ProtocolVersion) throws {
        let sample = SampleMessage(.areq, version, to: .acs, on: .browser)
        func verdict(_ channel: String, _ category: String) throws -> String {
            try sample.changed([("deviceChannel", channel), ("messageCategory", category)])
                .agreedVerdict()
        }
        #expect(try verdict("\"02\"", "\"01\"") == "ok")
        #expect(try verdict("\"85\"", "\"90\"") == "203 deviceChannel,messageCategory")
        #expect(try verdict("\"85\"", "\"01\"") == "203 deviceChannel")
        #expect(try verdict("\"02\"", "\"90\"") == "203 messageCategory")
        #expect(try verdict("2", "[\"01\"]") == "203 deviceChannel,messageCategory")
        #expect(try verdict("\"\"", "\"90\"") == "201 deviceChannel")
        // 2.3.1 has an error of its own for reserved values.
        let reserved = version == .twoThree ? "207 deviceChannel" : "203 deviceChannel"
        #expect(try verdict("\"04\"", "\"01\"") == reserved)
    }
}
