import Storage
import StrictJSON
import Testing
import ThreeDSProtocol

@testable import ThreeDSIssuer

@Suite(.onEveryStore) struct `The response of a directory to a result` {
    private let world: IssuerWorld
    private let sdk: ModelSDK

    /// The person has approved.
    init() async throws {
        world = try await IssuerWorld()
        try await world.addCard()
        sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        world.verifier.approve(sdk.acsTransID)
    }

    /// Works for an hour of the clock.
    private func workOn() async throws {
        for _ in 0..<4 {
            try await world.work()
            world.advance(seconds: 900)
        }
    }

    private func expectNoted(_ details: [String]) async throws {
        try await world.work()
        #expect(try await sdk.request()["transStatus"]?.text == "Y")
        try await workOn()
        #expect(world.directory.results.count == 1)
        let store = world.store
        let page = try await world.database.read { connection throws(StoreFailure) in
            try store.records(connection).records(after: .start, limit: 100)
        }
        let reported = page.records.map(\.record).filter { $0.step == .reported }
        #expect(reported.map(\.details) == [details])
    }

    /// The shop has decided otherwise (02), or did not have the ARes (03).
    @Test(arguments: ["01", "02", "03"])
    func `is noted whatever its status is`(_ status: String) async throws {
        world.directory.respond(withStatus: status)
        try await expectNoted(["RRes", status])
    }

    @Test(arguments: ["101", "203", "301", "404"])
    func `is noted if it is a permanent error`(_ code: String) async throws {
        world.directory.respond(withError: code)
        try await expectNoted(["Erro", code])
        let (store, id) = (world.store, sdk.acsTransID)
        let shown = try await world.database.read { connection throws(StoreFailure) in
            try store.challenges(connection).challenge(id)
        }
        #expect(shown?.state == .refused && shown?.result?.status == "Y")
        #expect(world.refusals == ["\(id) \(code)"])
        #expect(try await world.service.sendAgain(id) == .notGivenUp(.refused))
    }

    /// The directory would not find out about a fault in its error message, so the code counts.
    @Test(
        arguments: [
            ["errorDetail": .string("")], ["messageVersion": .string("2.1.0")],
            ["messageVersion": nil, "errorComponent": .string("X")],
            ["errorDescription": .array([]), "dsTransID": nil],
        ] as [[String: JSONValue?]]
    )
    func `is noted if it is an error with a fault of its own`(
        _ changes: [String: JSONValue?]
    ) async throws {
        world.directory.respond(withError: "203", changes)
        try await expectNoted(["Erro", "203"])
        #expect(world.refusals == ["\(sdk.acsTransID) 203"])
    }

    @Test func `brings the result again if it is an error about another one`() async throws {
        let other = JSONValue.string("00000000-d2d2-4067-bcb1-b08d1690b26e")
        world.directory.respond(withError: "203", ["dsTransID": other])
        try await workOn()
        #expect(world.directory.results.count > 2)
        #expect(world.refusals == [])
    }

    @Test func `is the reason of a failure if a result that was given up is refused`() async throws
    {
        world.directory.set(isReachable: false)
        for _ in 0..<100 {
            try await world.work()
            world.advance(seconds: 900)
        }
        world.directory.set(isReachable: true)
        world.directory.respond(withError: "303")
        let reason = "the directory refused it with error 303"
        #expect(try await world.service.sendAgain(sdk.acsTransID) == .failed(reason: reason))
        #expect(try await world.service.sendAgain(sdk.acsTransID) == .notGivenUp(.refused))
    }

    @Test(arguments: ["402", "403", "405"])
    func `brings the result again if it is a transient error`(_ code: String) async throws {
        world.directory.respond(withError: code)
        try await workOn()
        #expect(world.directory.results.count > 2)
        world.directory.respond(withError: nil)
        try await workOn()
        let count = world.directory.results.count
        try await workOn()
        #expect(world.directory.results.count == count)
        #expect(Set(world.directory.results.map { $0["transStatus"]?.text }) == ["Y"])
    }

    @Test func `is awaited for eight seconds in a request of the app`() async throws {
        world.directory.set(isReachable: false)
        try await world.work()
        #expect(Challenge.maximumResponseTime == .seconds(8))
        let clock = ContinuousClock()
        // A busy machine delays this pause as well.
        async let pause = clock.measure { try await Task.sleep(for: .seconds(8)) }
        var page: JSONValue?
        let time = try await clock.measure { page = try await sdk.request() }
        #expect(page?["challengeCompletionInd"]?.text == "N")
        #expect(time >= .seconds(8))
        let delay = try await time - pause
        #expect(delay < .seconds(6), "\(time)")
    }
}
