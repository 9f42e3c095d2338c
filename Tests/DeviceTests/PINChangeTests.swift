import Foundation
import StoreTesting
import TestSupport
import Testing
import VerifierWorld

@testable import AuthenticationHandler

@Suite(.onAnyStore) struct `A PIN change at a verifier` {
    private let world: World

    init() async throws {
        world = try await World()
        _ = try await world.bank.addLinkedAccount("4712")
        try await world.activate()
    }

    private func change(
        from old: String = World.pin,
        to new: String = World.newPIN,
        in app: AuthenticationHandler? = nil
    ) async throws -> [PINChange] {
        try await (app ?? world.app()).changePIN(from: .typed(old), to: .typed(new))
    }

    /// Checks that one PIN is valid for an account, and the other is not.
    private func expect(
        _ good: String,
        not bad: String,
        for id: String = "4711",
        _ comment: Comment? = nil
    ) async throws {
        let login = try await world.app().logIn(with: .pin(.typed(good)), for: .named(id))
        #expect(try await world.bank.redeem(login, over: [], of: id) == "redeemed", comment)
        let failure = await error {
            try await world.app().logIn(with: .pin(.typed(bad)), for: .named(id))
        }
        #expect(failure?.code == .authenticationFailed, comment)
        _ = try await world.app().logIn(with: .pin(.typed(good)), for: .named(id))
    }

    @Test func `applies to every account`() async throws {
        #expect(try await change().map(\.outcome) == [.changed, .changed])
        for id in ["4711", "4712"] { try await expect(World.newPIN, not: World.pin, for: id) }
        let back = try await change(from: World.newPIN, to: World.pin)
        #expect(back.map(\.outcome) == [.changed, .changed])
        for id in ["4711", "4712"] { try await expect(World.pin, not: World.newPIN, for: id) }
    }

    @Test func `to the same PIN changes nothing`() async throws {
        #expect(await error { try await change(to: World.pin) }?.code == .invalidArgument)
        try await expect(World.pin, not: World.newPIN)
    }

    @Test func `with a wrong old PIN counts and changes nothing`() async throws {
        let failure = await error { try await change(from: World.wrongPIN) }
        #expect(failure?.attemptsLeft == 4)
        try await expect(World.pin, not: World.newPIN)
        #expect(try await world.app().profile().needsPINChange == false)
        #expect(try await change().map(\.outcome) == [.changed, .changed])
        try await expect(World.newPIN, not: World.pin)
    }

    @Test func `reports the remaining accounts if it stops, and a repeat finishes it`()
        async throws
    {
        let app = try world.app()
        world.line.fail(.rekey, by: .requestLost, after: 1)
        let changes = try await change(in: app)
        let lost = AuthenticationError(.networkUnavailable)
        #expect(changes.map(\.outcome) == [.changed, .failed(lost)])
        world.line.mend()
        try await expect(World.newPIN, not: World.pin, for: "4711")
        try await expect(World.pin, not: World.newPIN, for: "4712")
        #expect(try await app.profile(for: .named("4711")).needsPINChange == false)
        #expect(try await app.profile(for: .named("4712")).needsPINChange)
        #expect(try await change(in: app).map(\.account.id) == ["4712"])
        try await expect(World.newPIN, not: World.pin, for: "4712")
        #expect(try await app.profile(for: .named("4712")).needsPINChange == false)
    }

    /// Otherwise the accounts would have different PINs.
    @Test func `that is unfinished accepts only the PIN of the accounts that have changed`()
        async throws
    {
        world.line.fail(.rekey, by: .responseLost)
        #expect(await error { try await change() }?.code == .responseMissing)
        world.line.mend()
        let app = try world.app()
        let failure = await error { try await change(to: World.wrongPIN, in: app) }
        #expect(failure?.code == .pinChangeUnfinished)
        #expect(failure?.account == (try .named("4711")))
        #expect(failure?.attemptsLeft == 4)
        try await expect(World.newPIN, not: World.pin, for: "4711")
        try await expect(World.pin, not: World.newPIN, for: "4712")
        #expect(try await change(in: app).map(\.account.id) == ["4712"])
        try await expect(World.newPIN, not: World.pin, for: "4712")
    }

