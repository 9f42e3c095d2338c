import Localization
import StrictJSON
import TestSupport
import Testing
import ThreeDSProtocol
import Transactions

@testable import ThreeDSIssuer

private let expired = #""state":"expired""#
private let sent = IssuerText.askedAgain.text(in: .english)
private let isOver = IssuerText.expired.text(in: .english)

extension ModelVerifier {
    fileprivate var requests: Int { calls.count { $0.hasSuffix("/transactions") } }
}

/// The result of a challenge whose person did not decide.
private func expectExpired(_ world: IssuerWorld) {
    #expect(world.directory.results.count == 1)
    #expect(world.directory.results.first?["transStatus"]?.text == "N")
    #expect(world.directory.results.first?["transStatusReason"]?.text == "14")
    #expect(world.directory.results.first?["challengeCancel"]?.text == "04")
}

@Suite(.onAnyStore) struct `A request that expired, in an app` {
    private func unanswered(
        _ version: ProtocolVersion = .twoTwo
    ) async throws -> (IssuerWorld, ModelSDK) {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world, version)
        _ = try await sdk.request()
        world.verifier.end(sdk.acsTransID, as: expired)
        try await world.work()
        #expect(world.directory.results.isEmpty)
        return (world, sdk)
    }

    private func press(_ version: ProtocolVersion) -> (String, JSONValue) {
        ("oobContinue", version < .twoThree ? .boolean(true) : .string("01"))
    }

    private func note(_ page: JSONValue) -> String? {
        page["challengeAddInfo"]?.text
            ?? page["challengeInfoText"]?.text?.split(separator: "\n").first.map { String($0) }
    }

    @Test(arguments: ProtocolVersion.allCases)
    func `is followed by another one with the button of the page`(
        _ version: ProtocolVersion
    ) async throws {
        let (world, sdk) = try await unanswered(version)
        // The person presses "I have approved", and did not know that it expired.
        let page = try await sdk.request([press(version)])
        #expect(note(page) == isOver)
        #expect(page["oobContinueLabel"]?.text == "Ask my device again")
        #expect(world.verifier.requests == 1)
        let next = try await sdk.request([press(version)])
        #expect(note(next) == sent)
        #expect(next["oobContinueLabel"]?.text == "I have approved")
        #expect(world.verifier.requests == 2)
        #expect(world.verifier.notificationCalls.isEmpty)
        world.verifier.approve("\(sdk.acsTransID).2")
        try await world.work()
        #expect(try await sdk.request([press(version)])["transStatus"]?.text == "Y")
        #expect(world.directory.results.map { $0["transStatus"]?.text } == ["Y"])
    }

    @Test func `is followed by another one at once if the app wants it`() async throws {
        let (world, sdk) = try await unanswered()
        let page = try await sdk.request([("resendChallenge", .string("Y"))])
        #expect(note(page) == sent)
        #expect(world.verifier.transaction("\(sdk.acsTransID).2") != nil)
    }

    @Test func `is not followed by another one if an app only comes back`() async throws {
        let (world, sdk) = try await unanswered(.twoThree)
        for _ in 1...3 {
            #expect(note(try await sdk.request([("oobContinue", .string("02"))])) == isOver)
        }
        #expect(world.verifier.requests == 1)
    }

    @Test func `has one successor`() async throws {
        let (world, sdk) = try await unanswered()
        _ = try await sdk.request([("resendChallenge", .string("Y"))])
        world.verifier.end("\(sdk.acsTransID).2", as: expired)
        for _ in 0..<2 { try await world.work() }
        expectExpired(world)
        let last = try await sdk.request([("resendChallenge", .string("Y"))])
        #expect(last["transStatus"]?.text == "N")
        #expect(world.verifier.requests == 2)
    }

    @Test func `ends the challenge if the shopper requests no other one in time`() async throws {
        let (world, sdk) = try await unanswered()
        world.advance(seconds: 599)
        #expect(note(try await sdk.request()) == isOver)
        try await world.work()
        #expect(world.directory.results.isEmpty)
        world.advance(seconds: 1)
        for _ in 0..<2 { try await world.work() }
        expectExpired(world)
        #expect(try await sdk.request()["transStatus"]?.text == "N")
    }

    @Test func `leaves nothing to withdraw if the shopper cancels`() async throws {
        let (world, sdk) = try await unanswered()
        world.service.endWaits()
        _ = try await sdk.request([("challengeCancel", .string("01"))])
        try await world.work()
        #expect(world.directory.results.first?["challengeCancel"]?.text == "01")
        #expect(!world.verifier.isWithdrawn && world.verifier.requests == 1)
    }

    @Test func `is followed by another one although a response is lost`() async throws {
        let (world, sdk) = try await unanswered()
        world.verifier.loseNextResponse()
        let page = try await sdk.request([("resendChallenge", .string("Y"))])
        #expect(note(page) == IssuerText.notRequested.text(in: .english))
        _ = try await sdk.request()
        // Both calls had the same key.
        #expect(world.verifier.requests == 3)
        world.verifier.approve("\(sdk.acsTransID).2")
        try await world.work()
        #expect(try await sdk.request()["transStatus"]?.text == "Y")
    }

    @Test func `SEC-79: is followed by one other also if the ACS ends in between`() async throws {
        let (world, sdk) = try await unanswered()
        let body = try sdk.sealed([("resendChallenge", .string("Y"))])
        world.verifier.loseNextResponse()
        // Its response never arrives at the app, which sends the same message again.
        _ = try await world.service.response(toApp: body)
        let restarted = try await IssuerWorld(restarting: world)
        sdk.world = restarted
        _ = try await sdk.response(to: body)
        _ = try await sdk.request()
        #expect(restarted.verifier.transaction("\(sdk.acsTransID).3") == nil)
        restarted.verifier.approve("\(sdk.acsTransID).2")
        try await restarted.work()
        #expect(try await sdk.request()["transStatus"]?.text == "Y")
    }

    @Test func `is withdrawn as the second one, also after a lost response`() async throws {
        let (world, sdk) = try await unanswered()
        world.verifier.loseNextResponse()
        _ = try await sdk.request([("resendChallenge", .string("Y"))])
        async let last = sdk.request([("challengeCancel", .string("01"))])
        while world.directory.results.isEmpty { try await world.work() }
        #expect(try await last["transStatus"]?.text == "N")
        #expect(world.verifier.isWithdrawn)
        #expect(world.verifier.transaction("\(sdk.acsTransID).2") != nil)
    }

    @Test func `SEC-76: is not decided by a late attempt to create it`() async throws {
        let (world, sdk) = try await unanswered()
        let first = try #require(world.verifier.transaction(sdk.acsTransID))
        _ = try await sdk.request([("resendChallenge", .string("Y"))])
        let second = try await world.service.authentication(sdk.acsTransID)?.challenge?.transaction
        let attempt = TransactionAttempt.made(
            .created(RequestedTransaction(id: .init(checked: first), number: nil)),
            key: sdk.acsTransID
        )
        let place = ChallengeStep.Place.id(sdk.acsTransID)
        _ = try await world.service.step(at: place) { step in
            step.change { $0.transaction = nil }
            step.settle(attempt)
        }
        var found = try await world.service.authentication(sdk.acsTransID)?.challenge
        #expect(found?.transaction == nil)
        _ = try await sdk.request()
        found = try await world.service.authentication(sdk.acsTransID)?.challenge
        #expect(found?.transaction == second && second?.id.text != first)
    }

    @Test func `ends the challenge if no device can have another one`() async throws {
        let (world, sdk) = try await unanswered()
        world.verifier.refuse("/transactions", with: "noActiveDevice")
        world.service.endWaits()
        _ = try await sdk.request([("resendChallenge", .string("Y"))])
        try await world.work()
        #expect(world.directory.results.first?["transStatusReason"]?.text == "13")
    }

    @Test func `is followed by another one when the verifier's limits permit it`() async throws {
        let (world, sdk) = try await unanswered()
        world.verifier.refuse("/transactions", with: "rateLimited")
        let page = try await sdk.request([("resendChallenge", .string("Y"))])
        #expect(note(page) == IssuerText.notRequested.text(in: .english))
        world.verifier.refuse("/transactions", with: nil)
        _ = try await sdk.request()
        #expect(world.verifier.transaction("\(sdk.acsTransID).2") != nil)
    }
}

