import Localization
import StrictJSON
import Testing

@testable import ThreeDSIssuer

@Suite(.onAnyStore) struct `A challenge whose calls fail` {
    private func asked(
        _ elements: [(String, JSONValue)] = []
    ) async throws -> (IssuerWorld, ModelSDK) {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        return (world, sdk)
    }

    private let wayBack = ("threeDSRequestorAppURL", JSONValue.string("https://shop.example/back"))

    @Test func `finds its transaction again after a lost response`() async throws {
        let (world, sdk) = try await asked()
        world.verifier.loseNextResponse()
        _ = try await sdk.request([wayBack])
        #expect(world.verifier.transaction(sdk.acsTransID) != nil)
        // The app does not repeat its address.
        _ = try await sdk.request()
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        #expect(world.directory.results.first?["transStatus"]?.text == "Y")
    }

    @Test func `takes its transaction back after a lost response`() async throws {
        let (world, sdk) = try await asked()
        world.verifier.loseNextResponse()
        _ = try await sdk.request([wayBack])
        async let last = sdk.request([("challengeCancel", .string("01"))])
        while world.directory.results.isEmpty { try await world.work() }
        #expect(try await last["transStatus"]?.text == "N")
        #expect(world.verifier.isWithdrawn)
    }

    @Test func `creates nothing to take back if no call reached the verifier`() async throws {
        let (world, sdk) = try await asked()
        world.verifier.set(isReachable: false)
        for _ in 0..<3 { _ = try await sdk.request() }
        // Its result does not wait for the verifier.
        async let last = sdk.request([("challengeCancel", .string("01"))])
        while world.directory.results.isEmpty { try await world.work() }
        #expect(try await last["transStatus"]?.text == "N")
        world.verifier.set(isReachable: true)
        try await world.work()
        #expect(world.verifier.transaction(sdk.acsTransID) == nil)
    }

    @Test func `takes its transaction back if one of its calls may have arrived`() async throws {
        let (world, sdk) = try await asked()
        world.verifier.loseNextResponse()
        _ = try await sdk.request()
        world.verifier.set(isReachable: false)
        for _ in 0..<3 { _ = try await sdk.request() }
        async let last = sdk.request([("challengeCancel", .string("01"))])
        try await world.work()
        #expect(world.directory.results.isEmpty)
        world.verifier.set(isReachable: true)
        while world.directory.results.isEmpty { try await world.work() }
        #expect(try await last["transStatus"]?.text == "N")
        #expect(world.verifier.isWithdrawn)
    }

    @Test(arguments: ["unauthorized", "rateLimited", "scopeMissing", "tooManyPending"])
    func `creates nothing to take back if each call was refused`(_ code: String) async throws {
        let (world, sdk) = try await asked()
        world.verifier.refuse("/transactions", with: code)
        _ = try await sdk.request()
        world.verifier.refuse("/transactions", with: nil)
        async let last = sdk.request([("challengeCancel", .string("01"))])
        while world.directory.results.isEmpty { try await world.work() }
        #expect(try await last["transStatus"]?.text == "N")
        #expect(world.verifier.transaction(sdk.acsTransID) == nil)
    }

    @Test(arguments: ["unauthorized", "rateLimited", "scopeMissing"])
    func `keeps an approval if its withdrawal is refused`(_ code: String) async throws {
        let (world, sdk) = try await asked()
        _ = try await sdk.request()
        world.verifier.approve(sdk.acsTransID)
        world.verifier.refuse("/withdrawal", with: code)
        async let last = sdk.request([("challengeCancel", .string("01"))])
        while world.directory.results.isEmpty { try await world.work() }
        #expect(try await last["transStatus"]?.text == "Y")
    }

    /// The person has other open requests, and the verifier does not repeat this refusal.
    @Test func `goes on after a refusal that can end`() async throws {
        let (world, sdk) = try await asked()
        world.verifier.refuse("/transactions", with: "tooManyPending")
        let page = try await sdk.request()
        let note = IssuerText.notRequested.text(in: .english)
        #expect(page["challengeAddInfo"]?.text == note)
        world.verifier.refuse("/transactions", with: nil)
        // No message of the app is needed.
        world.advance(seconds: 4)
        try await world.work()
        #expect(world.verifier.transaction(sdk.acsTransID) == nil)
        world.advance(seconds: 1)
        try await world.work()
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        #expect(try await sdk.request()["transStatus"]?.text == "Y")
    }

