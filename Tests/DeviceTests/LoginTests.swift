import AuthenticationHandler
import StoreTesting
import Testing
import TransactionApproval
import VerifierWorld

private let challenge = Array("challenge 4711".utf8)

@Suite(.onEveryStore) struct `Logging in with the PIN` {
    @Test func `is redeemed by the bank once, with its own challenge`() async throws {
        let world = try await World()
        try await world.activate()
        let login = try await world.app().logIn(with: .pin(.typed(World.pin)), signing: challenge)
        #expect(try await world.bank.redeem(login, over: [1]) == "otherData")
        #expect(try await world.bank.redeem("unknown", over: challenge) == "unknown")
        #expect(try await world.bank.redeem(login, over: challenge) == "redeemed")
        #expect(try await world.bank.redeem(login, over: challenge) == "redeemedBefore")
    }

    @Test(arguments: [(119, "redeemed"), (120, "expired")])
    func `is redeemed within two minutes`(_ seconds: Int, _ outcome: String) async throws {
        let world = try await World()
        try await world.activate()
        let login = try await world.app().logIn(with: .pin(.typed(World.pin)), signing: challenge)
        world.bank.clock.advance(by: .seconds(seconds))
        #expect(try await world.bank.redeem(login, over: challenge) == outcome)
    }

    @Test func `with a wrong one tells the attempts left, and nothing is there to redeem`()
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

    @Test func `is of the account that is named`() async throws {
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
}
