import Storage
import StrictJSON
import Testing
import ThreeDSProtocol

@testable import ThreeDSIssuer

@Suite(.onAnyStore) struct `A decoupled authentication` {
    private static let wish: [String: String?] = [
        "threeDSRequestorDecReqInd": #""Y""#, "threeDSRequestorDecMaxTime": #""00010""#,
    ]

    /// A world in which a purchase waits for the person, and the identifier of its authentication.
    private func waiting(
        _ version: ProtocolVersion = .twoTwo,
        _ channel: DeviceChannel = .browser,
        minutes: Int = 10
    ) async throws -> (IssuerWorld, String) {
        let world = try await IssuerWorld { $0.offersDecoupled = true }
        try await world.addCard()
        let time = [
            "threeDSRequestorDecMaxTime":
                "\"\(String(String(100_000 + minutes).dropFirst()))\"" as String?
        ]
        let answer = try await world.answer(
            SampleRequest(version, channel, .payment, Self.wish.merging(time) { $1 })
        )
        #expect(answer["transStatus"]?.text == "D", "\(answer["errorDetail"]?.text ?? "")")
        #expect(answer["acsDecConInd"]?.text == "Y")
        let id = try #require(answer["acsTransID"]?.text)
        #expect(world.verifier.transaction(id) == nil)
        try await world.work()
        #expect(world.verifier.transaction(id) != nil)
        return (world, id)
    }

    @Test func `is approved later, without a message of the shopper`() async throws {
        for version in [ProtocolVersion.twoTwo, .twoThree] {
            for channel in [DeviceChannel.browser, .requestor] {
                let (world, id) = try await waiting(version, channel)
                world.verifier.approve(id)
                for _ in 0..<2 { try await world.work() }
                let result = try #require(world.directory.results.first)
                #expect(world.directory.results.count == 1)
                #expect(result["transStatus"]?.text == "Y")
                #expect(result["authenticationValue"]?.text?.count == 28)
            }
        }
    }

