import PrivateFiles
import StrictJSON
import Testing
import ThreeDSProtocol
import Transactions

@testable import ThreeDSIssuer

@Suite(.onEveryStore) struct `SEC-98: Challenges without a result` {
    private static let otherCard = "4000057777777777"

    /// The status and the reason of the response to a purchase with an identifier of its own.
    private func outcome(
        _ number: Int,
        in world: IssuerWorld,
        _ changes: [String: String?] = [:]
    ) async throws -> String {
        let own: [String: String?] = ["dsTransID": Self.identifier(number)]
        let answer = try await world.answer(
            SampleRequest(.twoTwo, .browser, .payment, own.merging(changes) { $1 })
        )
        let status = try #require(answer["transStatus"]?.text)
        return [status, answer["transStatusReason"]?.text].compactMap { $0 }
            .joined(separator: "/")
    }

    private static func identifier(_ number: Int) -> String {
        #""4317fdc3-ad24-5443-8000-000000000\#(100 + number)""#
    }

    /// The count of each outcome of purchases that come at the same time.
    private func outcomes(
        _ numbers: Range<Int>,
        in world: IssuerWorld,
        _ changes: [String: String?] = [:]
    ) async throws -> [String: Int] {
        try await withThrowingTaskGroup { group in
            for number in numbers {
                group.addTask { try await outcome(number, in: world, changes) }
            }
            return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
    }

    @Test func `are at most 3 of a card, also if 100 come at the same time`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        try await world.addCard(Self.otherCard, named: "card-2")
        #expect(try await outcomes(0..<100, in: world) == ["C": 3, "N/04": 97])
        // Another card has challenges of its own.
        let other = ["acctNumber": #""\#(Self.otherCard)""#]
        #expect(try await outcomes(100..<104, in: world, other) == ["C": 3, "N/04": 1])
    }

    @Test func `count without their first CReq for 30 seconds`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        #expect(try await outcomes(0..<4, in: world) == ["C": 3, "N/04": 1])
        world.advance(seconds: 29)
        try await world.work()
        #expect(try await outcome(4, in: world) == "N/04")
        world.advance(seconds: 1)
        try await world.work()
        #expect(try await outcomes(5..<9, in: world) == ["C": 3, "N/04": 1])
    }

    @Test func `count until the person has decided`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let sdk = try await ModelSDK(in: world)
        #expect(try await outcomes(0..<3, in: world) == ["C": 2, "N/04": 1])
        _ = try await sdk.request()
        #expect(try await outcome(3, in: world) == "N/04")
        // The directory does not have the result yet.
        world.directory.set(isReachable: false)
        world.verifier.approve(sdk.acsTransID)
        try await world.work()
        #expect(try await outcomes(4..<6, in: world) == ["C": 1, "N/04": 1])
    }

    @Test func `are at most as many as configured, of all cards together`() async throws {
        let world = try await IssuerWorld { $0.maximumLiveChallenges = 4 }
        try await world.addCard()
        try await world.addCard(Self.otherCard, named: "card-2")
        let other = ["acctNumber": #""\#(Self.otherCard)""#]
        #expect(try await outcomes(0..<3, in: world) == ["C": 3])
        #expect(try await outcomes(3..<20, in: world, other) == ["C": 1, "U/22": 16])
        // A repeated request gets its challenge again.
        #expect(try await outcome(0, in: world) == "C")
    }

    private static let decoupled: [String: String?] = [
        "threeDSRequestorDecReqInd": #""Y""#, "threeDSRequestorDecMaxTime": #""10080""#,
    ]

    @Test func `leave a place of the card to a shopper who waits, if they are decoupled`()
        async throws
    {
        let world = try await IssuerWorld { $0.offersDecoupled = true }
        try await world.addCard()
        #expect(try await outcomes(0..<3, in: world, Self.decoupled) == ["D": 2, "N/04": 1])
        #expect(try await outcome(3, in: world) == "C")
        #expect(try await outcome(4, in: world) == "N/04")
    }

    @Test func `leave half of all places to shoppers who wait, if they are decoupled`()
        async throws
    {
        let world = try await IssuerWorld {
            $0.offersDecoupled = true
            $0.maximumLiveChallenges = 4
        }
        let cards = (0..<5).map { "400005777777777\($0)" }
        for (index, card) in cards.enumerated() {
            try await world.addCard(card, named: "card-\(index)")
        }
        func outcome(_ index: Int, _ changes: [String: String?]) async throws -> String {
            let card: [String: String?] = ["acctNumber": "\"\(cards[index])\""]
            return try await self.outcome(index, in: world, changes.merging(card) { $1 })
        }
        var found: [String] = []
        for index in 0..<3 { found.append(try await outcome(index, Self.decoupled)) }
        for index in 3..<5 { found.append(try await outcome(index, [:])) }
        #expect(found == ["D", "D", "U/22", "C", "C"])
    }

    @Test func `are counted again after a moment, near the maximum, and at an earlier time`() {
        let time = LockedValue<UInt64>(1000)
        let count = LiveCount { Timestamp(milliseconds: time.withLock { $0 }) ?? .earliest }
        var settings = IssuerSettings()
        func value(at now: UInt64) -> Int? {
            time.withLock { $0 = now }
            return count.value(for: settings)
        }
        #expect(value(at: 1000) == nil)
        count.note(LiveChallenges(ofCard: 1, ofACS: 7))
        #expect(value(at: 1000) == 7 && value(at: 1099) == 7)
        #expect(value(at: 1100) == nil && value(at: 999) == nil)
        settings.maximumLiveChallenges = 1007
        #expect(value(at: 1000) == nil)
    }
}
