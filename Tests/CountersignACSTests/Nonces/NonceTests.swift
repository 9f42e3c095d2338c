import Foundation
import PrivateFiles
import TestSupport
import Testing

/// Many challenges at the same time, whose ACS is killed in the middle of the traffic.
@Suite(.timeLimit(.minutes(20))) struct `SEC-80: The responses of an ACS that is killed` {
    /// Each with a store of its own.
    private static let parts = Proof.isComplete ? 5 : 1
    private static let challenges = Proof.isComplete ? 2000 : 60
    private static let apps = Proof.isComplete ? 64 : 20
    /// The mean number of challenges between two kills.
    private static let challengesOfLife = Proof.isComplete ? 32 : 15

    /// The longest time of a message, in microseconds.
    private static let longest: UInt64 = 15_000

    @Test func `use no nonce for two texts under one key`() async throws {
        var random = SeededGenerator(seed: 80)
        var (kills, sealed) = (0, 0)
        // A clock that is set ahead makes the test short, but many kills would end challenges.
        let machine = Proof.isComplete ? nil : try FaultyMachine()
        let cards = (0..<Self.challenges).map(CardFolder.number)
        for _ in 0..<Self.parts {
            let acs = try await KilledACS(cards: cards, on: machine)
            let responses = SealedResponses()
            kills += try await traffic(at: acs, noting: responses, &random)
            sealed += responses.count
            try await acs.stop()
        }
        #expect(sealed >= Self.parts * Self.challenges)
        #expect(kills >= Self.parts * Self.challenges / Self.challengesOfLife / 2)
    }

    /// Returns how often the ACS was killed.
    private func traffic(
        at acs: KilledACS,
        noting responses: SealedResponses,
        _ random: inout SeededGenerator
    ) async throws -> Int {
        let left = LockedValue(Array(0..<Self.challenges))
        let late = LockedValue(0)
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let seed = Int.random(in: 0..<1 << 32, using: &random)
        async let apps: Void = {
            defer { begin.finish() }
            try await withThrowingTaskGroup { group in
                for _ in 0..<Self.apps {
                    group.addTask {
                        while let number = left.withLock({ $0.popLast() }) {
                            begin.yield()
                            let random = SeededGenerator(seed: seed + number)
                            let isInTime = try await Self.complete(
                                number,
                                at: acs,
                                noting: responses,
                                random
                            )
                            if !isInTime { late.withLock { $0 += 1 } }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }()
        let kills = try await kill(acs, after: begun, &random)
        try await apps
        #expect(late.withLock { $0 } <= Self.challenges / 2)
        // Otherwise the kills were between the messages.
        #expect(acs.cutRequests >= kills)
        return kills
    }

    /// Returns false if a challenge is late: on a busy machine, more than one kill sets its clock.
    private static func complete(
        _ number: Int,
        at acs: KilledACS,
        noting responses: SealedResponses,
        _ random: SeededGenerator
    ) async throws -> Bool {
        do {
            let card = CardFolder.number(number)
            var challenge = try await AppChallenge(with: card, at: acs, noting: responses, random)
            try await challenge.complete()
        } catch let refusal as AppChallenge.Refusal {
            if refusal.response.contains(#""errorCode":"402""#) { return false }
            // The other challenges show whether it is more than a lost one.
            Issue.record("refused: \(refusal.response)")
        }
        return true
    }

    /// Kills the ACS after a random number of challenges, and returns how often.
    private func kill(
        _ acs: KilledACS,
        after challenges: AsyncStream<Void>,
        _ random: inout SeededGenerator
    ) async throws -> Int {
        var kills = 0
        var left = Self.challengesOfLife
        for await _ in challenges {
            left -= 1
            guard left == 0 else { continue }
            left = Int.random(in: 1..<Self.challengesOfLife * 2, using: &random)
            // The moment of the kill, which nothing waits for.
            usleep(useconds_t(UInt64.random(in: 0..<Self.longest, using: &random)))
            try await acs.crash()
            kills += 1
        }
        return kills
    }
}
