import JOSE
import Localization
import Storage
import StrictJSON
import TestSupport
import Testing
import Transactions
import VerifierWorld

@testable import ThreeDSIssuer
@testable import ThreeDSProtocol

@Suite(.onAnyStore) struct `A card payment in an app` {
    @Test func `is approved on the person's device`() async throws {
        for version in ProtocolVersion.allCases {
            for cipher in [JWE.Encryption.a128CBCHS256, .a128GCM] {
                let world = try await IssuerWorld()
                try await world.addCard()
                let sdk = try await ModelSDK(in: world, version, cipher)
                let page = try await sdk.request()
                #expect(
                    page["acsUiType"]?.text == "04",
                    "\(version) \(page["errorDetail"]?.text ?? "")"
                )
                #expect(page["challengeCompletionInd"]?.text == "N")
                let text = try #require(page["challengeInfoText"]?.text)
                #expect(text.contains("47.11 EUR"))
                #expect(text.contains("5556"))
                world.verifier.approve(sdk.acsTransID)
                try await world.work()
                let press = version < .twoThree ? JSONValue.boolean(true) : .string("01")
                let last = try await sdk.request([("oobContinue", press)])
                #expect(last["transStatus"]?.text == "Y", "\(last["errorDetail"]?.text ?? "")")
                #expect(last["challengeCompletionInd"]?.text == "Y")
                let result = try #require(world.directory.results.first)
                #expect(world.directory.results.count == 1)
                #expect(result["transStatus"]?.text == "Y")
                #expect(result["eci"]?.text == "05")
                #expect(result["authenticationValue"]?.text?.count == 28)
                #expect(result["interactionCounter"]?.text == "01")
            }
        }
    }

    @Test func `shows the same page until there is a result`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        let first = try await sdk.request()
        #expect(first["challengeAddInfo"] == nil)
        try await world.work()
        let second = try await sdk.request([("oobContinue", .boolean(true))])
        #expect(second["challengeAddInfo"]?.text != nil)
        #expect(second["transStatus"] == nil)
        #expect(world.verifier.calls.filter { $0.hasSuffix("/transactions") }.count == 1)
    }

    @Test func `changes only the time of its clock and its content if nothing happened`()
        async throws
    {
        let world = try await IssuerWorld.over { WatchedDatabase($0) }
        let watched = try #require(world.database as? WatchedDatabase)
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        for elements in [[("oobContinue", JSONValue.boolean(true))], []] {
            world.advance(seconds: 5)
            watched.forget()
            _ = try await sdk.request(elements)
            #expect(
                watched.texts.filter { $0.hasPrefix("UPDATE") } == [
                    "UPDATE authentications SET due = $1, sealed = $2 WHERE id = $3 AND sealed = $4"
                ]
            )
            let due = try await world.database.read { connection throws(StoreFailure) in
                try connection.rows(.dueTimes, []).map { row throws(StoreFailure) in
                    try row.integer(.due)
                }
            }
            let now = world.service.clock()
            #expect(due == [(now + ProtocolTimer.nextChallengeRequest.duration).stored])
        }
    }

    @Test func `repeats a response byte for byte`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world, .twoTwo, .a128GCM)
        let body = try sdk.sealed()
        let first = try await world.service.response(toApp: body)
        #expect(try await world.service.response(toApp: body) == first)
        _ = try await sdk.response(to: body)
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        let last = try sdk.sealed()
        let end = try await world.service.response(toApp: last)
        // The keys are erased, and the response is still there.
        #expect(try await world.service.response(toApp: last) == end)
        let later = try await sdk.response(to: sdk.sealed())
        #expect(later["errorCode"]?.text == "305")
    }

    @Test func `ends with the decision of the person`() async throws {
        let cases: [(end: String, reason: String)] = [
            (#""state":"rejected""#, "01"), (#""state":"rejected","rejectedFor":"notMe""#, "11"),
            (#""state":"withdrawn""#, "14"),
        ]
        for (end, reason) in cases {
            let world = try await IssuerWorld()
            try await world.addCard()
            let sdk = try await ModelSDK(in: world)
            _ = try await sdk.request()
            world.verifier.end(sdk.acsTransID, as: end)
            try await world.work()
            #expect(try await sdk.request()["transStatus"]?.text == "N")
            let result = try #require(world.directory.results.first)
            #expect(result["transStatus"]?.text == "N")
            #expect(result["transStatusReason"]?.text == reason)
            #expect(result["authenticationValue"] == nil)
        }
    }

    @Test func `SEC-77: is not authenticated by a way that was not asked for`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        world.verifier.approve(sdk.acsTransID, with: "consent")
        try await world.work()
        #expect(try await sdk.request()["transStatus"]?.text == "N")
        #expect(world.directory.results.first?["transStatus"]?.text == "N")
    }

    @Test func `is cancelled by the shopper`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        async let last = sdk.request([("challengeCancel", .string("01"))])
        while world.directory.results.isEmpty { try await world.work() }
        #expect(try await last["transStatus"]?.text == "N")
        #expect(world.verifier.isWithdrawn)
        let result = try #require(world.directory.results.first)
        #expect(result["challengeCancel"]?.text == "01")
    }

    @Test(arguments: [("08", "N", "26", "08"), ("06", "U", "22", "06"), ("07", "U", "22", "06")])
    func `is ended by the SDK`(
        reason: String,
        status: String,
        statusReason: String,
        reported: String
    ) async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        async let last = sdk.request([("challengeCancel", .string(reason))])
        while world.directory.results.isEmpty { try await world.work() }
        #expect(try await last["transStatus"]?.text == "N")
        #expect(world.verifier.isWithdrawn)
        let result = try #require(world.directory.results.first)
        #expect(result["transStatus"]?.text == status)
        #expect(result["transStatusReason"]?.text == statusReason)
        #expect(result["challengeCancel"]?.text == reported)
    }

    @Test func `has no result of the person if the verifier never had the request`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        world.verifier.set(isReachable: false)
        _ = try await sdk.request()
        world.advance(seconds: 600)
        for _ in 0..<2 { try await world.work() }
        world.advance(seconds: 30)
        for _ in 0..<2 { try await world.work() }
        let result = try #require(world.directory.results.first)
        #expect(result["transStatus"]?.text == "U")
        #expect(result["transStatusReason"]?.text == "22")
        #expect(try await sdk.request()["errorCode"]?.text == "402")
    }

    @Test func `refuses a CReq of another version than the AReq's`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        let answer = try await sdk.request([], in: .twoOne)
        #expect(answer["errorCode"]?.text == "203")
        #expect(answer["errorDetail"]?.text == "messageVersion")
    }

    @Test func `does not respond to an error message that names no challenge`() async throws {
        let world = try await IssuerWorld()
        let text = #"{"messageType":"Erro","messageVersion":"2.2.0","errorCode":"402"}"#
        #expect(try await world.service.response(toApp: Array(text.utf8)) == .none)
        let request = #"{"messageType":"CReq","messageVersion":"2.2.0"}"#
        guard case .error = try await world.service.response(toApp: Array(request.utf8)) else {
            Issue.record("no error message")
            return
        }
    }

    /// A scheme can be taken by any app, and a device opens only addresses of one form.
    @Test(arguments: [
        "stripesdk://payment_return_url/com.shop", "myshop:///done?x=1", "com.shop.app:/return",
        "com.shop.app://return", "https://my_shop.platform.example/back",
        "https://shop.example/back?a[]=1",
    ])
    func `goes on without an address of the shop's app that no device opens`(
        _ address: String
    ) async throws {
        for version in [ProtocolVersion.twoTwo, .twoThree] {
            let world = try await IssuerWorld()
            try await world.addCard()
            let sdk = try await ModelSDK(in: world, version)
            let page = try await sdk.request([("threeDSRequestorAppURL", .string(address))])
            // Requirement 475 of version 2.3.1.
            if version >= .twoThree, !address.hasPrefix("https:") {
                #expect(page["errorCode"]?.text == "203")
                #expect(page["errorDetail"]?.text == "threeDSRequestorAppURL")
                continue
            }
            #expect(page["acsUiType"]?.text == "04", "\(page["errorDetail"]?.text ?? "")")
            #expect(try world.verifier.content(sdk.acsTransID)?["returnURL"] == nil)
            world.verifier.approve(sdk.acsTransID)
            try await world.work()
            let press = version < .twoThree ? JSONValue.boolean(true) : .string("01")
            let last = try await sdk.request([("oobContinue", press)])
            #expect(last["transStatus"]?.text == "Y", "\(last["errorDetail"]?.text ?? "")")
        }
    }

    @Test(arguments: ["policyForbids", "idempotencyKeyReused"])
    func `goes on without an address of the shop's app that the verifier refuses`(
        _ code: String
    ) async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        world.verifier.refuseReturnURL(with: code)
        let sdk = try await ModelSDK(in: world)
        let address = JSONValue.string("https://shop.example/back")
        let page = try await sdk.request([("threeDSRequestorAppURL", address)])
        #expect(page["challengeCompletionInd"]?.text == "N")
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        #expect(try await sdk.request()["transStatus"]?.text == "Y")
        #expect(world.directory.results.first?["transStatus"]?.text == "Y")
    }

    @Test func `is approved although the shopper cancels at the same time`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        world.verifier.approve(sdk.acsTransID)
        async let last = sdk.request([("challengeCancel", .string("01"))])
        while world.directory.results.isEmpty { try await world.work() }
        #expect(try await last["transStatus"]?.text == "Y")
        #expect(world.directory.results.first?["transStatus"]?.text == "Y")
    }

    @Test func `times out, and takes the transaction back`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        world.advance(seconds: 599)
        try await world.work()
        #expect(world.directory.results.isEmpty && !world.verifier.isWithdrawn)
        world.advance(seconds: 1)
        for _ in 0..<3 { try await world.work() }
        #expect(world.verifier.isWithdrawn)
        let result = try #require(world.directory.results.first)
        #expect(result["transStatusReason"]?.text == "14")
        #expect(result["challengeCancel"]?.text == "04")
        #expect(try await sdk.request()["errorCode"]?.text == "402")
    }

    @Test func `reports that no CReq came`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        world.advance(seconds: 30)
        for _ in 0..<2 { try await world.work() }
        let result = try #require(world.directory.results.first)
        #expect(result["challengeCancel"]?.text == "05")
        #expect(world.verifier.transaction(sdk.acsTransID) == nil)
        #expect(try await sdk.request()["errorCode"]?.text == "402")
    }

    @Test func `goes on when the verifier is reached again`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        world.verifier.set(isReachable: false)
        let page = try await sdk.request()
        #expect(page["challengeAddInfo"]?.text == IssuerText.notRequested.text(in: .english))
        world.verifier.set(isReachable: true)
        let second = try await sdk.request()
        #expect(second["challengeAddInfo"]?.text == IssuerText.notYet.text(in: .english))
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        #expect(try await sdk.request()["transStatus"]?.text == "Y")
    }

    @Test func `delivers the result when the directory is reached again, once`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        world.verifier.approve(sdk.acsTransID)
        world.directory.set(isReachable: false)
        for _ in 0..<5 {
            try await world.work()
            world.advance(seconds: 10)
        }
        world.directory.set(isReachable: true)
        for _ in 0..<3 { try await world.work() }
        #expect(world.directory.results.count == 1)
        #expect(try await sdk.request()["transStatus"]?.text == "Y")
    }

    @Test func `ends if a message was changed on the way`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        let first = sdk.lastRequest
        var body = try sdk.sealed()
        let place = body.count - 5
        body[place] = body[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        let error = try await sdk.response(to: body)
        #expect(error["errorCode"]?.text == "302")
        #expect(error["acsTransID"]?.text == sdk.acsTransID)
        // The response to an earlier message is not repeated either.
        #expect(try await sdk.response(to: first)["errorCode"]?.text == "305")
        for _ in 0..<2 { try await world.work() }
        let result = try #require(world.directory.results.first)
        #expect(result["transStatus"]?.text == "U")
        #expect(result["challengeCancel"]?.text == "06")
        #expect(world.verifier.isWithdrawn)
    }

    @Test func `ends when no device can approve any more`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        world.verifier.lock(sdk.acsTransID)
        for _ in 0..<2 { try await world.work() }
        #expect(world.verifier.isWithdrawn)
        #expect(world.directory.results.first?["transStatusReason"]?.text == "19")
    }

    @Test func `ends with the error of the SDK`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        let error = """
            {"messageType":"Erro","messageVersion":"2.2.0","acsTransID":"\(sdk.acsTransID)",\
            "threeDSServerTransID":"8a880dc0-d2d2-4067-bcb1-b08d1690b26e",\
            "sdkTransID":"b2385523-a66c-4907-ac3c-91848e8c0067","errorCode":"402",\
            "errorComponent":"C","errorDescription":"timeout","errorDetail":"timeout",\
            "errorMessageType":"CRes"}
            """
        #expect(try await world.service.response(toApp: Array(error.utf8)) == .none)
        for _ in 0..<2 { try await world.work() }
        #expect(world.directory.results.first?["challengeCancel"]?.text == "06")
    }

    /// The SDK would not find out about a fault in its error message, so the code counts.
    @Test(arguments: [
        #""errorDetail":"","messageVersion":"2.2.0""#, #""messageVersion":"2.1.0""#,
        #""errorComponent":"X""#, #""messageVersion":null,"errorDescription":1"#,
    ])
    func `ends with an error of the SDK that has a fault`(_ elements: String) async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        func report(_ id: String) -> [UInt8] {
            let ids = #""acsTransID":"\#(sdk.acsTransID)","sdkTransID":"\#(id)""#
            return Array(#"{"messageType":"Erro","errorCode":"402",\#(ids),\#(elements)}"#.utf8)
        }
        let other = report("00000000-a66c-4907-ac3c-91848e8c0067")
        #expect(try await world.service.response(toApp: other) == .none)
        for _ in 0..<2 { try await world.work() }
        #expect(world.directory.results.isEmpty)
        let own = report("b2385523-a66c-4907-ac3c-91848e8c0067")
        #expect(try await world.service.response(toApp: own) == .none)
        for _ in 0..<2 { try await world.work() }
        #expect(world.directory.results.first?["challengeCancel"]?.text == "06")
    }

    @Test func `SEC-99: leaves a record of each step`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        _ = try await sdk.request()
        let store = world.store
        let page = try await world.database.read { connection throws(StoreFailure) in
            try store.records(connection).records(after: .start, limit: 100)
        }
        let steps = page.records.map(\.record.step)
        #expect(steps == [.answered, .asked, .decided, .reported, .ended])
        #expect(page.records[2].record.details == ["Y", "transaction-1"])
    }
}

extension Statement {
    fileprivate static let dueTimes = Statement(
        "SELECT \([Column.due]) FROM authentications"
    )
}
