import AuthenticationHandler
import StoreTesting
import TestSupport
import Testing
import VerifierWorld

@Suite(.onAnyStore) struct `A new device at a verifier` {
    @Test func `SEC-117: gets the end of its wait, can reject, and an earlier device approves`()
        async throws
    {
        let world = try await World(policy: Bank.waitingPolicy)
        try await world.activate()
        world.bank.clock.advance(by: .seconds(1))
        let thief = try World(at: world.bank)
        try await thief.activate()
        let end = world.bank.clock.now + .seconds(24 * 60 * 60)
        let (first, second) = (try await thief.shown(), try await thief.shown())
        let failure = await error {
            try await thief.app().approve(first, with: .pin(.typed(World.pin)))
        }
        #expect(failure?.code == .deviceWaiting)
        #expect(failure?.waitsUntil == end)
        #expect(try await world.bank.outcome(of: first.id) == "pending")
        try await thief.app().reject(second)
        let shown = try await world.app().pendingTransactions().transactions
        #expect(shown.map(\.id) == [first.id])
        try await world.app().approve(shown[0], with: .pin(.typed(World.pin)))
        #expect(try await world.bank.outcome(of: first.id) == "approved by userPIN")
    }
}
