import Testing

@testable import ThreeDSProtocol

@Suite struct `Protocol versions` {
    @Test(
        arguments: [
            ([[.twoOne, .twoTwo, .twoThree]], .twoThree),
            ([[.twoOne, .twoTwo], [.twoTwo, .twoThree]], .twoTwo),
            ([[.twoOne, .twoTwo, .twoThree], [.twoOne, .twoThree], [.twoOne]], .twoOne),
            ([[.twoOne], [.twoTwo]], nil), ([[.twoOne], []], nil), ([], nil),
        ] as [([[ProtocolVersion]], ProtocolVersion?)]
    )
    func `of a transaction are the highest in common`(
        parties: [[ProtocolVersion]],
        expected: ProtocolVersion?
    ) {
        #expect(ProtocolVersion.highestInCommon(of: parties) == expected)
        #expect(ProtocolVersion.highestInCommon(of: parties.reversed()) == expected)
    }

    @Test(
        arguments: [
            ("2.1.0", "2.2.0", [.twoOne, .twoTwo]), ("2.2.0", "2.2.0", [.twoTwo]),
            ("2.1.0", "2.3.0", [.twoOne, .twoTwo]), ("2.0.0", "9.9.9", ProtocolVersion.allCases),
            ("2.2.0", "2.10.0", [.twoTwo, .twoThree]), ("2.2.0", "2.1.0", []),
            ("1.0.2", "2.0.0", []), ("2", "2.2.0", []), ("2.1.0", "", []), ("a.b.c", "2.2.0", []),
            ("2.1.0.0", "2.2.0", []), ("-2.1.0", "2.2.0", []), ("2.1.00000", "2.2.0", []),
            ("+2.1.0", "2.2.0", []), ("2.1.0", "2.2.+9", []), ("2.+1.0", "2.2.0", []),
            ("2.1.0", "2.2.-0", []), ("2.1.0", "2.2. 0", []), ("2.1.0", "2..0", []),
            ("2.1.0", "2.2.\u{661}", []), ("2.01.0", "2.2.00", [.twoOne, .twoTwo]),
        ] as [(String, String, [ProtocolVersion])]
    )
    func `of a card range are those between its ends`(
        start: String,
        end: String,
        expected: [ProtocolVersion]
    ) {
        #expect(ProtocolVersion.range(from: start, to: end) == expected)
    }

    @Test func `are fixed by the AReq`() throws {
        let sample = SampleMessage(.areq, .twoOne, to: .acs, on: .browser)
        let reader = MessageReader(for: .acs)
        let areq = try reader.read(Array(sample.members.document.utf8), as: [.areq], in: .first)
        let facts = try #require(TransactionFacts(areq))
        #expect(facts.version == .twoOne)
        #expect(facts.ids.server == SampleMessage.ids["threeDSServerTransID"])
        let creq = SampleMessage(.creq, .twoTwo, to: .acs, on: .browser)
        let fault = try Refusal.of(creq.members.document, as: [.creq], for: .acs, in: facts)
        #expect(fault.detail == "messageVersion")
        #expect(fault.version == .twoOne)
    }
}