@Suite(.onAnyStore) struct `A request that expired, in a browser` {
    private func unanswered() async throws -> (Shopper, PageHandle) {
        let shopper = try await Shopper.new()
        let handle = try await shopper.enter()
        // The page creates it.
        _ = try await shopper.text(of: handle)
        shopper.world.verifier.end(shopper.acsTransID, as: expired)
        return (shopper, handle)
    }

    private func state(_ shopper: Shopper, _ handle: PageHandle) async throws -> PageState? {
        try await shopper.world.service.state(of: handle, showing: nil, within: .zero)
    }

    @Test func `wakes the page, which offers to ask again, and does so`() async throws {
        let (shopper, handle) = try await unanswered()
        let world = shopper.world
        #expect(try await state(shopper, handle) == .pending)
        async let next = world.service.state(
            of: handle,
            showing: .pending,
            within: .seconds(60)
        )
        try await world.work()
        #expect(try await next == .expired)
        for _ in 1...2 {
            #expect(try await shopper.text(of: handle).contains(">\(isOver)</p>"))
        }
        #expect(world.verifier.requests == 1)
        let token = try await shopper.token(of: handle)
        let address = try #require(try await shopper.press(.again, on: handle))
        #expect(try await shopper.text(at: address).contains(">\(sent)</p>"))
        #expect(world.verifier.requests == 2)
        #expect(try await state(shopper, handle) == .pending)
        // The next press notifies of the second one.
        _ = try await shopper.press(.again, on: handle, token)
        #expect(world.verifier.notificationCalls.count == 1)
        world.verifier.approve("\(shopper.acsTransID).2")
        try await world.work()
        #expect(try await shopper.result(of: handle).0["transStatus"]?.text == "Y")
        #expect(world.directory.results.count == 1)
    }

