import AuthenticationHandler
import OneTimePassword
import StoreTesting
import Testing
import VerifierWorld

@Suite(.onAnyStore) struct `Offline codes at a verifier` {
    @Test func `are accepted once each`() async throws {
        let world = try await World()
        try await world.activate()
        world.line.cut()
        let app = try world.app()
        let code = try await app.oneTimeCode(pin: .typed(World.pin)).text
        #expect(code.utf8.count == 8)
        #expect(try await world.bank.takes(typed: code))
        #expect(try await !world.bank.takes(typed: code))
        let next = try await app.oneTimeCode(pin: .typed(World.pin)).text
        #expect(try await world.bank.takes(typed: next))
    }

    @Test func `over data are accepted for these data only`() async throws {
        let world = try await World()
        try await world.activate()
        world.line.cut()
        let data = Array("limit 5000".utf8)
        let code = try await world.app().oneTimeCode(pin: .typed(World.pin), signing: data).text
        #expect(try await !world.bank.takes(typed: code, over: [1]))
        #expect(try await !world.bank.takes(typed: code))
        #expect(try await world.bank.takes(typed: code, over: data))
        let empty = await error {
            try await world.app().oneTimeCode(pin: .typed(World.pin), signing: [])
        }
        #expect(empty?.code == .signingDataMissing)
    }

    @Test(arguments: [nil, Array("limit 5000".utf8)])
    func `SEC-24: are wrong with a wrong PIN, without an error`(_ data: [UInt8]?) async throws {
        let world = try await World()
        try await world.activate()
        let app = try world.app()
        let wrong = try await app.oneTimeCode(pin: .typed(World.wrongPIN), signing: data).text
        #expect(wrong.utf8.count == 8)
        #expect(try await !world.bank.takes(typed: wrong, over: data))
        let right = try await app.oneTimeCode(pin: .typed(World.pin), signing: data).text
        #expect(try await world.bank.takes(typed: right, over: data))
    }

    @Test(arguments: [Line.Fault.responseLost, .requestLost])
    func `are not made while the valid PIN is unknown`(_ fault: Line.Fault) async throws {
        let world = try await World()
        try await world.activate()
        world.line.fail(.rekey, by: fault)
        _ = await error {
            try await world.app().changePIN(from: .typed(World.pin), to: .typed(World.newPIN))
        }
        world.line.cut()
        for pin in [World.pin, World.newPIN] {
            let failure = await error { try await world.app().oneTimeCode(pin: .typed(pin)) }
            #expect(failure?.code == .networkUnavailable)
        }
        world.line.mend()
        let good = fault == .responseLost ? World.newPIN : World.pin
        let code = try await world.app().oneTimeCode(pin: .typed(good)).text
        #expect(try await world.bank.takes(typed: code))
    }

    @Test func `are not made after a PIN change without a result if the device was revoked`()
        async throws
    {
        let world = try await World()
        try await world.activate()
        world.line.fail(.rekey, by: .responseLost)
        _ = await error {
            try await world.app().changePIN(from: .typed(World.pin), to: .typed(World.newPIN))
        }
        world.line.mend()
        try await world.bank.revokeDevice()
        let failure = await error {
            try await world.app().oneTimeCode(pin: .typed(World.newPIN))
        }
        #expect(failure?.code == .deviceRevoked)
    }

    @Test func `that were never typed do not disturb the app`() async throws {
        let world = try await World()
        try await world.activate()
        let app = try world.app()
        for _ in 1...15 { _ = try await app.oneTimeCode(pin: .typed(World.pin)) }
        let far = try await app.oneTimeCode(pin: .typed(World.pin)).text
        #expect(try await !world.bank.takes(typed: far))
        _ = try await app.logIn(with: .pin(.typed(World.pin)))
        let near = try await app.oneTimeCode(pin: .typed(World.pin)).text
        #expect(try await world.bank.takes(typed: near))
    }
}
