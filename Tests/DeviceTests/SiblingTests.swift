import AuthenticationHandler
import StoreTesting
import Testing
import VerifierWorld

@Suite(.onAnyStore) struct `An installation that activates a further account` {
    private let world: World

    init() async throws {
        world = try await World()
        try await world.activate()
        _ = try await world.bank.addAccount("4712")
    }

    private func guess(at id: String) async throws -> AuthenticationError? {
        await error {
            try await world.app().logIn(with: .pin(.typed(World.wrongPIN)), for: .named(id))
        }
    }

    @Test func `SEC-108: counts the wrong PINs of all its accounts together`() async throws {
        try await world.activate("4712")
        for (left, id) in [(4, "4711"), (3, "4712"), (2, "4711"), (1, "4712")] {
            #expect(try await guess(at: id)?.attemptsLeft == left)
        }
        #expect(try await guess(at: "4711")?.code == .credentialLocked)
        #expect(try await guess(at: "4712")?.code == .credentialLocked)
    }

    @Test func `SEC-108: joins the count again after it deleted the first account`() async throws {
        try await world.activate("4712")
        _ = try await world.app().deleteAccount(.named("4711"))
        _ = try await guess(at: "4712")
        try await world.activate("4711")
        // The PIN check of the activation was right, and cleared the count.
        #expect(try await guess(at: "4711")?.attemptsLeft == 4)
        #expect(try await guess(at: "4712")?.attemptsLeft == 3)
    }

    @Test func `SEC-108: joins the count of another account after the bank revoked one`()
        async throws
    {
        try await world.activate("4712")
        _ = try await world.bank.addAccount("4713")
        try await world.bank.revokeDevice()
        try await world.activate("4713")
        #expect(try await guess(at: "4712")?.attemptsLeft == 4)
        #expect(try await guess(at: "4713")?.attemptsLeft == 3)
    }

    /// The response to the check is lost, and the device proves the PIN again.
    @Test func `SEC-108: joins the count after a lost response`() async throws {
        let app = try world.app()
        let verified = try await app.verifyActivation(try await world.activation(of: "4712"))
        world.line.fail(.pinCheck, by: .responseLost, after: 0)
        _ = await error { try await app.setPIN(.typed(World.pin), for: verified) }
        world.line.mend()
        #expect(try await app.setPIN(.typed(World.pin), for: verified).count == 1)
        _ = try await guess(at: "4711")
        #expect(try await guess(at: "4712")?.attemptsLeft == 3)
    }

    /// An account with an unknown result could not be named as a sibling.
    ///
    /// A second activation of the same account would have a second count.
    @Test func `SEC-108: waits for the result of an earlier activation`() async throws {
        let world = try await World()
        _ = try await world.bank.addAccount("4712")
        world.line.fail(.activationCommit, by: .responseLost)
        _ = await error { try await world.activate() }
        world.line.mend()
        world.line.fail(.status, by: .requestLost)
        for id in ["4712", "4711"] {
            let waiting = await error { try await world.activate(id) }
            #expect(waiting?.code == .networkUnavailable)
        }
        #expect(try await world.bank.devices(of: "4712") == [])
        #expect(try await world.bank.devices(of: "4711").count == 1)
        world.line.mend()
        try await world.activate("4712")
        for (left, id) in [(4, "4711"), (3, "4712")] {
            let failure = await error {
                try await world.app().logIn(with: .pin(.typed(World.wrongPIN)), for: .named(id))
            }
            #expect(failure?.attemptsLeft == left)
        }
    }

    @Test func `SEC-108: enrols nothing with a wrong PIN`() async throws {
        let failure = await error { try await world.activate("4712", pin: World.wrongPIN) }
        #expect(failure?.code == .authenticationFailed)
        #expect(try await world.bank.devices(of: "4712") == [])
    }
}
