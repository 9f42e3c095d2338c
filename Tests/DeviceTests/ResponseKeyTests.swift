import StoreTesting
import Testing
import VerifierWorld

@testable import AuthenticationHandler

@Suite(.onAnyStore) struct `A response key that a device does not have` {
    private var world: World

    init() async throws {
        world = try await World()
        try await world.activate()
    }

    /// As the documents state: the person removes the account and activates it again.
    @Test mutating func `is repaired by a deletion and a new activation`() async throws {
        try world.replaceResponseKey()
        let failure = await error { try await world.app().profile() }
        #expect(failure?.trustFailure == .response)
        let refused = await error { try await world.activate() }
        #expect(refused?.trustFailure == .response)
        let deletion = try await world.app().deleteAccount(.named("4711"))
        guard case .localOnly(let unverified) = deletion else { throw Bank.Unexpected() }
        #expect(unverified.trustFailure == .response)
        try await world.activate()
        _ = try await world.app().logIn(with: .pin(.typed(World.pin)))
        #expect(try await world.bank.devices().count == 1)
    }

    /// The attacker responds to the status request, and has none of the app's keys.
    @Test func `is not simulated by an attacker on the network`() async throws {
        let letter = try await world.bank.letter(for: "4711")
        world.line.fail(.status, by: .responseForged)
        let failure = await error {
            try await world.app().verifyActivation(try world.activation(by: letter))
        }
        #expect(failure?.trustFailure == .response)
        world.line.mend()
        _ = try await world.app().logIn(with: .pin(.typed(World.pin)))
    }
}
