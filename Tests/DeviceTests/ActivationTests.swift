import AuthenticationHandler
import Foundation
import StoreTesting
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@Suite(.onAnyStore) struct `Activation at a verifier` {
    @Test func `SEC-49: activates all linked accounts in two steps`() async throws {
        let world = try await World()
        _ = try await world.bank.addLinkedAccount("4712")
        let app = try world.app()
        let verified = try await app.verifyActivation(try await world.activation())
        #expect(verified.accounts == [try .named("4711"), try .named("4712")])
        #expect(verified.existingAccount == nil)
        #expect(try await world.bank.devices() == [])
        let enrolments = try await app.setPIN(.typed(World.pin), for: verified)
        #expect(enrolments.map(\.account) == verified.accounts)
        #expect(enrolments.map(\.outcome) == [.enrolled, .enrolled])
        #expect(try await app.accounts() == verified.accounts)
        for account in verified.accounts {
            _ = try await world.app().logIn(with: .pin(.typed(World.pin)), for: account)
        }
    }

    @Test func `reports the outcome of each account`() async throws {
        let world = try await World(policy: #"{"devicesPerAccount": 1}"#)
        _ = try await world.bank.activate("4712")
        try await world.bank.link("4711", to: "4712")
        let enrolments = try await world.activate()
        #expect(enrolments.map(\.outcome) == [.enrolled, .tooManyDevices])
        #expect(try await world.app().accounts() == [try .named("4711")])
    }

    @Test func `reports that all accounts have their maximum of devices, and works later`()
        async throws
    {
        let world = try await World(policy: #"{"devicesPerAccount": 1}"#)
        _ = try await world.bank.activate()
        let letter = try await world.bank.letter(for: "4711")
        let enrolments = try await world.activate(by: letter)
        #expect(enrolments.map(\.account) == [try .named("4711")])
        #expect(enrolments.map(\.outcome) == [.tooManyDevices])
        #expect(try await world.app().accounts() == [])
        #expect(try world.fileNames().filter { $0.contains("account-") } == [])
        try await world.bank.revokeDevice()
        #expect(try await world.activate(by: letter).map(\.outcome) == [.enrolled])
    }

    @Test func `is refused with a wrong, used or expired code`()
        async throws
    {
        let world = try await World()
        let letter = try await world.bank.letter(for: "4711")
        let other = Letter(id: letter.id, code: try await world.bank.letter(for: "4711").code)
        #expect(await error { try await world.activate(by: other) }?.code == .activationCodeInvalid)
        let late = try await world.bank.letter(for: "4711")
        world.bank.clock.advance(by: .seconds(86_400))
        #expect(await error { try await world.activate(by: late) }?.code == .activationCodeExpired)
        let used = try await world.bank.letter(for: "4711")
        try await world.activate(by: used)
        let second = try World(at: world.bank)
        #expect(await error { try await second.activate(by: used) }?.code == .activationCodeInvalid)
        #expect(try await world.bank.devices().count == 1)
    }

    @Test func `of another account needs the PIN of the first, and a wrong PIN counts there`()
        async throws
    {
        let world = try await World()
        try await world.activate()
        _ = try await world.bank.addAccount("4712")
        let app = try world.app()
        let verified = try await app.verifyActivation(try await world.activation(of: "4712"))
        #expect(verified.existingAccount == (try .named("4711")))
        let failure = await error { try await app.setPIN(.typed(World.wrongPIN), for: verified) }
        #expect(failure?.attemptsLeft == 4)
        #expect(try await world.bank.devices(of: "4712") == [])
        let enrolments = try await app.setPIN(.typed(World.pin), for: verified)
        #expect(enrolments.map(\.outcome) == [.enrolled])
        #expect(try await app.accounts().map(\.id) == ["4711", "4712"])
        _ = try await app.logIn(with: .pin(.typed(World.pin)), for: .named("4712"))
    }

    @Test func `of another account is refused if the first is locked or unreachable`()
        async throws
    {
        let world = try await World()
        try await world.activate()
        _ = try await world.bank.addAccount("4712")
        let app = try world.app()
        let verified = try await app.verifyActivation(try await world.activation(of: "4712"))
        world.line.fail(.pinCheck, by: .requestLost)
        let unreachable = await error { try await app.setPIN(.typed(World.pin), for: verified) }
        #expect(unreachable?.code == .networkUnavailable)
        world.line.mend()
        try await world.lockPIN()
        let locked = await error { try await app.setPIN(.typed(World.pin), for: verified) }
        #expect(locked?.code == .credentialLocked)
        #expect(try await world.bank.devices(of: "4712") == [])
    }

    @Test func `replaces linked accounts that exist on the device`() async throws {
        let world = try await World()
        try await world.activate()
        _ = try await world.bank.addLinkedAccount("4712")
        let enrolments = try await world.activate("4712")
        #expect(enrolments.map(\.account.id) == ["4712", "4711"])
        #expect(try await world.app().accounts().map(\.id) == ["4712", "4711"])
        for id in ["4711", "4712"] {
            _ = try await world.app().logIn(with: .pin(.typed(World.pin)), for: .named(id))
            #expect(try await world.bank.devices(of: id).count == 1)
        }
    }

    @Test func `keeps existing accounts that have their maximum of devices`() async throws {
        let world = try await World(policy: #"{"devicesPerAccount": 1}"#)
        try await world.activate()
        let devices = try await world.bank.devices()
        _ = try await world.bank.addLinkedAccount("4712")
        let enrolments = try await world.activate("4712")
        #expect(enrolments.map(\.outcome) == [.enrolled, .enrolled])
        #expect(try await world.bank.devices() == devices)
        for id in ["4711", "4712"] {
            _ = try await world.app().logIn(with: .pin(.typed(World.pin)), for: .named(id))
        }
    }

    @Test func `of an existing account is refused`() async throws {
        let world = try await World()
        try await world.activate()
        let failure = await error { try await world.activate() }
        #expect(failure?.code == .accountAlreadyActivated)
    }

    @Test func `of an account whose device the bank revoked replaces it, with any PIN`()
        async throws
    {
        let world = try await World()
        try await world.activate()
        try await world.bank.revokeDevice()
        let app = try world.app()
        let verified = try await app.verifyActivation(try await world.activation(of: "4711"))
        // There is no PIN to check, so the person chooses one.
        #expect(verified.existingAccount == nil)
        let enrolments = try await app.setPIN(.typed(World.newPIN), for: verified)
        #expect(enrolments.map(\.outcome) == [.enrolled])
        #expect(try await app.accounts() == [try .named("4711")])
        _ = try await world.app().logIn(with: .pin(.typed(World.newPIN)))
    }

    @Test func `of an existing account is refused if its status is unknown`()
        async throws
    {
        let world = try await World()
        try await world.activate()
        world.line.fail(.status, by: .requestLost)
        let failure = await error { try await world.activate() }
        #expect(failure?.code == .networkUnavailable)
        #expect(try await world.bank.devices().count == 1)
    }

    @Test func `of an account that is locked permanently replaces it, with any PIN`() async throws {
        let world = try await World(
            policy: #"{"devicesPerAccount": 1, "lock": {"temporaryLocks": 0}}"#
        )
        try await world.activate()
        try await world.lockPIN()
        let app = try world.app()
        #expect(try await app.profile().pinLock == .never)
        let verified = try await app.verifyActivation(try await world.activation(of: "4711"))
        #expect(verified.lostAccounts == [try .named("4711")])
        #expect(verified.existingAccount == nil)
        let enrolments = try await app.setPIN(.typed(World.newPIN), for: verified)
        #expect(enrolments.map(\.outcome) == [.enrolled])
        _ = try await world.app().logIn(with: .pin(.typed(World.newPIN)))
        #expect(try await world.bank.devices().count == 1)
    }

    @Test func `of an account needs no PIN of another one that is locked permanently`()
        async throws
    {
        let world = try await World(policy: #"{"lock": {"temporaryLocks": 0}}"#)
        try await world.activate()
        try await world.lockPIN()
        _ = try await world.bank.addAccount("4712")
        let app = try world.app()
        let letter = try await world.bank.letter(for: "4712")
        let verified = try await app.verifyActivation(try world.activation(by: letter))
        #expect(verified.existingAccount == nil)
        let enrolments = try await app.setPIN(.typed(World.newPIN), for: verified)
        #expect(enrolments.map(\.outcome) == [.enrolled])
        // The new account has the PIN that the locked one gets.
        let again = try await app.verifyActivation(try await world.activation(of: "4711"))
        #expect(again.lostAccounts == [try .named("4711")])
        #expect(again.existingAccount == (try .named("4712")))
    }

    @Test func `removes no account that became usable since its verification`() async throws {
        let world = try await World(policy: #"{"lock": {"temporaryLocks": 0}}"#)
        try await world.activate()
        try await world.lockPIN()
        let app = try world.app()
        let late = try await app.verifyActivation(try await world.activation(of: "4711"))
        // In another window, with a later code, which ends the first one.
        try await world.activate(pin: World.newPIN)
        let wrong = await error { try await app.setPIN(.typed(World.pin), for: late) }
        #expect(wrong?.code == .authenticationFailed)
        let refused = await error { try await app.setPIN(.typed(World.newPIN), for: late) }
        #expect(refused?.code == .activationCodeInvalid)
        _ = try await app.logIn(with: .pin(.typed(World.newPIN)))
        #expect(try await world.bank.devices().count == 1)
    }

    @Test func `of another account needs no PIN of one whose device was revoked`() async throws {
        let world = try await World()
        try await world.activate()
        try await world.bank.revokeDevice()
        _ = try await world.bank.addAccount("4712")
        let app = try world.app()
        let verified = try await app.verifyActivation(try await world.activation(of: "4712"))
        #expect(verified.existingAccount == nil)
        #expect(verified.lostAccounts == [])
        _ = try await app.setPIN(.typed(World.newPIN), for: verified)
        _ = try await app.logIn(with: .pin(.typed(World.newPIN)), for: .named("4712"))
        #expect(try await app.accounts().map(\.id) == ["4711", "4712"])
    }

    @Test func `accepts no PIN unchecked if the device is revoked meanwhile`() async throws {
        let world = try await World()
        try await world.activate()
        _ = try await world.bank.addAccount("4712")
        let app = try world.app()
        let verified = try await app.verifyActivation(try await world.activation(of: "4712"))
        #expect(verified.existingAccount == (try .named("4711")))
        try await world.bank.revokeDevice()
        let failure = await error { try await app.setPIN(.typed(World.wrongPIN), for: verified) }
        #expect(failure?.code == .deviceRevoked)
        #expect(try await world.bank.devices(of: "4712") == [])
    }

    @Test func `of accounts needs the PIN of the one whose device was not revoked`() async throws {
        let world = try await World()
        _ = try await world.bank.addLinkedAccount("4712")
        try await world.activate()
        try await world.bank.revokeDevice()
        let app = try world.app()
        let verified = try await app.verifyActivation(try await world.activation(of: "4711"))
        #expect(verified.existingAccount == (try .named("4712")))
        let failure = await error { try await app.setPIN(.typed(World.wrongPIN), for: verified) }
        #expect(failure?.attemptsLeft == 4)
        #expect(try await app.setPIN(.typed(World.pin), for: verified).count == 2)
        for id in ["4711", "4712"] {
            _ = try await world.app().logIn(with: .pin(.typed(World.pin)), for: .named(id))
        }
    }

    // MARK: Lost messages

    @Test func `leaves no account if the commit is lost, and the code stays valid`()
        async throws
    {
        let world = try await World()
        let letter = try await world.bank.letter(for: "4711")
        world.line.fail(.activationCommit, by: .requestLost)
        let failure = await error { try await world.activate(by: letter) }
        #expect(failure?.code == .networkUnavailable)
        world.line.mend()
        #expect(try await world.activate(by: letter).map(\.outcome) == [.enrolled])
        #expect(try await world.bank.devices().count == 1)
        #expect(try world.fileNames().filter { $0.contains("account-") }.count == 1)
    }

    @Test func `succeeds if only the response is lost`() async throws {
        let world = try await World()
        _ = try await world.bank.addLinkedAccount("4712")
        let letter = try await world.bank.letter(for: "4711")
        world.line.fail(.activationCommit, .status, by: .responseLost)
        let failure = await error { try await world.activate(by: letter) }
        #expect(failure?.code == .responseMissing)
        #expect(try await world.app().accounts() == [])
        world.line.mend()
        #expect(try await world.app().pendingTransaction() == nil)
        #expect(try await world.app().accounts().map(\.id) == ["4711", "4712"])
        _ = try await world.app().logIn(with: .pin(.typed(World.pin)))
    }

    @Test func `succeeds if only the response is lost, and a repeated PIN reports it`() async throws
    {
        let world = try await World()
        let app = try world.app()
        let verified = try await app.verifyActivation(try await world.activation())
        world.line.fail(.activationCommit, by: .responseLost)
        _ = await error { try await app.setPIN(.typed(World.pin), for: verified) }
        world.line.mend()
        let again = try await app.setPIN(.typed(World.pin), for: verified)
        #expect(again.map(\.outcome) == [.enrolled])
        _ = try await app.logIn(with: .pin(.typed(World.pin)))
        #expect(try await world.bank.devices().count == 1)
    }

    @Test func `reports its success if only the response is lost, and it is begun again`()
        async throws
    {
        let world = try await World()
        let letter = try await world.bank.letter(for: "4711")
        world.line.fail(.activationCommit, by: .responseLost)
        _ = await error { try await world.activate(by: letter) }
        world.line.mend()
        let again = await error {
            try await world.app().verifyActivation(world.activation(by: letter))
        }
        #expect(again?.code == .accountAlreadyActivated)
        #expect(try await world.app().accounts() == [try .named("4711")])
        _ = try await world.app().logIn(with: .pin(.typed(World.pin)))
        #expect(try await world.bank.devices().count == 1)
    }

    @Test func `keeps the seeds of its first commit until the result is known`() async throws {
        let world = try await World()
        let app = try world.app()
        let verified = try await app.verifyActivation(try await world.activation())
        world.line.fail(.activationCommit, by: .responseLost)
        world.line.fail(.status, by: .requestLost)
        for code in [ErrorCode.responseMissing, .networkUnavailable] {
            let failure = await error { try await app.setPIN(.typed(World.pin), for: verified) }
            #expect(failure?.code == code)
        }
        world.line.mend()
        let again = try await app.setPIN(.typed(World.pin), for: verified)
        #expect(again.map(\.outcome) == [.enrolled])
        _ = try await app.logIn(with: .pin(.typed(World.pin)))
        #expect(try await world.bank.devices().count == 1)
    }

    @Test func `happens once if the PIN is set twice at the same time`() async throws {
        let world = try await World()
        let app = try world.app()
        let verified = try await app.verifyActivation(try await world.activation())
        async let first = app.setPIN(.typed(World.pin), for: verified)
        async let second = app.setPIN(.typed(World.pin), for: verified)
        for enrolments in try await [first, second] {
            #expect(enrolments.map(\.outcome) == [.enrolled])
        }
        _ = try await app.logIn(with: .pin(.typed(World.pin)))
        #expect(try await world.bank.devices().count == 1)
    }

    @Test func `has its result before a later activation of the same account`()
        async throws
    {
        let world = try await World()
        world.line.fail(.activationCommit, .status, by: .responseLost)
        #expect(await error { try await world.activate() }?.code == .responseMissing)
        let first = try await world.bank.devices()
        world.line.mend()
        world.line.fail(.status, by: .requestLost)
        let later = await error { try await world.activate(pin: World.newPIN) }
        #expect(later?.code == .networkUnavailable)
        world.line.mend()
        #expect(try await world.app().pendingTransaction() == nil)
        #expect(try await world.app().accounts() == [try .named("4711")])
        _ = try await world.app().logIn(with: .pin(.typed(World.pin)))
        #expect(try await world.bank.devices() == first)
        #expect(try world.fileNames().filter { $0.contains("account-") }.count == 1)
    }

    @Test func `is removed if the bank revoked the device meanwhile`()
        async throws
    {
        let world = try await World()
        world.line.fail(.activationCommit, .status, by: .responseLost)
        _ = await error { try await world.activate() }
        world.line.mend()
        try await world.bank.revokeDevice()
        #expect(try await world.app().oldest() == nil)
        #expect(try world.fileNames().filter { $0.contains("account-") } == [])
        #expect(try await world.activate().map(\.outcome) == [.enrolled])
    }

    @Test func `is void if its commit arrives after the status request`()
        async throws
    {
        let world = try await World()
        let letter = try await world.bank.letter(for: "4711")
        world.line.fail(.activationCommit, by: .requestHeldUp)
        _ = await error { try await world.activate(by: letter) }
        world.line.mend()
        #expect(try await world.app().oldest() == nil)
        #expect(await world.line.deliverHeldUp() == [403, 403])
        #expect(try await world.bank.devices() == [])
        #expect(try await world.activate(by: letter).map(\.outcome) == [.enrolled])
    }

    @Test func `is void if its commit arrives after the deletion of its account`() async throws {
        let world = try await World()
        let letter = try await world.bank.letter(for: "4711")
        world.line.fail(.activationCommit, by: .requestHeldUp)
        _ = await error { try await world.activate(by: letter) }
        world.line.mend()
        #expect(try await world.app().deleteAccount(.named("4711")) == .everywhere)
        #expect(await world.line.deliverHeldUp() == [403, 403])
        #expect(try await world.bank.devices() == [])
    }

    @Test func `succeeds if its commit arrives before the status request`() async throws {
        let world = try await World()
        world.line.fail(.activationCommit, by: .requestHeldUp)
        _ = await error { try await world.activate() }
        world.line.mend()
        #expect(await world.line.deliverHeldUp() == [200, 403])
        #expect(try await world.app().oldest() == nil)
        #expect(try await world.app().accounts().map(\.id) == ["4711"])
        _ = try await world.app().logIn(with: .pin(.typed(World.pin)))
    }

    /// As if the process were killed at this point.
    @Test func `leaves no account or a complete one after any failure, and can be repeated`()
        async throws
    {
        for point in 0..<60 {
            let world = try await World()
            let letter = try await world.bank.letter(for: "4711")
            let end = StepLimit(point)
            // Every point of failure is allowed: `try?`.
            _ = try? await world.activate(by: letter, in: world.app(witness: end.witness))
            _ = try await world.app().oldest()
            if try await world.app().accounts() == [] {
                #expect(try await world.activate(by: letter).map(\.outcome) == [.enrolled])
            }
            _ = try await world.app().logIn(with: .pin(.typed(World.pin)))
            #expect(try await world.bank.devices().count == 1, "point \(point)")
            guard end.isPassed else {
                #expect(point >= 10)
                return
            }
        }
        Issue.record("it never came to its end")
    }
}
