import JOSE
import PrivateFiles
import StrictJSON
import TestSupport
import Testing
import ThreeDSProtocol
import VerifierWorld

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

    /// Adds purchases that end without a first CReq, so their results are due.
    private func addResults(_ numbers: Range<Int>, to world: IssuerWorld) async throws {
        for number in numbers {
            let card = "4000050000000\(100 + number / 3)"
            if number % 3 == 0 { try await world.addCard(card, named: "card-\(100 + number / 3)") }
            let changes = [
                "acctNumber": #""\#(card)""#,
                "dsTransID": #""4317fdc3-ad24-5443-8000-000000000\#(100 + number)""#,
            ]
            let request = SampleRequest(.twoTwo, .browser, .payment, changes)
            #expect(try await world.answer(request)["transStatus"]?.text == "C")
        }
        world.advance(seconds: 30)
        try await world.service.readClocks()
    }

    @Test func `reads the results of a busy directory once, and sends them later`() async throws {
        let watched = LockedValue<WatchedDatabase?>(nil)
        let world = try await IssuerWorld.over { store in
            let database = WatchedDatabase(store)
            watched.withLock { $0 = database }
            return database
        }
        let database = try #require(watched.withLock { $0 })
        func passes() -> Int { database.texts.count { $0.contains("WHERE result_due <= ") } }
        let (limit, further) = (IssuerService.concurrentResults, 20)
        let first = 3 * limit
        try await addResults(0..<first, to: world)
        world.directory.set(isHeld: true)
        let work = Task { [service = world.service] in await service.run() }
        try await waitUntil { world.directory.heldCount == limit }
        let start = passes()
        try await waitUntil { passes() > start }
        database.forget()
        for number in 0..<further {
            let before = passes()
            let place = first + 3 * number
            try await addResults(place..<(place + 1), to: world)
            try await waitUntil { passes() > before }
        }
        // Otherwise, each pass reads all results that are left.
        #expect(database.rowCount < further * limit)
        world.directory.set(isHeld: false)
        // A result whose lease has ended can be sent twice.
        try await waitUntil {
            Set(world.directory.results.compactMap { $0["acsTransID"]?.text }).count
                == first + further
        }
        work.cancel()
        await work.value
    }

    @Test func `awaits the next end at once, unless the last one would be returned again`()
        async throws
    {
        let world = try await IssuerWorld()
        try await world.addCard()
        let identifier = #""4317fdc3-ad24-5443-8000-000000000892""#
        let sdk = try await ModelSDK(in: world)
        let other = try await ModelSDK(
            in: world,
            .twoTwo,
            .a128CBCHS256,
            ["dsTransID": identifier]
        )
        for sdk in [sdk, other] { _ = try await sdk.request() }
        #expect(try await world.service.followTransactions(waiting: 0))
        world.verifier.approve(sdk.acsTransID)
        #expect(try await world.service.followTransactions(waiting: 0))
        // The transaction is withdrawn first.
        world.verifier.lock(other.acsTransID)
        for _ in 0..<2 { #expect(try await !world.service.followTransactions(waiting: 0)) }
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
