import Storage
import StrictJSON
import Testing
import ThreeDSProtocol

@testable import ThreeDSIssuer

@Suite(.onAnyStore) struct `The response of a directory to a result` {
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
        try await workOn()
        #expect(world.directory.results.count == 1)
        #expect(try await world.records(.reported) == [details])
    }

    /// The app gets an error, and never a final CRes.
    private func expectRefused(_ code: String) async throws {
        try await world.work()
        #expect(try await sdk.request()["errorCode"]?.text == "403")
        try await expectNoted(["Erro", code])
        #expect(try await world.state(of: sdk.acsTransID) == .refused)
        #expect(world.refusals == ["\(sdk.acsTransID) \(code)"])
        #expect(world.directory.errors.isEmpty)
    }

    /// The shop has decided otherwise (02), or did not have the ARes (03).
    @Test(arguments: ["01", "02", "03"])
    func `is noted whatever its status is`(_ status: String) async throws {
        world.directory.respond(withStatus: status)
        try await world.work()
        #expect(try await sdk.request()["transStatus"]?.text == "Y")
        try await expectNoted(["RRes", status])
    }

    @Test(arguments: ["101", "203", "301", "312", "402", "404", "405", "999"])
    func `ends the delivery if it is an error that is not transient`(
        _ code: String
    ) async throws {
        world.directory.respond(withError: code)
        try await expectRefused(code)
        #expect(try await world.service.sendAgain(sdk.acsTransID) == .notGivenUp(.refused))
    }

    /// The directory would not find out about a fault in its error message, so the code counts.
    @Test(
        arguments: [
            ["errorDetail": .string("")], ["messageVersion": .string("2.1.0")],
            ["messageVersion": nil, "errorComponent": .string("X")],
            ["errorDescription": .array([]), "dsTransID": nil],
        ] as [[String: JSONValue?]]
    )
    func `ends the delivery if it is an error with a fault of its own`(
        _ changes: [String: JSONValue?]
    ) async throws {
        world.directory.respond(withError: "203", changes)
        try await expectRefused("203")
    }

    @Test func `ends the delivery if it is an error with an HTTP status of a failure`()
        async throws
    {
        let error = """
            {"messageType":"Erro","messageVersion":"2.2.0","acsTransID":"\(sdk.acsTransID)",\
            "errorCode":"305","errorComponent":"D","errorDescription":"a","errorDetail":"a"}
            """
        world.directory.respond(
            with: .failure(.init("status 500", body: Array(error.utf8)))
        )
        try await expectRefused("305")
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
        #expect(try await world.service.sendAgain(sdk.acsTransID) == .refused(code: "303"))
        #expect(try await world.service.sendAgain(sdk.acsTransID) == .notGivenUp(.refused))
    }

    /// A status of a failure comes from a proxy, if it has no message.
    @Test(
        arguments: [
            .init("the connection failed"), .init("status 503"),
            .init("status 502", body: Array("<html>Bad gateway</html>".utf8)),
        ] as [ServedDirectory.ResultFailure]
    )
    func `brings the result again if it is missing`(
        _ failure: ServedDirectory.ResultFailure
    ) async throws {
        world.directory.respond(with: .failure(failure))
        try await expectRepetition()
    }

    @Test func `brings the result again if it is the error 403`() async throws {
        world.directory.respond(withError: "403")
        try await expectRepetition()
    }

    private func expectRepetition() async throws {
        try await workOn()
        #expect(world.directory.results.count > 2)
        world.directory.respond(with: nil)
        world.directory.respond(withError: nil)
        try await workOn()
        let count = world.directory.results.count
        try await workOn()
        #expect(world.directory.results.count == count)
        #expect(Set(world.directory.results.map { $0["transStatus"]?.text }) == ["Y"])
        #expect(world.refusals == [] && world.directory.errors.isEmpty)
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

extension IssuerWorld {
    /// The details of all records of a step.
    func records(_ step: IssuerRecord.Step) async throws -> [[String]] {
        let store = store
        let page = try await database.read { connection throws(StoreFailure) in
            try store.records(connection).records(after: .start, limit: 100)
        }
        return page.records.map(\.record).filter { $0.step == step }.map(\.details)
    }

    /// The state of a challenge as operators see it.
    func state(of id: String) async throws -> ChallengeView.State? {
        let store = store
        return try await database.read { connection throws(StoreFailure) in
            try store.challenges(connection).challenge(id)?.state
        }
    }
}
