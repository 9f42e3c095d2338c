import Storage
import StrictJSON
import TestSupport
import Testing
import ThreeDSProtocol

@testable import ThreeDSIssuer

/// A directory server could otherwise find out which numbers are cards of customers.
@Suite(.onAnyStore) struct `SEC-85: An AReq for a card that cannot be used` {
    private enum Kind: CaseIterable {
        case unknown, blocked, unready

        var reason: String {
            switch self {
            case .unknown: "08"
            case .blocked: "12"
            case .unready: "13"
            }
        }

        var number: String {
            switch self {
            case .unknown: "4000051111111118"
            case .blocked: "4000057777777777"
            case .unready: SampleRequest.number
            }
        }
    }

    private static let samples = 40

    private let world: IssuerWorld

    init() async throws {
        world = try await IssuerWorld()
        try await world.addCard()
        try await world.addCard(Kind.blocked.number, named: "card-2", isBlocked: true)
        world.verifier.set(readiness: #"{"ready":false,"muted":false,"authentication":[]}"#)
    }

    private func send(_ kind: Kind, _ number: Int) async throws -> [UInt8] {
        let id = "\"4317fdc3-ad24-5443-8000-0000000\(10_000 + number)\""
        let changes = ["acctNumber": "\"\(kind.number)\"", "dsTransID": id]
        return try #require(
            try await world.send(SampleRequest(.twoTwo, .browser, .payment, changes))
        )
    }

    /// How many steps the store has recorded, and how many authentications it has.
    private func written() async throws -> [Int] {
        let store = world.store
        return try await world.database.read { connection throws(StoreFailure) in
            let records = try store.records(connection).records(after: .start, limit: 100)
            let states = try store.authentications(connection).states(after: nil, limit: 100)
            return [records.records.count, states.rows.count]
        }
    }

    @Test func `takes the same calls and writes, and has an ARes of the same length`()
        async throws
    {
        var lengths: Set<Int> = []
        for (number, kind) in Kind.allCases.enumerated() {
            let count = world.verifier.calls.count
            let response = try await send(kind, number)
            let members = try JSONValue(reading: response, limits: .message)
            #expect(members["transStatus"]?.text == "N")
            #expect(members["transStatusReason"]?.text == kind.reason)
            lengths.insert(response.count)
            let calls = world.verifier.calls.dropFirst(count)
            #expect(calls.count == 1)
            #expect(calls.allSatisfy { $0.hasSuffix("/readiness?source=cards") })
            #expect(try await written() == [number + 1, number + 1])
        }
        #expect(lengths.count == 1, "\(lengths)")
    }

    @Test func `takes a similar time`() async throws {
        var times: [Kind: [Duration]] = [:]
        var random = SeededGenerator(seed: 85)
        var number = 0
        // In a random order, so that other work on the machine delays all kinds.
        for _ in 0..<Self.samples {
            for kind in Kind.allCases.shuffled(using: &random) {
                let start = ContinuousClock.now
                _ = try await send(kind, number)
                times[kind, default: []].append(ContinuousClock.now - start)
                number += 1
            }
        }
        let medians = times.values.map { $0.sorted()[Self.samples / 2] }
        let (least, most) = (try #require(medians.min()), try #require(medians.max()))
        // The writes are counted above: this finds work that only some of them have.
        #expect(most < least * 3, "\(times.mapValues { $0.sorted()[Self.samples / 2] })")
    }
}
