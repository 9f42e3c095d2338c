import StrictJSON
import Testing

@testable import ThreeDSProtocol

@Suite struct `The result of a challenge` {
    private static let names: Set = [
        "transStatus", "transStatusReason", "challengeCancel", "interactionCounter",
    ]

    /// The one result that a challenge reports after these events, of which the last comes late.
    private func reported(
        _ events: Challenge.Event...,
        late: Duration = .seconds(2)
    ) throws -> ResultReport {
        var challenge = Challenge(.app, at: .zero)
        let last = events.count - 1
        var actions = events.enumerated().flatMap { index, event in
            challenge.apply(event, at: index == last ? late : .seconds(1))
        }
        if actions.contains(.withdrawTransaction) {
            actions += challenge.apply(.withdrawn, at: late)
        }
        let reports = actions.compactMap { action in
            if case .sendResult(let report) = action { report } else { nil }
        }
        try #require(reports.count == 1)
        return reports[0]
    }

    @Test func `is one of the results that a challenge can have`() throws {
        let show = Challenge.Event.request(.show)
        var all = try Challenge.Verdict.allCases.map { try reported(show, .verdict($0)) }
        all += try [.errorReceived, .requestRefused].map { try reported(show, $0) }
        all += try [.cancel, .abandon(isTimeout: true)].map { try reported(show, .request($0)) }
        all.append(try reported(.clock, late: .seconds(30)))
        all.append(try reported(show, .clock, late: .seconds(601)))
        var decoupled = Challenge(decoupledFor: .seconds(60), at: .zero)
        #expect(decoupled.apply(.unanswered, at: .seconds(1)) == [.sendResult(.undecided)])
        all.append(.undecided)
        #expect(Set(all) == Set(ResultReport.allCases))
    }

    /// With every other element that the RReq may have.
    @Test(arguments: ResultReport.allCases, ProtocolVersion.allCases)
    func `has no fault as an RReq`(report: ResultReport, version: ProtocolVersion) throws {
        guard report != .undecided || version >= .twoTwo else { return }
        let sample = SampleMessage(
            .rreq,
            version,
            to: .directory,
            on: .app,
            ["transStatus": report.status.rawValue],
            without: Self.names.union(["challengeErrorReporting"])
        )
        var members = sample.members + report.members(in: version)
        if report.cancelIndicator(in: version)?.isAboutError == true {
            let error = SampleMessage(.erro, version, to: .directory, ["errorCode": "203"])
            members.append(
                .init(name: "challengeErrorReporting", value: .object(error.members))
            )
        }
        let judged = JudgedCase(name: "\(report)", text: members.document, sample: sample)
        #expect(try judged.verdict() == "ok")
        #expect(try JudgedCase.referenceVerdicts([judged]) == ["ok"])
        // Without its reason, it has one.
        let bare = members.filter { $0.name != "transStatusReason" }
        let verdict = try JudgedCase(name: "", text: bare.document, sample: sample).verdict()
        #expect(verdict == (report == .approved ? "ok" : "201 transStatusReason"))
    }

    @Test func `has the elements of its case`() {
        let texts = ResultReport.allCases.map { report in
            report.members(in: .twoTwo).map { $0.value.text ?? "" }.joined(separator: " ")
        }
        let expected = [
            "Y 01", "N 01 01", "N 11 01", "N 19 01", "N 13 00", "N 12 01", "N 01 01 00",
            "N 14 05 00", "N 14 04 00", "U 26 03 00", "N 26 08 00", "U 22 06 00",
            "U 22 06 00", "U 22 06 00",
        ]
        #expect(texts == expected)
        #expect(ResultReport.failed.reason(in: .twoOne) == .invalidTransaction)
        let latest = [ResultReport.errorReceived, .requestRefused].map {
            $0.cancelIndicator(in: .twoThree)
        }
        #expect(latest == [.errorReceived, .errorSent])
        #expect(ResultReport.timedOutAtSDK.reason(in: .twoOne) == .authenticationFailed)
    }
}