    /// Otherwise no PIN would be accepted.
    @Test func `that is unfinished ends with its PIN, also if a policy became stricter`()
        async throws
    {
        let app = try world.app()
        world.line.fail(.rekey, by: .requestLost, after: 1)
        _ = try await change(in: app)
        world.line.mend()
        try await world.bank.setPolicy(#"{"pin": {"minimumDigits": 8}}"#)
        #expect(try await app.newPINPolicies().isEmpty)
        #expect(try await change(in: app).map(\.account.id) == ["4712"])
        try await expect(World.newPIN, not: World.pin, for: "4712")
        let rule = await error { try await change(from: World.newPIN, to: World.pin, in: app) }
        #expect(rule?.brokenRule == .tooShort)
    }

    @Test func `that is unfinished waits for the accounts that have changed, unless they are lost`()
        async throws
    {
        world.line.fail(.rekey, by: .requestLost, after: 1)
        _ = try await change()
        world.line.mend()
        world.line.fail(.pinCheck, by: .requestLost)
        #expect(await error { try await change() }?.code == .networkUnavailable)
        world.line.mend()
        try await expect(World.pin, not: World.newPIN, for: "4712")
        try await world.bank.revokeDevice(of: "4711")
        #expect(try await change().map(\.account.id) == ["4712"])
        try await expect(World.newPIN, not: World.pin, for: "4712")
    }

    @Test func `that is unfinished must end before another activation`() async throws {
        world.line.fail(.rekey, by: .requestLost, after: 1)
        _ = try await change()
        world.line.mend()
        _ = try await world.bank.addAccount("4713")
        let letter = try await world.bank.letter(for: "4713")
        let failure = await error { try await world.activate(by: letter) }
        #expect(failure?.code == .pinChangeUnfinished)
        #expect(try await world.app().profile(for: .named("4711")).pinLock == nil)
        _ = try await change()
        let verified = try await world.app().verifyActivation(world.activation(by: letter))
        _ = try await world.app().setPIN(.typed(World.newPIN), for: verified)
        try await expect(World.newPIN, not: World.pin, for: "4713")
    }

    @Test func `that is unfinished does not keep an account that is left from a new activation`()
        async throws
    {
        world.line.fail(.rekey, by: .requestLost, after: 1)
        _ = try await change()
        world.line.mend()
        try await world.bank.revokeDevice(of: "4712")
        let letter = try await world.bank.letter(for: "4712")
        let verified = try await world.app().verifyActivation(world.activation(by: letter))
        // Its own PIN is the old one.
        #expect(verified.existingAccount == (try .named("4711")))
        _ = try await world.app().setPIN(.typed(World.newPIN), for: verified)
        try await expect(World.newPIN, not: World.pin, for: "4712")
        #expect(try await world.app().profile(for: .named("4712")).needsPINChange == false)
    }

    @Test func `succeeds if only the response was lost`() async throws {
        world.line.fail(.rekey, by: .responseLost)
        #expect(await error { try await change() }?.code == .responseMissing)
        world.line.mend()
        try await expect(World.newPIN, not: World.pin, for: "4711")
        #expect(try await change().map(\.account.id) == ["4712"])
        try await expect(World.newPIN, not: World.pin, for: "4712")
    }

    @Test func `has no effect if the request was lost`() async throws {
        world.line.fail(.rekey, by: .requestLost)
        #expect(await error { try await change() }?.code == .networkUnavailable)
        world.line.mend()
        try await expect(World.pin, not: World.newPIN)
        #expect(try await change().map(\.outcome) == [.changed, .changed])
        try await expect(World.newPIN, not: World.pin)
    }

    @Test func `is void if the request arrives after the status request`() async throws {
        world.line.fail(.rekey, by: .requestHeldUp)
        _ = await error { try await change() }
        world.line.mend()
        _ = try await world.app().pendingTransaction()
        #expect(await world.line.deliverHeldUp() == [409, 409])
        try await expect(World.pin, not: World.newPIN)
        #expect(try await change().map(\.outcome) == [.changed, .changed])
        try await expect(World.newPIN, not: World.pin)
    }

    @Test func `succeeds if the request arrives before the status request`() async throws {
        world.line.fail(.rekey, by: .requestHeldUp)
        _ = await error { try await change() }
        world.line.mend()
        #expect(await world.line.deliverHeldUp() == [200, 200])
        try await expect(World.newPIN, not: World.pin)
    }

    @Test func `waits until the result of the previous change is known`() async throws {
        world.line.fail(.rekey, by: .responseLost)
        _ = await error { try await change() }
        world.line.fail(.rekey, .status, by: .requestLost)
        for _ in 1...2 {
            let failure = await error { try await change(to: World.wrongPIN) }
            #expect(failure?.code == .networkUnavailable)
        }
        world.line.mend()
        world.line.fail(.status, by: .requestLost)
        _ = await error { try await change(to: World.wrongPIN) }
        world.line.mend()
        try await expect(World.newPIN, not: World.pin)
        try await expect(World.pin, not: World.newPIN, for: "4712")
        #expect(try await change().map(\.account.id) == ["4712"])
        try await expect(World.newPIN, not: World.pin, for: "4712")
    }

    @Test func `is refused by a revoked account until it is deleted`() async throws {
        world.line.fail(.rekey, by: .responseLost, after: 1)
        let missing = AuthenticationError(.responseMissing)
        #expect(try await change().map(\.outcome) == [.changed, .unknown(missing)])
        world.line.mend()
        try await world.bank.revokeDevice(of: "4712")
        #expect(await error { try await change() }?.code == .deviceRevoked)
        #expect(try await world.app().deleteAccount(.named("4712")) == .everywhere)
        let back = try await change(from: World.newPIN, to: World.pin)
        #expect(back.map(\.outcome) == [.changed])
    }

    /// As if the process were killed at this point.
    @Test func `leaves one valid PIN for each account after any failure`() async throws {
        for point in Proof.steps(to: 70, oneOf: 8) {
            // All wrong PINs of this test would be too many for one month.
            world.bank.clock.advance(by: .seconds(31 * 86_400))
            let end = StepLimit(point)
            // Every point of failure is allowed: `try?`.
            let changes = (try? await change(in: world.app(witness: end.witness))) ?? []
            for id in ["4711", "4712"] {
                let isNew = await error {
                    try await world.app().logIn(with: .pin(.typed(World.newPIN)), for: .named(id))
                }
                let (good, bad) =
                    isNew == nil ? (World.newPIN, World.pin) : (World.pin, World.newPIN)
                try await expect(good, not: bad, for: id, "point \(point)")
                switch changes.first(where: { $0.account.id == id })?.outcome {
                case .changed: #expect(isNew == nil, "point \(point)")
                case .failed, .notTried: #expect(isNew != nil, "point \(point)")
                case .unknown, nil: break
                }
            }
            // A repeat changes the remaining accounts, and then all accounts change back.
            let accounts = try await world.app().accounts()
            for account in accounts
            where try await world.app().profile(for: account).needsPINChange {
                #expect(try await change().map(\.outcome) == [.changed])
            }
            let isNew = await error {
                try await world.app().logIn(with: .pin(.typed(World.newPIN)))
            }
            if isNew == nil { _ = try await change(from: World.newPIN, to: World.pin) }
            guard end.isPassed else {
                #expect(point > 10)
                return
            }
        }
        Issue.record("it never came to its end")
    }

    @Test func `follows a policy that the bank changed meanwhile, before any account changes`()
        async throws
    {
        try await world.bank.setPolicy(#"{"pin": {"minimumDigits": 8}}"#)
        let app = try world.app()
        try await app.checkNewPIN(.typed(World.newPIN))
        let failure = await error { try await change() }
        #expect(failure?.code == .pinPolicy)
        #expect(failure?.brokenRule == .tooShort)
        #expect(try await app.newPINPolicies().map(\.digitCounts) == [8...12, 8...12])
        try await expect(World.pin, not: World.newPIN)
        #expect(try await app.profile().needsPINChange == false)
        let changes = try await change(to: "53809164")
        #expect(changes.map(\.outcome) == [.changed, .changed])
    }

    @Test func `is refused while the PIN is locked`() async throws {
        try await world.lockPIN()
        #expect(await error { try await change() }?.code == .credentialLocked)
        world.bank.clock.advance(by: .seconds(1800))
        try await expect(World.pin, not: World.newPIN)
    }
}