    @Test func `ends with one result if the person does not decide`() async throws {
        let (world, id) = try await waiting()
        world.verifier.end(id, as: #""state":"expired""#)
        for _ in 0..<2 { try await world.work() }
        let result = try #require(world.directory.results.first)
        #expect(world.directory.results.count == 1)
        #expect(result["transStatus"]?.text == "U")
        #expect(result["transStatusReason"]?.text == "26")
        #expect(result["challengeCancel"]?.text == "03")
    }

    @Test func `has its result sent for a day, whenever it was decided`() async throws {
        let (world, id) = try await waiting(minutes: 10080)
        world.advance(seconds: 90_000)
        world.verifier.approve(id)
        world.directory.set(isReachable: false)
        for _ in 0..<2 { try await world.work() }
        world.advance(seconds: 86_000)
        try await world.work()
        world.directory.set(isReachable: true)
        world.advance(seconds: 300)
        try await world.work()
        #expect(world.directory.results.first?["transStatus"]?.text == "Y")
    }

    @Test func `counts an end once, however many nodes note it`() async throws {
        let (world, id) = try await waiting(minutes: 120)
        for (key, next) in [(id, "\(id).2"), ("\(id).2", "\(id).3")] {
            world.verifier.end(key, as: #""state":"expired""#)
            try await withThrowingTaskGroup { group in
                for _ in 0..<20 {
                    group.addTask { _ = try await world.service.followTransactions(waiting: 0) }
                }
                try await group.waitForAll()
            }
            #expect(world.directory.results.isEmpty)
            world.advance(seconds: 900)
            try await world.work()
            #expect(world.verifier.transaction(next) != nil)
        }
    }

    @Test func `is requested again twice, and has one result`() async throws {
        let (world, id) = try await waiting(minutes: 120)
        for key in ["\(id)", "\(id).2", "\(id).3"] {
            #expect(world.verifier.transaction(key) != nil)
            #expect(world.directory.results.isEmpty)
            world.verifier.end(key, as: #""state":"expired""#)
            for _ in 0..<2 { try await world.work() }
            world.advance(seconds: 899)
            try await world.work()
            #expect(world.verifier.transaction("\(id).2") == nil || key != id)
            world.advance(seconds: 1)
            try await world.work()
        }
        for _ in 0..<100 {
            world.advance(seconds: 90)
            try await world.work()
        }
        #expect(world.verifier.calls.count { $0.hasSuffix("/transactions") } == 3)
        #expect(world.directory.results.count == 1)
        #expect(world.directory.results.first?["transStatusReason"]?.text == "26")
        #expect(world.directory.results.first?["challengeCancel"]?.text == "03")
    }

    @Test func `is approved at a later request`() async throws {
        let (world, id) = try await waiting(minutes: 60)
        world.verifier.end(id, as: #""state":"expired""#)
        try await world.work()
        world.advance(seconds: 900)
        // A lost response of the second request does not make a third one.
        world.verifier.loseNextResponse()
        for _ in 0..<3 {
            try await world.work()
            world.advance(seconds: 5)
        }
        world.verifier.approve("\(id).2")
        for _ in 0..<2 { try await world.work() }
        #expect(world.directory.results.count == 1)
        #expect(world.directory.results.first?["transStatus"]?.text == "Y")
        #expect(world.verifier.transaction("\(id).3") == nil)
    }

    @Test(arguments: ["unauthorized", "rateLimited", "tooManyPending"])
    func `is ordered again after pauses that grow`(_ code: String) async throws {
        let world = try await IssuerWorld { $0.offersDecoupled = true }
        try await world.addCard()
        world.verifier.refuse("/transactions", with: code)
        let answer = try await world.answer(
            SampleRequest(.twoTwo, .browser, .payment, Self.wish)
        )
        let id = try #require(answer["acsTransID"]?.text)
        var times: [Int] = []
        for second in 0..<300 {
            let count = world.verifier.calls.count
            try await world.work()
            if world.verifier.calls.count > count { times.append(second) }
            world.advance(seconds: 1)
        }
        #expect(times == [0, 5, 10, 15, 23, 35, 53, 80, 120, 180, 240])
        world.verifier.refuse("/transactions", with: nil)
        world.advance(seconds: 60)
        try await world.work()
        #expect(world.verifier.transaction(id) != nil)
    }

    @Test func `SEC-99: has its requests in the audit trail, with their transactions`() async throws
    {
        let (world, id) = try await waiting(minutes: 30)
        world.verifier.end(id, as: #""state":"expired""#)
        try await world.work()
        world.advance(seconds: 900)
        try await world.work()
        let second = try #require(world.verifier.transaction("\(id).2"))
        world.verifier.end("\(id).2", as: #""state":"expired""#)
        for _ in 0..<2 { try await world.work() }
        let store = world.store
        let page = try await world.database.read { connection throws(StoreFailure) in
            try store.records(connection).records(after: .start, limit: 100)
        }
        let asked = page.records.map(\.record).filter { $0.step == .asked }
        #expect(asked.map(\.details) == [["transaction-1"], [second]])
        let decided = page.records.map(\.record).filter { $0.step == .decided }
        #expect(decided.map(\.details) == [["U", "26", second]])
    }

    @Test func `ends although the verifier was never reached`() async throws {
        let world = try await IssuerWorld { $0.offersDecoupled = true }
        try await world.addCard()
        let answer = try await world.answer(SampleRequest(.twoTwo, .browser, .payment, Self.wish))
        #expect(answer["transStatus"]?.text == "D")
        world.verifier.set(isReachable: false)
        for _ in 0..<12 {
            try await world.work()
            world.advance(seconds: 60)
        }
        #expect(world.directory.results.first?["transStatus"]?.text == "U")
        // No call reached the verifier, so there is nothing to take back.
        world.verifier.set(isReachable: true)
        for _ in 0..<3 { try await world.work() }
        #expect(world.verifier.calls.count { $0.hasPrefix("P") } == 0)
        #expect(world.directory.results.count == 1)
    }

    @Test func `takes its transaction back after a lost response`() async throws {
        let world = try await IssuerWorld { $0.offersDecoupled = true }
        try await world.addCard()
        _ = try await world.answer(SampleRequest(.twoTwo, .browser, .payment, Self.wish))
        world.verifier.loseNextResponse()
        try await world.service.orderTransactions()
        world.verifier.set(isReachable: false)
        for _ in 0..<12 {
            try await world.work()
            world.advance(seconds: 60)
        }
        #expect(world.directory.results.first?["transStatus"]?.text == "U")
        world.verifier.set(isReachable: true)
        for _ in 0..<3 { try await world.work() }
        #expect(world.verifier.isWithdrawn)
        #expect(world.directory.results.count == 1)
    }
}
