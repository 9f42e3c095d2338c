import AuthenticationHandler
import StoreTesting
import Testing
import TransactionApproval
import VerifierWorld

private let challenge = Array("challenge 4711".utf8)

@Suite(.onAnyStore) struct `Logging in with the PIN` {
    @Test func `returns a token that the bank redeems once, with its challenge`() async throws {
        let world = try await World()
        try await world.activate()
        let login = try await world.app().logIn(with: .pin(.typed(World.pin)), signing: challenge)
        #expect(try await world.bank.redeem(login, over: [1]) == "otherData")
        #expect(try await world.bank.redeem("unknown", over: challenge) == "unknown")
        #expect(try await world.bank.redeem(login, over: challenge) == "redeemed")
        #expect(try await world.bank.redeem(login, over: challenge) == "redeemedBefore")
    }

    @Test(arguments: [(119, "redeemed"), (120, "expired")])
    func `returns a token that expires after two minutes`(_ seconds: Int, _ outcome: String)
        async throws
    {
        let world = try await World()
        try await world.activate()
        let login = try await world.app().logIn(with: .pin(.typed(World.pin)), signing: challenge)
        world.bank.clock.advance(by: .seconds(seconds))
        #expect(try await world.bank.redeem(login, over: challenge) == outcome)
    }

    @Test func `fails with a wrong PIN and reports the attempts left`()
        async throws
    {
        let world = try await World()
        try await world.activate()
        let app = try world.app()
        for left in [4, 3] {
            let failure = await error { try await app.logIn(with: .pin(.typed(World.wrongPIN))) }
            #expect(failure?.code == .authenticationFailed)
            #expect(failure?.attemptsLeft == left)
        }
        let login = try await app.logIn(with: .pin(.typed(World.pin)))
        #expect(try await world.bank.redeem(login, over: []) == "redeemed")
        #expect(
            await error { try await app.logIn(with: .pin(.typed(World.wrongPIN))) }?.attemptsLeft
                == 4
        )
    }

    @Test func `applies to the named account`() async throws {
        let world = try await World()
        _ = try await world.bank.addLinkedAccount("4712")
        try await world.activate()
        let app = try world.app()
        let login = try await app.logIn(with: .pin(.typed(World.pin)), for: .named("4712"))
        #expect(try await world.bank.redeem(login, over: []) == "unknown")
        #expect(try await world.bank.redeem(login, over: [], of: "4712") == "redeemed")
        let other = await error {
            try await app.logIn(with: .pin(.typed(World.pin)), for: .named("4713"))
        }
        #expect(other?.code == .noAccountActivated)
    }

    /// The device does not know the name of the other account until it fetches its status.
    @Test func `applies to an account by the name after its replacement`() async throws {
        let world = try await World()
        try await world.activate()
        try await world.bank.replace("4711", by: "4799")
        let app = try world.app()
        _ = try await app.logIn(with: .pin(.typed(World.pin)), for: .named("4711"))
        #expect(world.line.routes.suffix(1) == [.login])
        let login = try await app.logIn(with: .pin(.typed(World.pin)), for: .named("4799"))
        #expect(world.line.routes.suffix(2) == [.status, .login])
        #expect(try await world.bank.redeem(login, over: [], of: "4799") == "redeemed")
        try await world.bank.replace("4799", by: "4800")
        #expect(try await app.profile(for: .named("4800")).account == (try .named("4800")))
    }
}
