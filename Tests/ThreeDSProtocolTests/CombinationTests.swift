import StrictJSON
import Testing

@testable import ThreeDSProtocol

@Suite struct `Elements that do not belong together` {
    private static let values = [
        "challengeDataEntry": "\"1\"", "challengeDataEntryTwo": "\"2\"",
        "challengeNoEntry": "\"Y\"",
        "challengeCancel": "\"01\"", "resendChallenge": "\"Y\"", "challengeAddCode": "\"Y\"",
    ]

    /// All 64 combinations of the actions on a page for a text.
    @Test func `are actions of the person: a page for a text ends with one of them`() throws {
        let names = Self.values.keys.sorted()
        let sample = SampleMessage(
            .creq,
            .twoThree,
            to: .acs,
            on: .app,
            without: Set(names),
            after: [
                "acsUiType": ["01"], "challengeAddLabel": ["x"], "challengeEntryBoxTwo": [""],
            ]
        )
        let choices = (0..<64).map { number in
            names.enumerated().filter { number >> $0.offset & 1 == 1 }.map(\.element)
        }
        let cases = choices.map { sample.changed($0.map { ($0, Self.values[$0]) }) }
        var accepted: Set<Set<String>> = []
        for (index, reference) in try JudgedCase.referenceVerdicts(cases).enumerated() {
            let (chosen, verdict) = (choices[index], try cases[index].verdict())
            #expect(verdict == reference)
            if verdict == "ok" {
                accepted.insert(Set(chosen))
            } else {
                let named = chosen.isEmpty ? ["challengeDataEntry"] : chosen
                #expect(verdict == "203 " + named.joined(separator: ","))
            }
        }
        #expect(
            accepted == [
                ["challengeDataEntry"], ["challengeDataEntryTwo"],
                ["challengeDataEntry", "challengeDataEntryTwo"], ["challengeNoEntry"],
                ["challengeCancel"], ["resendChallenge"], ["challengeAddCode"],
            ]
        )
    }

    @Test(arguments: [MessageType.ares, .rreq], ProtocolVersion.allCases)
    func `are a page of native elements and a template for HTML`(
        type: MessageType,
        version: ProtocolVersion
    ) throws {
        let sample = SampleMessage(
            type,
            version,
            to: .directory,
            on: .app,
            ["transStatus": type == .ares ? "C" : "Y"]
        )
        func verdict(_ interface: String, _ template: String) throws -> String {
            let mode = version == .twoThree ? #","deviceUserInterfaceMode":"01""# : ""
            let rendering =
                #"{"acsInterface":"\#(interface)","acsUiTemplate":"\#(template)"\#(mode)}"#
            return try sample.changed([("acsRenderingType", rendering)]).agreedVerdict()
        }
        #expect(try verdict("01", "04") == "ok")
        #expect(try verdict("01", "05") == "203 acsRenderingType.acsUiTemplate")
        #expect(try verdict("02", "05") == "ok")
    }
}
