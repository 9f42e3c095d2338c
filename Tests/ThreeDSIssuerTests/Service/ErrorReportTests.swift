import StrictJSON
import Testing

@testable import ThreeDSIssuer
@testable import ThreeDSProtocol

/// EMV 3-D Secure 2.3.1, sections 5.9.5 and 5.9.6; earlier versions have one indicator for both.
@Suite(.onAnyStore) struct `The result after an error message` {
    private func result(in world: IssuerWorld) async throws -> JSONValue {
        for _ in 0..<2 { try await world.work() }
        #expect(world.directory.results.count == 1)
        let result = try #require(world.directory.results.first)
        #expect(result["transStatus"]?.text == "U")
        #expect(result["transStatusReason"]?.text == "22")
        return result
    }

    private func expect(
        _ result: JSONValue,
        _ indicator: String,
        copies error: JSONValue,
        in version: ProtocolVersion
    ) throws {
        #expect(result["challengeCancel"]?.text == (version < .twoThree ? "06" : indicator))
        let copy = try result["challengeErrorReporting"]?.written()
        #expect(try copy == (version < .twoThree ? nil : error.written()))
    }

    @Test(arguments: [ProtocolVersion.twoTwo, .twoThree], ["203", "402"])
    func `of an SDK contains it`(version: ProtocolVersion, code: String) async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world, version)
        _ = try await sdk.request()
        let texts = [
            ("acsTransID", sdk.acsTransID), ("errorComponent", "C"), ("errorCode", code),
            ("errorDetail", "<é>"), ("errorMessageType", "CRes"), ("messageType", "Erro"),
            ("messageVersion", version.rawValue),
        ].map { JSONValue.Member(name: $0, value: .string($1)) }
        // Neither other elements nor texts of several lines are for the directory server.
        let others = [
            JSONValue.Member(name: "errorDescription", value: .string("a\nb")),
            JSONValue.Member(name: "x", value: .object([])),
        ]
        let sent = try JSONValue.object(texts + others).written()
        #expect(try await world.service.response(toApp: sent) == .none)
        let result = try await result(in: world)
        guard version == .twoThree else {
            return try expect(result, "06", copies: .null, in: version)
        }
        #expect(result["challengeCancel"]?.text == "09")
        let copy = try #require(result["challengeErrorReporting"])
        for text in texts { #expect(copy[text.name]?.text == text.value.text, "\(text.name)") }
        #expect(copy["x"].map { _ in true } == nil)
        #expect(copy["errorDescription"]?.text == MessageErrorCode(rawValue: code)?.description)
    }

    @Test(arguments: [ProtocolVersion.twoTwo, .twoThree])
    func `to a CReq of an app contains it`(version: ProtocolVersion) async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world, version)
        _ = try await sdk.request()
        let error = try await sdk.request([("oobContinue", .string("9"))])
        #expect(error["errorCode"]?.text == "203")
        try expect(try await result(in: world), "10", copies: error, in: version)
    }

    @Test(arguments: [ProtocolVersion.twoTwo, .twoThree])
    func `to the first CReq of a browser contains it`(version: ProtocolVersion) async throws {
        let shopper = try await Shopper.new(version)
        let form = try shopper.form(["challengeWindowSize": #""09""#])
        guard case .page(let page) = try await shopper.world.service.response(toForm: form)
        else { throw Shopper.Unexpected() }
        let (error, _) = try shopper.result(in: String(decoding: page.body, as: UTF8.self))
        #expect(error["errorCode"]?.text == "203")
        try expect(try await result(in: shopper.world), "10", copies: error, in: version)
        // A right CReq comes too late.
        guard
            case .page(let late) = try await shopper.world.service.response(
                toForm: shopper.form()
            )
        else { throw Shopper.Unexpected() }
        let (closed, _) = try shopper.result(in: String(decoding: late.body, as: UTF8.self))
        #expect(closed["errorCode"]?.text == "305")
    }

    /// SDKs send it without encryption, and no error message may follow it.
    @Test(arguments: [ProtocolVersion.twoTwo, .twoThree])
    func `of an SDK that is encrypted contains it`(version: ProtocolVersion) async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world, version)
        _ = try await sdk.request()
        // The channel seals only a CReq.
        let error = Message(
            reading: [
                ("messageType", "Erro"), ("acsTransID", sdk.acsTransID), ("errorCode", "203"),
            ].map { JSONValue.Member(name: $0, value: .string($1)) },
            .creq,
            version,
            nil
        )
        #expect(try await world.service.response(toApp: sdk.sealed(error)) == .none)
        let result = try await result(in: world)
        #expect(result["challengeCancel"]?.text == (version < .twoThree ? "06" : "09"))
        let copy = result["challengeErrorReporting"]
        #expect(copy?["errorCode"]?.text == (version < .twoThree ? nil : "203"))
        // The directory refuses a result whose Erro is not complete.
        _ = try MessageReader(for: .directory, versions: [version])
            .read(result.written(), as: [.rreq], in: .alone(version))
    }

    @Test func `in the place of a CReq of a browser changes nothing`() async throws {
        let shopper = try await Shopper.new(.twoThree)
        let form = try shopper.form(["messageType": #""Erro""#, "errorCode": #""203""#])
        guard case .page = try await shopper.world.service.response(toForm: form)
        else { throw Shopper.Unexpected() }
        let handle = try await shopper.enter()
        shopper.world.verifier.approve(shopper.acsTransID)
        try await shopper.world.work()
        #expect(try await shopper.result(of: handle).0["transStatus"]?.text == "Y")
    }
}