    @Test func `is followed although the response to its order was lost`() async throws {
        let (world, sdk) = try await asked()
        world.verifier.loseNextResponse()
        _ = try await sdk.request()
        world.verifier.approve(sdk.acsTransID)
        world.advance(seconds: 5)
        for _ in 0..<2 { try await world.work() }
        #expect(world.directory.results.first?["transStatus"]?.text == "Y")
    }

    @Test func `ends if the verifier will never create its transaction`() async throws {
        for (code, reason) in [
            ("policyForbids", "22"), ("noActiveDevice", "13"), ("accountReplaced", "13"),
        ] {
            let (world, sdk) = try await asked()
            world.verifier.refuse("/transactions", with: code)
            async let last = sdk.request()
            while world.directory.results.isEmpty { try await world.work() }
            #expect(try await last["transStatus"]?.text == "N")
            #expect(world.directory.results.first?["transStatusReason"]?.text == reason)
        }
    }

    @Test func `has its result although the verifier does not take back the request`() async throws
    {
        let (world, sdk) = try await asked()
        _ = try await sdk.request()
        world.verifier.set(isReachable: false)
        // The response does not wait for the result.
        world.service.endWaits()
        _ = try await sdk.request([("challengeCancel", .string("01"))])
        world.advance(seconds: 30)
        for _ in 0..<2 { try await world.work() }
        #expect(world.directory.results.first?["transStatus"]?.text == "N")
        world.verifier.set(isReachable: true)
        try await world.work()
        #expect(world.verifier.isWithdrawn)
        #expect(world.directory.results.count == 1)
    }

    /// Without a device, the result is another one than after the time.
    @Test(arguments: [("19", false), ("19", true), ("13", false), ("13", true)])
    func `SEC-76: keeps its reason if the response to its withdrawal is lost`(
        _ reason: String,
        isRestarted: Bool
    ) async throws {
        var (world, sdk) = try await asked()
        _ = try await sdk.request()
        if reason == "13" {
            world.verifier.revoke(sdk.acsTransID)
        } else {
            world.verifier.lock(sdk.acsTransID)
        }
        world.verifier.loseNextResponse(to: "/withdrawal")
        _ = try await world.service.followTransactions(waiting: 0)
        try await world.service.withdrawTransactions()
        #expect(world.verifier.isWithdrawn && world.directory.results.isEmpty)
        if isRestarted {
            world = try await IssuerWorld(restarting: world)
            sdk.world = world
        }
        for _ in 0..<2 { try await world.work() }
        #expect(world.directory.results.map { $0["transStatusReason"]?.text } == [reason])
        #expect(try await sdk.request()["transStatus"]?.text == "N")
    }

    @Test func `has its reason although the verifier does not take back the request`() async throws
    {
        let (world, sdk) = try await asked()
        _ = try await sdk.request()
        world.verifier.lock(sdk.acsTransID)
        _ = try await world.service.followTransactions(waiting: 0)
        world.verifier.set(isReachable: false)
        world.advance(seconds: 25)
        for _ in 0..<2 { try await world.work() }
        #expect(world.directory.results.map { $0["transStatusReason"]?.text } == ["19"])
        world.verifier.set(isReachable: true)
        try await world.work()
        #expect(world.verifier.isWithdrawn)
        #expect(world.directory.results.count == 1)
    }

    @Test func `is approved if the person was faster than the withdrawal`() async throws {
        let (world, sdk) = try await asked()
        _ = try await sdk.request()
        world.verifier.lock(sdk.acsTransID)
        _ = try await world.service.followTransactions(waiting: 0)
        world.verifier.approve(sdk.acsTransID)
        for _ in 0..<2 { try await world.work() }
        #expect(world.directory.results.map { $0["transStatus"]?.text } == ["Y"])
    }

