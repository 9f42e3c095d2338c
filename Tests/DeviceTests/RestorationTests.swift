import AuthenticationHandler
import OneTimePassword
import Storage
import StoreTesting
import Testing
import TransactionApproval
import VerifierWorld

@Suite(.onAnyStore) struct `A device after a restore` {
    // MARK: Its vault was restored from a backup

    @Test func `works with a restored vault and repeats no code`() async throws {
        let world = try await World()
        try await world.activate()
        try world.backUpVault()
        for _ in 1...3 { try await world.approve() }
        let typed = try await world.app().oneTimeCode(pin: .typed(World.pin)).text
        try world.putVaultBack()
        try await world.approve()
        let shown = try await world.shown()
        try await world.app().reject(shown)
        #expect(try await world.bank.refusedCodes() == 0)
        let next = try await world.app().oneTimeCode(pin: .typed(World.pin)).text
        #expect(next != typed)
        #expect(try await world.bank.takes(typed: next))
    }

    @Test func `needs a new activation if the vault is older than a PIN change`()
        async throws
    {
        let world = try await World()
        try await world.activate()
        try world.backUpVault()
        _ = try await world.app().changePIN(from: .typed(World.pin), to: .typed(World.newPIN))
        try world.putVaultBack()
        for pin in [World.pin, World.newPIN] {
            let failure = await error { try await world.app().logIn(with: .pin(.typed(pin))) }
            #expect(failure?.code == .deviceSecretMissing)
        }
        #expect(try await world.bank.refusedCodes() == 0)
        try await world.activate()
        try await world.approve()
    }

    // MARK: Its verifier was restored from a backup

    @Test func `works with a restored verifier`() async throws {
        let premises = try Premises()
        var world = try World(at: try await premises.begin())
        try await world.activate()
        try await world.backUp(premises)
        for _ in 1...3 { try await world.approve() }
        let shown = try await world.shown()
        try await world.restore(premises)

        let void = await error {
            try await world.app().approve(shown, with: .pin(.typed(World.pin)))
        }
        #expect(void?.code == .unknownTransaction)
        let typed = try await world.app().oneTimeCode(pin: .typed(World.pin)).text
        #expect(try await !world.bank.takes(typed: typed))
        try await world.approve()
        let later = try await world.app().oneTimeCode(pin: .typed(World.pin)).text
        #expect(try await world.bank.takes(typed: later))
        try await world.app().reject(try await world.shown())
        let change = try await world.app()
            .changePIN(from: .typed(World.pin), to: .typed(World.newPIN))
        #expect(change.map(\.outcome) == [.changed])
        #expect(try await world.bank.refusedCodes() == 0)
    }

    @Test func `works if both were restored`() async throws {
        let premises = try Premises()
        var world = try World(at: try await premises.begin())
        try await world.activate()
        try world.backUpVault()
        for _ in 1...3 { try await world.approve() }
        try await world.backUp(premises)
        for _ in 1...3 { try await world.approve() }
        try await world.restore(premises)
        try world.putVaultBack()
        try await world.approve()
        try await world.app().reject(try await world.shown())
        #expect(try await world.bank.refusedCodes() == 0)
    }

    @Test func `needs a new activation if the verifier has an older PIN`() async throws {
        let premises = try Premises()
        var world = try World(at: try await premises.begin())
        try await world.activate()
        try await world.backUp(premises)
        _ = try await world.app().changePIN(from: .typed(World.pin), to: .typed(World.newPIN))
        try await world.restore(premises)
        for pin in [World.pin, World.newPIN] {
            let failure = await error { try await world.app().logIn(with: .pin(.typed(pin))) }
            #expect(failure?.lock == .never)
        }
        #expect(try await world.app().profile().pinLock == .never)
        try await world.activate()
        try await world.approve()
    }

    @Test func `is unknown to a verifier from before its activation, and keeps its data`()
        async throws
    {
        let premises = try Premises()
        var world = try World(at: try await premises.begin())
        try await world.backUp(premises)
        try await world.activate()
        try await world.restore(premises)
        let failure = await error { try await world.app().pendingTransaction() }
        #expect(failure?.code == .serverUntrusted)
        #expect(try await world.app().accounts() == [try .named("4711")])
        guard case .localOnly = try await world.app().deleteAccount(.named("4711")) else {
            Issue.record("the verifier confirmed the deletion")
            return
        }
        try await world.activate()
        try await world.approve()
    }

    // MARK: Its clock

    @Test(arguments: [-86_400, -121, 121, 86_400])
    func `SEC-30: works with a wrong clock`(_ seconds: Int) async throws {
        var world = try await World()
        world.clockError = .seconds(seconds)
        try await world.activate()
        try await world.approve()
        try await world.app().reject(try await world.shown())
        let app = try world.app()
        let shown = try await world.shown()
        world.bank.clock.advance(by: .seconds(120))
        let late = await error {
            try await app.approve(shown, with: .pin(.typed(World.pin)))
        }
        #expect(late?.code == .transactionExpired)
    }

    @Test(arguments: [-86_400, 86_400])
    func `shows the end of a lock with the offset of the clock`(_ seconds: Int) async throws {
        var world = try await World()
        try await world.activate()
        world.clockError = .seconds(seconds)
        try await world.lockPIN()
        let locked = await error {
            try await world.app().logIn(with: .pin(.typed(World.pin)))
        }
        #expect(locked?.lock == .until(world.bank.clock.now + .seconds(1800)))
        #expect(locked?.clockOffset == .seconds(-seconds))
    }

    @Test func `retries once if its clock is wrong`() async throws {
        var world = try await World()
        try await world.activate()
        world.clockError = .seconds(3600)
        let before = world.line.routes.count
        let app = try world.app()
        _ = try await app.pendingTransaction()
        #expect(world.line.routes.count == before + 2)
        _ = try await app.pendingTransaction()
        #expect(world.line.routes.count == before + 3)
    }
}
