import Testing
import ThreeDSProtocol
import Transactions

@testable import ThreeDSIssuer

/// The way from an AReq to its ARes, as a server goes it.
@Suite struct `The response to an AReq` {
    private static func generousSettings() throws -> IssuerSettings {
        var settings = IssuerSettings()
        settings.offersDecoupled = true
        settings.informationOnly = [.riskAnalysed, .alreadyAuthenticated]
        settings.lowValue = LowValueRule(try #require(Currency("EUR")))
        settings.allowsConsent = true
        return settings
    }

    /// AReqs with every wish that their version has.
    private static func samples() -> [SampleRequest] {
        ProtocolVersion.allCases.flatMap { version in
            DeviceChannel.allCases.flatMap { channel in
                MessageCategory.allCases.flatMap { category in
                    changes(in: version).map { changes in
                        SampleRequest(version, channel, category, changes)
                    }
                }
            }
        }
    }

    private static func changes(in version: ProtocolVersion) -> [[String: String?]] {
        let codes = version == .twoOne ? ["04"] : ["04", "05", "06", "07", "08", "09"]
        let letters: [String] =
            switch version {
            case .twoOne: []
            case .twoTwo: ["Y", "N"]
            case .twoThree: ["Y", "N", "F", "B"]
            }
        let wishes = [nil] + codes.map { version == .twoThree ? #"["\#($0)"]"# : #""\#($0)""# }
        let decoupled = [nil] + letters.map { #""\#($0)""# }
        return wishes.flatMap { wish in
            decoupled.map { letter -> [String: String?] in
                var changes: [String: String?] = [:]
                if let wish { changes["threeDSRequestorChallengeInd"] = wish }
                if let letter {
                    changes["threeDSRequestorDecReqInd"] = letter
                    changes["threeDSRequestorDecMaxTime"] = #""00010""#
                }
                return changes
            }
        }
    }

    private func response(
        to decision: RequestDecision,
        on channel: DeviceChannel
    ) throws -> AuthenticationResponse? {
        switch decision {
        case .challenge:
            channel == .app
                ? .challenge(.app(signedContent: "a.b.c"))
                : .challenge(.browser(acsURL: "https://acs.example/"))
        case .frictionless: .frictionless(try .sample(), .authenticated)
        case .decoupled: .decoupled
        case .informationOnly: .informationOnly
        case .refused(let refusal): .refused(refusal)
        case .error: nil
        }
    }

    @Test func `is one that the directory server accepts, whatever was decided`() throws {
        var judged: [JudgedMessage] = []
        var statuses: Set<String> = []
        for settings in [IssuerSettings(), try Self.generousSettings()] {
            for sample in Self.samples() {
                let request = try sample.message()
                let requestFacts = try #require(RequestFacts(request, by: settings))
                let facts = RequestDecision.Facts(
                    requestFacts,
                    .active(try SampleWorld.card()),
                    .reported(.init(isReady: true, ways: [.userPIN]))
                )
                let decision = RequestDecision(on: facts, by: settings)
                let authentication = try SampleWorld.authentication(
                    of: request,
                    decision,
                    by: settings
                )
                let response = try #require(try response(to: decision, on: sample.channel))
                let message = authentication.message(response, to: request, by: settings)
                judged.append(
                    JudgedMessage(message: message, receiver: .directory, request: request)
                )
                statuses.insert(try #require(message["transStatus"]))
                guard [.challenge, .decoupled].contains(decision) else { continue }
                let approval = ApprovalRequest(
                    for: request,
                    requestFacts,
                    authentication,
                    card: try SampleWorld.card(),
                    by: settings
                )
                #expect(approval != nil)
            }
        }
        for message in judged {
            #expect(try message.verdict() == "ok")
            #expect(try message.unknownNames() == [])
        }
        #expect(try JudgedMessage.referenceVerdicts(judged) == judged.map { _ in "ok" })
        #expect(judged.count == 2 * 6 * (2 + 7 * 3 + 7 * 5))
        // The amount is above the exemption.
        #expect(statuses == ["C", "D", "I", "N"])
    }
}
