import Cryptography
import StoreTesting
import Testing
import VerifierWorld

@testable import AuthenticationHandler

@Suite(.onEveryStore) struct `A response key that a device does not have` {
    private var world: World
    private let former: TrustedServer

    init() async throws {
        world = try await World()
        former = try world.trusted
        try await world.activate()
    }

    /// Sets up the account again, in an app that trusts this server.
    private func repair(_ server: TrustedServer) async throws {
        let app = try world.app()
        let letter = try await world.bank.letter(for: "4711")
        let verified = try await app.verifyActivation(world.activation(by: letter, at: server))
        #expect(verified.lostAccounts == [try .named("4711")])
        #expect(verified.existingAccount == nil)
        _ = try await app.setPIN(.typed(World.newPIN), for: verified)
        _ = try await app.logIn(with: .pin(.typed(World.newPIN)))
        #expect(try await app.accounts() == [try .named("4711")])
        #expect(try await world.bank.devices().count == 1)
    }

    @Test mutating func `makes the account lost, and an activation sets it up again`() async throws
    {
        try world.replaceResponseKey()
        let failure = await error { try await world.app().profile() }
        #expect(failure?.trustFailure == .response)
        try await repair(world.trusted)
    }

    @Test mutating func `makes the account lost if the app still has the former key too`()
        async throws
    {
        try world.replaceResponseKey()
        let keys = (former.signingKey, try world.trusted.signingKey)
        try await repair(world.trusted(signingWith: keys.0, next: keys.1))
    }

    @Test mutating func `does not keep another account from its activation`() async throws {
        _ = try await world.bank.addAccount("4712")
        try world.replaceResponseKey()
        let verified = try await world.app()
            .verifyActivation(try await world.activation(of: "4712"))
        #expect(verified.existingAccount == nil)
        #expect(verified.lostAccounts == [])
    }

    /// The attacker responds to the status request, and has none of the app's keys.
    @Test func `is not simulated by an attacker on the network`() async throws {
        let next = try P256.PrivateKey().publicKey
        for server in [former, try world.trusted(signingWith: former.signingKey, next: next)] {
            let letter = try await world.bank.letter(for: "4711")
            world.line.fail(.status, by: .responseForged)
            let failure = await error {
                let activation = try world.activation(by: letter, at: server)
                return try await world.app().verifyActivation(activation)
            }
            #expect(failure?.trustFailure == .response)
            world.line.mend()
        }
        _ = try await world.app().logIn(with: .pin(.typed(World.pin)))
    }
}
