import AuthenticationHandler
import Cryptography
import StoreTesting
import Testing
import VerifierWorld

@Suite(.onAnyStore) struct `A rotation of the agreement key` {
    private var world: World
    private let current: P256.PrivateKey
    private let next: P256.PrivateKey

    init() async throws {
        world = try await World()
        try await world.activate()
        current = world.bank.agreementKey
        next = try P256.PrivateKey()
    }

    /// Restarts the verifier with these keys.
    private mutating func serve(_ current: P256.PrivateKey, next: P256.PrivateKey? = nil) throws {
        var bank = world.bank
        bank.agree(with: current, next: next)
        try world.use(bank)
    }

    private func changePIN(from old: String = World.pin, to new: String) async throws -> ErrorCode?
    {
        let app = try world.app()
        return await error {
            try await app.changePIN(from: .typed(old), to: .typed(new))
        }?.code
    }

    private func isRight(_ pin: String) async throws -> Bool {
        await error { try await world.app().logIn(with: .pin(.typed(pin))) } == nil
    }

    @Test mutating func `SEC-110: a device that was online changes its PIN before and after it`()
        async throws
    {
        try serve(current, next: next)
        _ = try await world.app().profile()
        #expect(try await changePIN(to: World.newPIN) == nil)
        try serve(next)
        #expect(try await changePIN(from: World.newPIN, to: World.pin) == nil)
        #expect(try await isRight(World.pin))
        try await world.approve()
    }

    @Test mutating func `SEC-110: a device that missed it approves, and an activation repairs it`()
        async throws
    {
        try serve(current, next: next)
        try serve(next)
        for _ in 1...6 { #expect(try await changePIN(to: World.newPIN) == .invalidArgument) }
        // No failure was counted, and the old PIN is still right.
        try await world.approve()
        _ = try await world.app().deleteAccount(.named("4711"))
        try await world.activate()
        #expect(try await changePIN(to: World.newPIN) == nil)
        #expect(try await isRight(World.newPIN))
    }

    /// The app is older than the rotation, and the device already has the next key.
    @Test mutating func `SEC-110: a device that has the next key is not replaced`() async throws {
        try serve(current, next: next)
        _ = try await world.app().profile()
        let failure = await error { try await world.activate() }
        #expect(failure?.code == .accountAlreadyActivated)
    }

    /// A later announcement is for other devices, and does not harm this one.
    @Test mutating func `SEC-110: a device that missed it ignores the next one`() async throws {
        let third = try P256.PrivateKey()
        try serve(next, next: third)
        _ = try await world.app().profile()
        #expect(try await changePIN(to: World.newPIN) == .invalidArgument)
        // The operator puts the old key back.
        try serve(current)
        #expect(try await changePIN(to: World.newPIN) == nil)
    }

    /// The attacker has the network and the response key, and forwards to the verifier.
    @Test mutating func `SEC-110: a thief of the response key cannot announce a key`()
        async throws
    {
        let (own, ownNext) = (try P256.PrivateKey(), try P256.PrivateKey())
        try serve(own, next: ownNext)
        _ = try await world.app().profile()
        try serve(current)
        #expect(try await changePIN(to: World.newPIN) == nil)
        #expect(try await isRight(World.newPIN))
    }

    /// Two nodes during a restart: one knows the next key, the other does not.
    @Test mutating func `SEC-110: a node without the next key refuses, and a repeat succeeds`()
        async throws
    {
        try serve(current, next: next)
        _ = try await world.app().profile()
        try serve(current)
        for _ in 1...6 { #expect(try await changePIN(to: World.newPIN) == .invalidArgument) }
        try serve(current, next: next)
        #expect(try await changePIN(to: World.newPIN) == nil)
        #expect(try await isRight(World.newPIN))
    }
}
