import StrictJSON
import Testing
import ThreeDSProtocol
import Transactions

@testable import ThreeDSIssuer

@Suite struct `An RReq` {
    private func proof(_ way: AuthenticationType = .userPIN) throws -> ApprovalProof {
        ApprovalProof(way: way, value: try .sample(), eci: .authenticated)
    }

    private func judged(
        _ sample: SampleRequest,
        _ report: ResultReport,
        isDecoupled: Bool = false
    ) throws -> JudgedMessage? {
        let request = try sample.message()
        var settings = IssuerSettings()
        settings.allowsConsent = true
        let authentication = try SampleWorld.authentication(
            of: request,
            isDecoupled ? .decoupled : .challenge,
            by: settings
        )
        let response = authentication.message(
            isDecoupled ? .decoupled : .challenge(.app(signedContent: "a.b.c")),
            to: request,
            by: settings
        )
        let proof = report == .approved ? try proof() : nil
        let error = try JSONValue(
            reading: Array(
                #"""
                {"messageType":"Erro","messageVersion":"2.3.1","errorCode":"203","errorComponent":"A",\#
                "errorDescription":"x","errorDetail":"x"}
                """#.utf8
            ),
            limits: .message
        )
        guard let message = authentication.message(report, proof: proof, error: error) else {
            return nil
        }
        return JudgedMessage(
            message: message,
            receiver: .directory,
            request: request,
            response: response
        )
    }

    private func all() throws -> [JudgedMessage] {
        let wish: [String: String?] = [
            "threeDSRequestorDecReqInd": #""Y""#, "threeDSRequestorDecMaxTime": #""00010""#,
        ]
        var all: [JudgedMessage] = []
        for version in ProtocolVersion.allCases {
            for category in MessageCategory.allCases {
                for report in ResultReport.allCases {
                    for channel in [DeviceChannel.app, .browser] where report != .undecided {
                        let sample = SampleRequest(version, channel, category)
                        all.append(try #require(try judged(sample, report)))
                    }
                    // Without a CReq, none has a fault.
                    guard version >= .twoTwo, report != .errorReceived, report != .requestRefused
                    else { continue }
                    for channel in DeviceChannel.allCases {
                        let sample = SampleRequest(version, channel, category, wish)
                        let message = try judged(sample, report, isDecoupled: true)
                        all.append(try #require(message))
                    }
                }
            }
        }
        return all
    }

    @Test func `is accepted by a directory server for each result`() throws {
        let all = try all()
        let count = ResultReport.allCases.count
        #expect(all.count == 2 * ((count - 1) * 3 * 2 + (count - 2) * 2 * 3))
        for message in all {
            #expect(try message.verdict() == "ok")
            #expect(try message.unknownNames() == [])
        }
        #expect(try JudgedMessage.referenceVerdicts(all) == all.map { _ in "ok" })
    }

    @Test func `SEC-77: is positive only with a proof in an accepted way`() throws {
        let request = try SampleRequest(.twoTwo, .app).message()
        let authentication = try SampleWorld.authentication(of: request)
        #expect(authentication.message(.approved) == nil)
        for way in [AuthenticationType.userPIN, .biometric] {
            #expect(authentication.message(.approved, proof: try proof(way)) != nil)
        }
        #expect(authentication.message(.approved, proof: try proof(.consent)) == nil)
        for report in ResultReport.allCases where report != .approved {
            #expect(authentication.message(report, proof: try proof()) == nil)
            let message = try #require(authentication.message(report))
            #expect(message["transStatus"] != "Y")
            #expect(!message.has("authenticationValue"))
        }
    }

    @Test func `has the indicator of a rejected payment`() throws {
        let rejected = try #require(ECI("00"))
        for category in MessageCategory.allCases {
            let request = try SampleRequest(.twoTwo, .app, category).message()
            let authentication = try SampleWorld.authentication(of: request)
            for report in ResultReport.allCases where report != .approved {
                let message = try #require(authentication.message(report, rejectedECI: rejected))
                let isRejected = category == .payment && report.status == .notAuthenticated
                #expect(message["eci"] == (isRejected ? "00" : nil))
            }
        }
    }

    @Test(
        arguments: [
            (AuthenticationType.biometric, "07"), (.userPIN, "09"), (.consent, "11"),
        ]
    )
    func `names the way of the approval`(way: AuthenticationType, method: String) throws {
        var settings = IssuerSettings()
        settings.allowsConsent = true
        for version in ProtocolVersion.allCases {
            let request = try SampleRequest(version, .app).message()
            let authentication = try SampleWorld.authentication(of: request, by: settings)
            let proof = try proof(way)
            let message = try #require(authentication.message(.approved, proof: proof))
            let value = message[value: "authenticationMethod"]
            #expect((value?.text ?? value?.elements.first?.text) == method)
            #expect(value?.elements.count == (version == .twoThree ? 1 : 0))
            #expect(message["authenticationType"] == (version == .twoThree ? nil : "03"))
            #expect(message["authenticationValue"] == proof.value.text)
            #expect(message["eci"] == "05")
            #expect(message["interactionCounter"] == "01")
        }
    }

    @Test func `names the possible ways of another result in version 2.3.1`() throws {
        let later = try #require(try judged(SampleRequest(.twoThree, .app), .rejected)).message
        let methods = later[value: "authenticationMethod"]?.elements.compactMap(\.text)
        #expect(methods == ["07", "09", "11"])
        let earlier = try #require(try judged(SampleRequest(.twoTwo, .app), .rejected)).message
        #expect(!earlier.has("authenticationMethod"))
        #expect(earlier["authenticationType"] == "03")
        let failed = try #require(try judged(SampleRequest(.twoThree, .app), .failed)).message
        #expect(!failed.has("authenticationMethod"))
        let undetermined = try #require(try judged(SampleRequest(.twoTwo, .app), .failed)).message
        #expect(!undetermined.has("authenticationType"))
    }

    @Test func `of a later approval counts no entries, and has an end of its own`() throws {
        let changes: [String: String?] = [
            "threeDSRequestorDecReqInd": #""Y""#, "threeDSRequestorDecMaxTime": #""00010""#,
        ]
        let sample = SampleRequest(.twoTwo, .app, .payment, changes)
        let judged = try #require(try judged(sample, .undecided, isDecoupled: true))
        #expect(judged.message["challengeCancel"] == "03")
        #expect(judged.message["transStatus"] == "U")
        #expect(!judged.message.has("interactionCounter"))
        #expect(!judged.message.has("acsRenderingType"))
        let rejected = try #require(try self.judged(sample, .rejected, isDecoupled: true))
        #expect(!rejected.message.has("challengeCancel"))
        #expect(rejected.message["authenticationType"] == "04")
        let latest = SampleRequest(.twoThree, .app, .payment, changes)
        let approved = try #require(try self.judged(latest, .approved, isDecoupled: true)).message
        let methods = approved[value: "authenticationMethod"]?.elements.compactMap(\.text)
        #expect(methods == ["09", "12"])
        let challenge = try #require(try self.judged(sample, .expired))
        #expect(challenge.message["challengeCancel"] == "04")
    }

    /// The reader is not one that accepts everything.
    @Test(arguments: [
        "threeDSServerTransID", "dsTransID", "acsTransID", "sdkTransID", "messageCategory",
        "transStatus", "authenticationType", "authenticationValue", "interactionCounter",
        "acsRenderingType",
    ])
    func `without one of its elements is refused`(_ name: String) throws {
        let judged = try #require(try judged(SampleRequest(.twoTwo, .app), .approved))
        let others = judged.message.members.filter {
            ![name, "messageType", "messageVersion"].contains($0.name)
        }
        let changed = JudgedMessage(
            message: Message(.rreq, .twoTwo, others),
            receiver: .directory,
            request: judged.request,
            response: judged.response
        )
        #expect(try changed.verdict() == "201 \(name)")
    }

    @Test func `has the facts of the store, and no other`() throws {
        let request = try SampleRequest(.twoTwo, .app).message()
        let authentication = try SampleWorld.authentication(of: request)
        func restored(_ ids: TransactionIDs) -> CardAuthentication? {
            CardAuthentication(
                version: authentication.version,
                channel: authentication.channel,
                category: authentication.category,
                ids: ids,
                isDecoupled: authentication.isDecoupled,
                ways: authentication.ways
            )
        }
        #expect(restored(authentication.ids) == authentication)
        let paths: [WritableKeyPath<TransactionIDs, String?>] = [\.acs, \.server, \.directory]
        for path in paths {
            var ids = authentication.ids
            ids[keyPath: path] = nil
            #expect(restored(ids) == nil)
        }
    }
}