    /// The page shows what was the state when it was loaded.
    @Test func `wakes a page that was loaded before it expired`() async throws {
        let (shopper, handle) = try await unanswered()
        let service = shopper.world.service
        try await shopper.world.work()
        let start = ContinuousClock.now
        let next = try await service.state(of: handle, showing: .pending, within: .seconds(60))
        #expect(next == .expired && ContinuousClock.now - start < .seconds(30))
    }

    @Test func `has one successor, however often the button is pressed`() async throws {
        let (shopper, handle) = try await unanswered()
        try await shopper.world.work()
        let token = try await shopper.token(of: handle)
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    let address = try await shopper.press(.again, on: handle, token)
                    _ = try await shopper.text(at: address ?? "")
                }
            }
            try await group.waitForAll()
        }
        #expect(shopper.world.verifier.transaction("\(shopper.acsTransID).3") == nil)
        shopper.world.verifier.end("\(shopper.acsTransID).2", as: expired)
        for _ in 0..<2 { try await shopper.world.work() }
        expectExpired(shopper.world)
        #expect(try await state(shopper, handle) == .over)
        #expect(try await shopper.result(of: handle).0["transStatus"]?.text == "N")
    }

    @Test func `ends the challenge if the shopper requests no other one in time`() async throws {
        let (shopper, handle) = try await unanswered()
        try await shopper.world.work()
        shopper.world.advance(seconds: 590)
        _ = try await shopper.press(.continue, on: handle)
        try await shopper.world.work()
        #expect(shopper.world.directory.results.isEmpty)
        shopper.world.advance(seconds: 10)
        for _ in 0..<2 { try await shopper.world.work() }
        expectExpired(shopper.world)
        #expect(try await shopper.result(of: handle).0["transStatus"]?.text == "N")
    }

    @Test func `is not followed by one of another website`() async throws {
        let (shopper, handle) = try await unanswered()
        try await shopper.world.work()
        #expect(try await shopper.press(.again, on: handle, "x") == nil)
        _ = try await shopper.text(of: handle)
        #expect(shopper.world.verifier.requests == 1)
    }

    @Test func `is followed by another one for each of several nodes that note its end`()
        async throws
    {
        let (shopper, handle) = try await unanswered()
        let service = shopper.world.service
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { _ = try await service.followTransactions(waiting: 0) }
            }
            try await group.waitForAll()
        }
        #expect(try await state(shopper, handle) == .expired)
        #expect(shopper.world.directory.results.isEmpty)
    }
}
