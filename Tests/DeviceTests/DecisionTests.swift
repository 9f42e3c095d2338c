import AuthenticationHandler
import StoreTesting
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@Suite(.onAnyStore) struct `Decisions at a verifier` {
    @Test func `consent needs no PIN, and the PIN type needs it`() async throws {
        let world = try await World(policy: World.allowingConsent)
        try await world.activate()
        let app = try world.app()
        let small = try await world.shown(for: 30_00)
        #expect(small.authenticationTypes == [.consent, .userPIN])
        try await app.approve(small, with: .consent)
        #expect(try await world.bank.outcome(of: small.id) == "approved by consent")
        let other = try await world.shown(for: 30_00)
        try await app.approve(other, with: .pin(.typed(World.pin)))
        #expect(try await world.bank.outcome(of: other.id) == "approved by userPIN")
    }

    @Test func `SEC-65: consent is not offered above the bank's limit`() async throws {
        let world = try await World(policy: World.allowingConsent)
        try await world.activate()
        let large = try await world.shown(for: 30_01)
        #expect(large.authenticationTypes == [.userPIN])
        let failure = await error { try await world.app().approve(large, with: .consent) }
        #expect(failure?.code == .authenticationTypeNotAllowed)
        #expect(try await world.bank.outcome(of: large.id) == "pending")
    }

    @Test func `SEC-107: consent above the sum is refused, and the PIN is offered`() async throws {
        let world = try await World(policy: World.allowingConsent)
        try await world.activate()
        let app = try world.app()
        for _ in 1...2 { try await app.approve(try await world.shown(for: 30_00), with: .consent) }
        let (third, fourth) = (
            try await world.shown(for: 30_00), try await world.shown(for: 30_00)
        )
        try await app.approve(third, with: .consent)
        let failure = await error { try await world.app().approve(fourth, with: .consent) }
        #expect(failure?.code == .authenticationTypeNotAllowed)
        #expect(failure?.offeredTypes == [.userPIN])
        #expect(try await world.bank.outcome(of: fourth.id) == "pending")
        try await app.approve(fourth, with: .pin(.typed(World.pin)))
        #expect(try await world.shown(for: 30_00).authenticationTypes == [.consent, .userPIN])
    }

    @Test func `SEC-22, SEC-25: wrong PINs lead to a temporary lock`() async throws {
        let world = try await World(policy: #"{"transactionSeconds": 600}"#)
        try await world.activate()
        let shown = try await world.shown()
        for left in [4, 3, 2, 1] {
            let failure = await error {
                try await world.app().approve(shown, with: .pin(.typed(World.wrongPIN)))
            }
            #expect(failure?.code == .authenticationFailed)
            #expect(failure?.attemptsLeft == left)
        }
        let end = LockEnd.until(world.bank.clock.now + .seconds(1800))
        for pin in [World.wrongPIN, World.pin] {
            let failure = await error {
                try await world.app().approve(shown, with: .pin(.typed(pin)))
            }
            #expect(failure?.lock == end)
        }
        #expect(try await world.bank.outcome(of: shown.id) == "pending")
        world.bank.clock.advance(by: .seconds(1800))
        let later = try await world.shown()
        try await world.app().approve(later, with: .pin(.typed(World.pin)))
        #expect(try await world.bank.outcome(of: later.id) == "approved by userPIN")
    }

    @Test func `SEC-25: each approval needs the PIN, also after a right one`() async throws {
        let world = try await World()
        try await world.activate()
        let app = try world.app()
        for left in [4, 4] {
            try await app.approve(try await world.shown(), with: .pin(.typed(World.pin)))
            let next = try await world.shown()
            let failure = await error {
                try await app.approve(next, with: .pin(.typed(World.wrongPIN)))
            }
            #expect(failure?.code == .authenticationFailed && failure?.attemptsLeft == left)
            #expect(try await world.bank.outcome(of: next.id) == "pending")
            world.bank.clock.advance(by: .seconds(600))
        }
    }

    @Test(arguments: RejectionReason.allCases)
    func `SEC-34: a rejection is signed with its reason and needs no PIN`(
        _ reason: RejectionReason
    ) async throws {
        let world = try await World()
        try await world.activate()
        let shown = try await world.shown()
        try await world.app().reject(shown, reason: reason)
        #expect(try await world.bank.outcome(of: shown.id) == "rejected: \(reason)")
    }

    @Test func `a rejection works while the PIN is locked`() async throws {
        let world = try await World()
        try await world.activate()
        let shown = try await world.shown()
        try await world.lockPIN()
        let failure = await error {
            try await world.app().approve(shown, with: .pin(.typed(World.pin)))
        }
        #expect(failure?.code == .credentialLocked)
        try await world.app().reject(shown, reason: .notMe)
        #expect(try await world.bank.outcome(of: shown.id) == "rejected: notMe")
    }

    @Test func `SEC-32: only the number that the bank shows is accepted`() async throws {
        let world = try await World(policy: #"{"numberMatchingDigits": 6}"#)
        try await world.activate()
        let app = try world.app()
        let (id, number) = try await world.bank.request()
        let shown = try #require(try await app.pendingTransaction())
        #expect(shown.typedDigits == 6)
        let digits = try #require(number)
        let wrong = digits == "000000" ? "000001" : "000000"
        for (typed, code) in [
            (nil, ErrorCode.invalidArgument), ("12345", .invalidArgument),
            ("12345a", .invalidArgument), (wrong, .authenticationFailed),
        ] {
            let failure = await error {
                try await app.approve(shown, with: .pin(.typed(World.pin)), typedNumber: typed)
            }
            #expect(failure?.code == code)
        }
        try await app.approve(shown, with: .pin(.typed(World.pin)), typedNumber: number)
        #expect(try await world.bank.outcome(of: id) == "approved by userPIN")
    }

    @Test func `SEC-41: a transaction that was changed after its display is not decided`()
        async throws
    {
        let world = try await World()
        try await world.activate()
        let shown = try await world.shown(for: 1)
        try await world.bank.tamper(with: shown.id)
        let failure = await error {
            try await world.app().approve(shown, with: .pin(.typed(World.pin)))
        }
        #expect(failure?.code == .serverUnavailable)
        await #expect(throws: (any Error).self) { try await world.bank.outcome(of: shown.id) }
    }

    @Test func `a decision with a lost response counts once`() async throws {
        let world = try await World()
        try await world.activate()
        let app = try world.app()
        let shown = try await world.shown()
        world.line.fail(.decision, by: .responseLost)
        let lost = await error {
            try await app.approve(shown, with: .pin(.typed(World.pin)))
        }
        #expect(lost?.code == .responseMissing)
        world.line.mend()
        let again = await error {
            try await app.approve(shown, with: .pin(.typed(World.pin)))
        }
        #expect(again?.finalState == .approved)
        #expect(try await world.bank.approvals() == 1)
    }

    @Test func `a decision of a revoked device is refused`() async throws {
        let world = try await World()
        try await world.activate()
        let shown = try await world.shown()
        try await world.bank.revokeDevice()
        let failure = await error {
            try await world.app().approve(shown, with: .pin(.typed(World.pin)))
        }
        #expect(failure?.code == .deviceRevoked)
    }
}
