import Storage
import StrictJSON
import TestSupport
import Testing
import ThreeDSProtocol

@testable import ThreeDSIssuer

@Suite(.onAnyStore, .timeLimit(.minutes(5))) struct `SEC-81: The key of a challenge` {
    private let world: IssuerWorld
    private let sdk: ModelSDK

    init() async throws {
        world = try await IssuerWorld()
        try await world.addCard()
        sdk = try await ModelSDK(in: world)
    }

    /// The number of keys in the store.
    private func keys(in world: IssuerWorld) async throws -> Int64 {
        try await world.database.read { connection throws(StoreFailure) in
            guard let row = try connection.rows(.keys, []).first else { throw .misuse }
            return try row.integer(.count)
        }
    }

    private func expect(_ count: Int64, _ location: SourceLocation = #_sourceLocation)
        async throws
    {
        #expect(try await keys(in: world) == count, sourceLocation: location)
    }

    @Test func `is erased with the last response`() async throws {
        try await expect(1)
        _ = try await sdk.request()
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        try await expect(1)
        #expect(try await sdk.request()["transStatus"]?.text == "Y")
        try await expect(0)
    }

    @Test func `is erased with the last response after a cancellation`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        async let last = sdk.request([("challengeCancel", .string("01"))])
        while world.directory.results.isEmpty { try await world.work() }
        #expect(try await last["transStatus"]?.text == "N")
        #expect(try await keys(in: world) == 0)
    }

    @Test func `is erased without a first request after 30 seconds`() async throws {
        world.advance(seconds: 29)
        try await world.service.readClocks()
        try await expect(1)
        world.advance(seconds: 1)
        try await world.service.readClocks()
        try await expect(0)
        #expect(world.directory.results.isEmpty)
    }

    @Test(arguments: [false, true])
    func `is erased ten minutes after a page`(_ isApproved: Bool) async throws {
        _ = try await sdk.request()
        if isApproved {
            world.verifier.approve(sdk.acsTransID)
            try await world.work()
        }
        world.advance(seconds: 599)
        try await world.service.readClocks()
        try await expect(1)
        world.advance(seconds: 1)
        try await world.service.readClocks()
        try await expect(0)
    }

    @Test func `is erased after a message that was changed`() async throws {
        var body = try sdk.sealed()
        let place = body.count - 5
        body[place] = body[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        _ = try await sdk.response(to: body)
        try await expect(0)
    }

    @Test func `is erased at the next start if its time is over`() async throws {
        _ = try await sdk.request()
        world.advance(seconds: 600)
        let next = try await IssuerWorld(restarting: world)
        #expect(try await keys(in: next) == 1)
        let work = Task { await next.service.run() }
        try await waitUntil { try await keys(in: next) == 0 }
        work.cancel()
        await work.value
    }

    @Test func `is not made for a browser`() async throws {
        let id = #""4317fdc3-ad24-5443-8000-000000000892""#
        let request = SampleRequest(.twoTwo, .browser, .payment, ["dsTransID": id])
        #expect(try await world.answer(request)["transStatus"]?.text == "C")
        try await expect(1)
    }
}

extension Statement {
    fileprivate static let keys = Statement(
        """
        SELECT \(.count, from: "COUNT(*)") FROM authentications WHERE sealed_key IS NOT NULL
        """
    )
}
