import StrictJSON
import TestSupport
import Testing
import ThreeDSProtocol

@testable import ThreeDSIssuer

/// The background work as it runs in a process, which it wakes itself by its own changes.
@Suite(.timeLimit(.minutes(5))) struct `The background work of an ACS` {
    /// Almost the pause after a failed call.
    ///
    /// A change that comes during the first call begins a second one at once, and a pause follows in
    /// each case.
    private static let pause = Duration.milliseconds(900)

    /// How long after the start three calls with this end are made, of which none was made before.
    private func timeOfThreeCalls(
        _ end: String,
        in world: IssuerWorld,
        since start: ContinuousClock.Instant
    ) async throws -> Duration {
        try await waitUntil { world.verifier.calls.count { $0.hasSuffix(end) } >= 3 }
        return ContinuousClock.now - start
    }

    @Test func `pauses if a transaction cannot be withdrawn, also while an app waits`()
        async throws
    {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        world.verifier.refuse("/withdrawal", with: "unauthorized")
        let cancel = try sdk.sealed([("challengeCancel", .string("01"))])
        let start = ContinuousClock.now
        let work = Task { await world.service.run() }
        let response = Task { [service = world.service] in
            try await service.response(toApp: cancel)
        }
        #expect(try await timeOfThreeCalls("/withdrawal", in: world, since: start) > Self.pause)
        world.verifier.refuse("/withdrawal", with: nil)
        guard case .sealed = try await response.value else {
            Issue.record("no CRes")
            return
        }
        work.cancel()
        await work.value
    }

    /// Adds purchases without a shopper who waits, whose transactions are due.
    private func addDecoupledPurchases(_ count: Int, to world: IssuerWorld) async throws {
        for number in 0..<count {
            let card = "40000500000000\(10 + number)"
            try await world.addCard(card, named: "card-\(10 + number)")
            let request = SampleRequest(
                .twoTwo,
                .browser,
                .payment,
                [
                    "acctNumber": #""\#(card)""#, "threeDSRequestorDecReqInd": #""Y""#,
                    "threeDSRequestorDecMaxTime": #""00010""#,
                    "dsTransID": #""4317fdc3-ad24-5443-8000-0000000000\#(10 + number)""#,
                ]
            )
            #expect(try await world.answer(request)["transStatus"]?.text == "D")
        }
    }

    @Test func `withdraws a transaction while orders wait for the verifier`() async throws {
        let world = try await IssuerWorld { $0.offersDecoupled = true }
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        try await addDecoupledPurchases(1, to: world)
        world.verifier.hold("/transactions")
        let work = Task { await world.service.run() }
        try await waitUntil { world.verifier.heldCount == 1 }
        let cancel = try sdk.sealed([("challengeCancel", .string("01"))])
        let response = Task { [service = world.service] in
            try await service.response(toApp: cancel)
        }
        try await waitUntil { world.verifier.isWithdrawn(sdk.acsTransID) }
        #expect(world.verifier.heldCount == 1)
        world.verifier.hold(nil)
        _ = try await response.value
        work.cancel()
        await work.value
    }

    @Test func `makes no further calls after it is cancelled`() async throws {
        let world = try await IssuerWorld { $0.offersDecoupled = true }
        let count = IssuerService.concurrentCalls
        try await addDecoupledPurchases(2 * count, to: world)
        world.verifier.hold("/transactions")
        let pass = Task { [service = world.service] in try await service.orderTransactions() }
        try await waitUntil { world.verifier.heldCount == count }
        pass.cancel()
        world.verifier.hold(nil)
        try await pass.value
        #expect(world.verifier.calls.count { $0.hasSuffix("/transactions") } == count)
    }

    @Test func `applies no clock after it is cancelled`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let id = try await ModelSDK(in: world).acsTransID
        world.advance(seconds: 60)
        let pass = Task { [service = world.service] in
            withUnsafeCurrentTask { $0?.cancel() }
            try await service.readClocks()
        }
        try await pass.value
        #expect(try await world.service.authentication(id)?.challenge?.result == nil)
        try await world.service.readClocks()
        #expect(try await world.service.authentication(id)?.challenge?.result != nil)
    }
}