    @Test func `is no longer taken back after its time`() async throws {
        let (world, sdk) = try await asked()
        _ = try await sdk.request()
        world.verifier.set(isReachable: false)
        world.service.endWaits()
        _ = try await sdk.request([("challengeCancel", .string("01"))])
        world.advance(seconds: 30)
        for _ in 0..<2 { try await world.work() }
        world.advance(seconds: 600)
        try await world.work()
        let count = world.verifier.calls.count
        for _ in 0..<3 { try await world.work() }
        #expect(world.verifier.calls.count == count)
        #expect(world.directory.results.count == 1)
    }

    @Test func `sends its result again after a transient error of the directory`() async throws {
        let (world, sdk) = try await asked()
        _ = try await sdk.request()
        world.verifier.approve(sdk.acsTransID)
        world.directory.respond(withError: "403")
        try await world.work()
        world.directory.respond(withError: nil)
        world.advance(seconds: 10)
        try await world.work()
        #expect(world.directory.results.count == 2)
        #expect(try await sdk.request()["transStatus"]?.text == "Y")
        world.advance(seconds: 60)
        try await world.work()
        #expect(world.directory.results.count == 2)
    }

    @Test func `SEC-78: goes on if the response to its creation cannot be read`() async throws {
        let (world, sdk) = try await asked()
        for text in ["", "<html>", "{}", #"{"id":7}"#, #"{"id":"transaction-1""#] {
            world.verifier.respond(to: "/transactions", with: text)
            let page = try await sdk.request()
            let note = IssuerText.notRequested.text(in: .english)
            #expect(page["challengeAddInfo"]?.text == note, "\(text)")
            #expect(page["transStatus"] == nil)
        }
        world.verifier.respond(to: "/transactions", with: nil)
        _ = try await sdk.request()
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        #expect(try await sdk.request()["transStatus"]?.text == "Y")
    }

    @Test func `SEC-78: is not approved by an end that cannot be read`() async throws {
        let (world, sdk) = try await asked()
        _ = try await sdk.request()
        let id = try #require(world.verifier.transaction(sdk.acsTransID))
        let approved = #""state":"approved","approvedWith":"userPIN""#
        let lists = #""unapprovable":[],"unknown":[]"#
        let texts = [
            "", "approved", #"{"ended":[{"id":"\#(id)",\#(approved)}],\#(lists)"#,
            #"{"ended":[{"id":"\#(id)","state":"approved"}],\#(lists)}"#,
            #"{"ended":[{"id":"\#(id)","state":"Approved","approvedWith":"userPIN"}],\#(lists)}"#,
            #"{"ended":[{"id":"transaction-9",\#(approved)}],\#(lists)}"#,
            #"{"ended":[{"id":"\#(id)",\#(approved),"state":"rejected"}],\#(lists)}"#,
            #"{"ended":{"id":"\#(id)",\#(approved)},\#(lists)}"#,
        ]
        for text in texts {
            world.verifier.respond(to: "/transactions/ended", with: text)
            try await world.work()
            #expect(world.directory.results.isEmpty, "\(text)")
            #expect(try await sdk.request()["challengeCompletionInd"]?.text == "N", "\(text)")
        }
        // It stays so until the end.
        world.verifier.respond(to: "/withdrawal", with: "<html>")
        world.advance(seconds: 600)
        try await world.work()
        world.advance(seconds: 30)
        for _ in 0..<2 { try await world.work() }
        #expect(world.directory.results.map { $0["transStatus"]?.text } == ["N"])
    }

    @Test func `makes a pause if no row can be changed`() async throws {
        let (world, sdk) = try await asked()
        _ = try await sdk.request()
        #expect(try await world.service.followTransactions(waiting: 0))
        world.verifier.lock(sdk.acsTransID)
        world.verifier.refuse("/withdrawal", with: "unauthorized")
        #expect(try await !world.service.followTransactions(waiting: 0))
        #expect(world.directory.results.isEmpty)
    }

    @Test func `makes a pause after an end that cannot be read`() async throws {
        let (world, sdk) = try await asked()
        _ = try await sdk.request()
        world.verifier.end(sdk.acsTransID, as: #""state":"approved","approvedWith":"palm""#)
        #expect(try await !world.service.followTransactions(waiting: 0))
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        #expect(world.directory.results.first?["transStatus"]?.text == "Y")
    }
}
