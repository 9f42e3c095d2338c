import AuthenticationHandler
import OneTimePassword
import Sealing
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

/// A real process that is killed (signal 9) before each of its writes, one after the other.
@Suite(.timeLimit(.minutes(5))) struct `A device that is killed at any write` {
    /// Kills the work before each write, until it completes.
    private func forEachWrite(
        _ work: (Int) async throws -> (output: [String], isKilled: Bool),
        _ check: (_ output: [String], _ writes: Int) async throws -> Void
    ) async throws {
        for writes in 0..<100 {
            let run = try await work(writes)
            try await check(run.output, writes)
            guard run.isKilled else {
                #expect(writes > 4, "there are not so few writes")
                return
            }
        }
        Issue.record("the work never completed")
    }

    /// Each counter was in one message, which may have been sent again.
    private func expectNoCodeTwice(in world: World) {
        let codes = world.line.codes
        let attempts = Dictionary(grouping: codes) { $0.counter.value }.mapValues { codes in
            Set(codes.map(\.attempt.description)).count
        }
        #expect(attempts.values.allSatisfy { $0 == 1 })
        #expect(attempts.count > 2)
    }

    @Test func `has no account or a complete one, and the same code activates it`() async throws {
        var world = try await World()
        var letter = try await world.bank.letter(for: "4711")
        try await forEachWrite { writes in
            world = try await World()
            letter = try await world.bank.letter(for: "4711")
            let keys = try world.trustedKeys
            return try await world.run(
                killedAfter: writes,
                "activate",
                letter.id,
                String(decoding: letter.code, as: UTF8.self),
                World.origin,
                keys.agreement,
                keys.signing,
                World.pin
            )
        } _: { _, writes in
            #expect(try await world.app().oldest() == nil)
            if try await world.app().accounts() == [] {
                #expect(try await world.activate(by: letter).map(\.outcome) == [.enrolled])
            }
            _ = try await world.app().logIn(with: .pin(.typed(World.pin)))
            #expect(try await world.bank.devices().count == 1, "after \(writes) writes")
        }
    }

    @Test func `approves once and sends no code twice`() async throws {
        let world = try await World()
        try await world.activate()
        var id = ""
        try await forEachWrite { writes in
            world.bank.clock.advance(by: .seconds(150))
            id = try await world.bank.request().id
            return try await world.run(killedAfter: writes, "approve", World.pin)
        } _: { _, writes in
            if let waiting = try await world.app().oldest() {
                try await world.app().approve(waiting, with: .pin(.typed(World.pin)))
            }
            #expect(try await world.bank.outcome(of: id) == "approved by userPIN")
            #expect(try await world.bank.approvals() == writes + 1)
        }
        #expect(try await world.bank.refusedCodes() == 0)
        expectNoCodeTwice(in: world)
    }

    @Test func `has one valid PIN, the old or the new one`() async throws {
        let world = try await World()
        try await world.activate()
        var (old, new) = (World.pin, World.newPIN)
        try await forEachWrite { writes in
            // All wrong PINs of this test would be too many for one month.
            world.bank.clock.advance(by: .seconds(31 * 86_400))
            return try await world.run(killedAfter: writes, "change", old, new)
        } _: { _, writes in
            let good = await isGood(new, in: world) ? new : old
            let bad = good == new ? old : new
            let isOneGood = await isGood(good, in: world)
            let isOtherGood = await isGood(bad, in: world)
            #expect(isOneGood && !isOtherGood, "after \(writes) writes")
            _ = try await world.app().changePIN(from: .typed(good), to: .typed(bad))
            (old, new) = (bad, good)
            #expect(await isGood(old, in: world))
        }
        expectNoCodeTwice(in: world)
    }

    private func isGood(_ pin: String, in world: World) async -> Bool {
        await error { try await world.app().logIn(with: .pin(.typed(pin))) } == nil
    }

    @Test func `shows no code twice`() async throws {
        let world = try await World()
        try await world.activate()
        var codes: [String] = []
        try await forEachWrite { writes in
            try await world.run(killedAfter: writes, "code", World.pin)
        } _: { output, _ in
            codes += output
            codes.append(try await world.app().oneTimeCode(pin: .typed(World.pin)).text)
        }
        #expect(codes.count > 4)
        #expect(Set(codes).count == codes.count)
        #expect(try await world.bank.takes(typed: codes.last.unwrapped()))
    }
}
