import Storage
import StrictJSON
import Testing
import ThreeDSProtocol
import Transactions

@testable import ThreeDSIssuer

/// The clock of an ACS was ahead for a while, and is corrected.
@Suite(.onAnyStore) struct `An ACS after the correction of its clock` {
    private static let lead = 7200

    private static func changes(_ number: Int) -> [String: String?] {
        ["dsTransID": #""4317fdc3-ad24-5443-8000-000000000\#(100 + number)""#]
    }

    private static let decoupled: [String: String?] = [
        "threeDSRequestorDecReqInd": #""Y""#, "threeDSRequestorDecMaxTime": #""10080""#,
    ]

    /// The status of the response to a purchase in a browser.
    private func status(
        _ number: Int,
        in world: IssuerWorld,
        _ changes: [String: String?] = [:]
    ) async throws -> String? {
        let all = Self.changes(number).merging(changes) { $1 }
        let answer = try await world.answer(SampleRequest(.twoTwo, .browser, .payment, all))
        return answer["transStatus"]?.text
    }

    /// A result that the directory did not get while the clock was ahead by so many seconds.
    private func undelivered(ahead seconds: Int) async throws -> IssuerWorld {
        let world = try await IssuerWorld()
        try await world.addCard()
        world.advance(seconds: seconds)
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        world.directory.set(isReachable: false)
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        world.directory.set(isReachable: true)
        world.setBack(seconds: seconds)
        try await world.work()
        return world
    }

    @Test func `sends the results of that time`() async throws {
        let world = try await undelivered(ahead: Self.lead)
        #expect(world.directory.results.map { $0["transStatus"]?.text } == ["Y"])
    }

    /// The clocks of two nodes can differ by so much.
    @Test func `lets a result wait that is a few seconds ahead`() async throws {
        let world = try await undelivered(ahead: 40)
        #expect(world.directory.results.isEmpty)
        world.advance(seconds: 40)
        try await world.work()
        #expect(world.directory.results.count == 1)
    }

    @Test func `ends challenges of that time without a first CReq after 30 seconds`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        world.advance(seconds: Self.lead)
        for number in 0..<3 { #expect(try await status(number, in: world) == "C") }
        world.setBack(seconds: Self.lead)
        try await world.work()
        #expect(try await status(3, in: world) == "N")
        world.advance(seconds: 30)
        try await world.work()
        #expect(try await status(4, in: world) == "C")
    }

    @Test func `ends challenges of that time without a decision after 10 minutes`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        world.advance(seconds: Self.lead)
        _ = try await ModelSDK(in: world).request()
        world.setBack(seconds: Self.lead)
        try await world.work()
        world.advance(seconds: 599)
        for _ in 0..<3 { try await world.work() }
        #expect(world.directory.results.isEmpty)
        world.advance(seconds: 1)
        for _ in 0..<3 { try await world.work() }
        #expect(world.directory.results.map { $0["transStatusReason"]?.text } == ["14"])
    }

    @Test func `goes on with a purchase of that time`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        world.advance(seconds: Self.lead)
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        world.setBack(seconds: Self.lead)
        try await world.work()
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        #expect(try await sdk.request()["transStatus"]?.text == "Y")
    }

    @Test func `orders the transactions of that time, with pauses after failures`() async throws {
        let world = try await IssuerWorld { $0.offersDecoupled = true }
        try await world.addCard()
        world.advance(seconds: Self.lead)
        world.verifier.refuse("/transactions", with: "unauthorized")
        #expect(try await status(0, in: world, Self.decoupled) == "D")
        try await world.work()
        world.setBack(seconds: Self.lead)
        var times: [Int] = []
        for second in 0..<60 {
            let count = world.verifier.calls.count
            try await world.work()
            if world.verifier.calls.count > count { times.append(second) }
            world.advance(seconds: 1)
        }
        #expect(times == [0, 5, 10, 15, 23, 35, 53])
        world.verifier.refuse("/transactions", with: nil)
        world.advance(seconds: 60)
        try await world.work()
        let id = try #require(try await challenge(in: world))
        world.verifier.approve(id)
        try await world.work()
        #expect(world.directory.results.map { $0["transStatus"]?.text } == ["Y"])
    }

    /// The identifier of the only challenge.
    private func challenge(in world: IssuerWorld) async throws -> String? {
        let store = world.store
        return try await world.database.read { connection throws(StoreFailure) in
            try store.challenges(connection).challenges(after: nil, limit: 2).elements.first?
                .id
        }
    }

    @Test func `sends events that are further ahead than the longest pause`() async throws {
        let world = try await IssuerWorld()
        let (store, now) = (world.store, world.service.clock())
        for (id, minutes) in [("near", 60), ("far", 62)] {
            let event = StoredEvent(of: id, [], at: now + .seconds(minutes * 60))
            try await world.database.write { connection throws(StoreFailure) in
                try store.events(connection).add(event)
            }
        }
        func due(at moment: Timestamp) async throws -> [String] {
            try await world.database.read { connection throws(StoreFailure) in
                let table = store.events(connection)
                guard try table.hasDue(at: moment) else { return [] }
                return try table.due(at: moment, after: .start, limit: 9).elements
                    .map(\.authentication)
            }
        }
        #expect(try await due(at: now) == ["far"])
        #expect(try await due(at: now + .seconds(2 * 60)) == [])
        #expect(try await due(at: now + .seconds(62 * 60)) == ["near", "far"])
    }
}
