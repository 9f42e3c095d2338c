import Foundation
import StrictJSON
import Testing
import ThreeDSProtocol

@testable import ThreeDSIssuer

@Suite(.onAnyStore) struct `The challenges of the issuer's API` {
    private static let challenges = "/acs/v1/challenges"
    private let client: IssuerClient

    init() async throws {
        client = try IssuerClient(try await IssuerWorld())
        try await client.world.addCard()
    }

    /// Begins a challenge, and returns its acsTransID.
    private func begin(_ number: Int, ends: Bool = false) async throws -> String {
        let id = #""4317fdc3-ad24-5443-8000-0000000\#(10_000 + number)""#
        let response = try await client.world.answer(
            SampleRequest(.twoTwo, .browser, .payment, ["dsTransID": id])
        )
        // Without its first CReq it ends, so the card can have more of them.
        client.world.advance(seconds: ends ? 31 : 1)
        try await client.world.work()
        return try #require(response["acsTransID"]?.text)
    }

    private func ids(_ query: String = "") async throws -> (ids: [String], next: String?) {
        let reply = await client.call("GET", Self.challenges + query)
        #expect(reply.status == 200, "\(reply.text)")
        let found = try #require(reply["challenges"] as? [[String: Any]])
        return (found.compactMap { $0["acsTransID"] as? String }, reply["next"] as? String)
    }

    @Test func `are shown with identifiers, states and times only`() async throws {
        let world = client.world
        let sdk = try await ModelSDK(in: world)
        _ = try await sdk.request()
        let path = "\(Self.challenges)/\(sdk.acsTransID)"
        let asked = await client.call("GET", path)
        #expect(asked["state"] as? String == "asked" && asked["status"] == nil)
        #expect(asked["transaction"] as? String == world.verifier.transaction(sdk.acsTransID))
        world.verifier.end(sdk.acsTransID, as: #""state":"rejected","rejectedFor":"notMe""#)
        try await world.work()
        // Letters of either case name the same challenge.
        let upper = "\(Self.challenges)/\(sdk.acsTransID.uppercased())"
        let decided = await client.call("GET", upper)
        #expect(decided["state"] as? String == "reported", "\(decided.text)")
        #expect(decided["status"] as? String == "N" && decided["reason"] as? String == "11")
        #expect(decided["card"] as? String == "card-1")
        #expect(decided["created"] as? String == "2026-11-18T11:06:40.000Z")
        #expect(decided["decided"] as? String == decided["created"] as? String)
        let secrets = [SampleRequest.number, "5556", "4711", "CoffeeHouse", "shop.example"]
        // Its digits are random.
        let shown = decided.text.replacing(sdk.acsTransID, with: "")
        for secret in secrets { #expect(!shown.contains(secret), "\(secret)") }
        let list = await client.call("GET", Self.challenges)
        #expect(list.text == #"{"challenges":[\#(decided.text)]}"#)
    }

    @Test func `are unknown under other identifiers`() async throws {
        for id in ["x", "2f37539c-d82e-4929-88db-2f9e72c7fa62"] {
            let reply = await client.call("GET", "\(Self.challenges)/\(id)")
            #expect(reply.status == 404 && reply["resource"] as? String == "challenge")
        }
    }

    @Test func `are listed newest first, a page at a time`() async throws {
        var made: [String] = []
        for number in 0..<7 { made.append(try await begin(number, ends: true)) }
        made.reverse()
        #expect(try await ids().ids == made)
        let first = try await ids("?limit=3")
        #expect(first.ids == Array(made[..<3]))
        let second = try await ids("?limit=3&before=\(try #require(first.next))")
        #expect(second.ids == Array(made[3..<6]))
        // A challenge that begins meanwhile moves no page.
        _ = try await begin(8, ends: true)
        let last = try await ids("?limit=3&before=\(try #require(second.next))")
        #expect(last.ids == [made[6]] && last.next == nil)
        for cursor in ["x", "1-", "-1-\(made[0])", "01-\(made[0])"] {
            #expect(await client.call("GET", Self.challenges + "?before=\(cursor)").status == 400)
        }
    }

    @Test func `are filtered by state and card`() async throws {
        let promised = try await begin(1)
        let ended = try await begin(2)
        let sdk = try await ModelSDK(in: client.world)
        _ = try await sdk.request()
        client.world.verifier.approve(sdk.acsTransID)
        try await client.world.work()
        #expect(try await ids("?state=promised").ids == [ended, promised])
        #expect(try await ids("?state=reported").ids == [sdk.acsTransID])
        #expect(try await ids("?state=givenUp").ids == [])
        #expect(try await ids("?card=card-1").ids.count == 3)
        #expect(try await ids("?card=card-1&state=promised&limit=1").ids == [ended])
        #expect(try await ids("?card=card-2").ids == [])
        #expect(await client.call("GET", Self.challenges + "?state=other").status == 400)
    }
}
