import Cryptography
import Storage
import StoreTesting
import Testing
import TransactionApproval
import Verification
import VerifierWorld

private let minute = Duration.seconds(60)

/// An installation with one account, and an open activation of another account of the bank.
@Suite(.onAnyStore) struct `Accounts that one installation activates one after the other` {
    private var bank: Bank
    private let phone: Phone
    private let other = Bank.account("4712")

    init() async throws {
        bank = try await Bank()
        phone = try await bank.activate()
        _ = try await bank.verifier.addAccount(other, by: .operatorCommand)
    }

    /// The second step of an activation, which can name a sibling.
    private struct Step: ~Copyable {
        let phone: Phone
        let claim: SubmittedClaim
        let issued: IssuedActivation

        var digest: Digest { get throws { try claim.digest() } }
    }

    private func begin(_ account: AccountReference? = nil) async throws -> Step {
        let issued = try await bank.issue(for: account ?? other)
        let new = try bank.phone()
        let claim = try new.claim(issued.id, issued.code)
        return Step(phone: new, claim: claim, issued: issued)
    }

    private func commit(
        _ step: borrowing Step,
        joining sibling: ActivationCommit.Sibling?
    ) async throws -> CommitResult {
        let commit = try await bank.offered(
            step.claim,
            to: [step.phone],
            step.issued.code,
            joining: sibling
        )
        return try await bank.verifier.commit(commit)
    }

    /// Proves the PIN of `phone` for this claim.
    private func sibling(
        _ phone: Phone,
        for claim: Digest?,
        with pin: Phone.PIN = .right
    ) async throws -> ActivationCommit.Sibling {
        let attempt = try AttemptID.random()
        try await phone.checkPIN(with: pin, attempt: attempt, for: claim, in: bank)
        return ActivationCommit.Sibling(device: phone.id, attempt: attempt)
    }

    /// Activates an account that joins the count of `phone`.
    private func join(_ phone: Phone, _ account: AccountReference? = nil) async throws -> Phone {
        let step = try await begin(account)
        let sibling = try await sibling(phone, for: try step.digest)
        guard case .committed([.enrolled], _) = try await commit(step, joining: sibling) else {
            throw Bank.Unexpected()
        }
        return step.phone
    }

    private func isRefused(
        _ step: borrowing Step,
        joining sibling: ActivationCommit.Sibling
    ) async throws -> Bool {
        try await commit(step, joining: sibling) == .refused(.enrolment)
    }

    // MARK: One count

    @Test mutating func `SEC-108: share one failure count, over restarts`() async throws {
        let second = try await join(phone)
        for (left, guessed) in [(4, phone), (3, second), (2, second), (1, phone)] {
            #expect(try await guessed.checkPIN(with: .wrong, in: bank) == .wrong(left: left))
            try await bank.restart()
        }
        let end = bank.clock.now + minute * 30
        #expect(try await second.checkPIN(with: .wrong, in: bank) == .locking(until: end))
        for each in [phone, second] {
            #expect(try await each.checkPIN(in: bank) == .refused(.locked(until: end)))
        }
    }

    /// A thief of the phone has fifteen guesses at the PIN, not fifteen for each account.
    @Test func `SEC-108: give a thief the guesses of one account`() async throws {
        var phones = [phone]
        for id in ["4712", "4713", "4714"] {
            let account = Bank.account(id)
            _ = try await bank.verifier.addAccount(account, by: .operatorCommand)
            phones.append(try await join(phones.randomElement() ?? phone, account))
        }
        var guesses = 0
        for round in 0..<100 {
            let result = try await phones[round % 4].checkPIN(with: .wrong, in: bank)
            if case .refused(.wrongCode) = result { guesses += 1 }
            bank.clock.advance(by: minute * 61)
        }
        #expect(guesses == 15)
        for each in phones {
            #expect(try await bank.verifier.status(of: each.id)?.status == .blocked)
        }
    }

    @Test func `SEC-108: join the count of a group through any of its accounts`()
        async throws
    {
        let linked = try await bank.addLinkedAccount("4713")
        let phones = try await bank.activateAll(linked, 2)
        let third = try await join(phones[1])
        for _ in 1...3 { try await phones[0].checkPIN(with: .wrong, in: bank) }
        #expect(try await third.checkPIN(with: .wrong, in: bank) == .wrong(left: 1))
    }

    @Test func `SEC-108: are unlocked together`() async throws {
        let second = try await join(phone)
        try await second.failUntilLocked(in: bank)
        let account = try await bank.credential(of: phone).device.account
        let result = try await bank.verifier.unlock(
            .user,
            on: phone.id,
            of: account,
            by: Bank.core
        )
        #expect(result == .done)
        #expect(try await second.checkPIN(in: bank) == .accepted(nil))
    }

    /// The phone of one person, and another phone of the same person.
    @Test func `SEC-108: do not share a count with another installation`() async throws {
        let step = try await begin()
        guard case .committed = try await commit(step, joining: nil) else {
            throw Bank.Unexpected()
        }
        for _ in 1...4 { try await phone.checkPIN(with: .wrong, in: bank) }
        #expect(try await step.phone.checkPIN(with: .wrong, in: bank) == .wrong(left: 4))
    }

    // MARK: Failures stay

    @Test func `SEC-108: joining resets no failures of the installation`() async throws {
        let step = try await begin()
        let sibling = try await sibling(phone, for: try step.digest)
        // A thief guesses between the check and the commit.
        for _ in 1...3 { try await phone.checkPIN(with: .wrong, in: bank) }
        let before = try await bank.credential(of: phone).failures
        guard case .committed = try await commit(step, joining: sibling) else {
            throw Bank.Unexpected()
        }
        #expect(try await bank.credential(of: phone).failures == before)
        #expect(try await bank.credential(of: step.phone).failures == before)
        #expect(try await step.phone.checkPIN(with: .wrong, in: bank) == .wrong(left: 1))
    }

    @Test func `SEC-108: a count that was locked since the check is not joined`() async throws {
        let step = try await begin()
        let sibling = try await sibling(phone, for: try step.digest)
        try await phone.failUntilLocked(in: bank)
        #expect(try await isRefused(step, joining: sibling))
        bank.clock.advance(by: minute * 30)
        guard case .committed = try await commit(step, joining: sibling) else {
            throw Bank.Unexpected()
        }
        #expect(try await bank.credential(of: step.phone).failures.consecutiveLocks == 1)
    }

    /// Two activations at once, and wrong codes during both.
    @Test func `SEC-108: concurrent activations and failures end in one count`()
        async throws
    {
        let third = Bank.account("4713")
        _ = try await bank.verifier.addAccount(third, by: .operatorCommand)
        let first = try await begin()
        let second = try await begin(third)
        let commits = [
            try await bank.offered(
                first.claim,
                to: [first.phone],
                first.issued.code,
                joining: try await sibling(phone, for: try first.digest)
            ),
            try await bank.offered(
                second.claim,
                to: [second.phone],
                second.issued.code,
                joining: try await sibling(phone, for: try second.digest)
            ),
        ]
        let (bank, phone) = (bank, phone)
        try await withThrowingTaskGroup { group in
            for commit in commits { group.addTask { try await bank.complete(commit) } }
            group.addTask {
                for _ in 1...3 { try await phone.checkPIN(with: .wrong, in: bank) }
            }
            try await group.waitForAll()
        }
        for each in [phone, first.phone, second.phone] {
            #expect(try await bank.credential(of: each).failures.consecutiveFailures == 3)
        }
    }

    // MARK: Attacks

    /// With the device key alone, the thief cannot make their own PIN clear the count.
    @Test func `SEC-108: a thief without the PIN cannot join an account of their own`()
        async throws
    {
        let step = try await begin()
        let guess = try await sibling(phone, for: try step.digest, with: .wrong)
        #expect(try await isRefused(step, joining: guess))
        #expect(try await bank.credential(of: phone).failures.consecutiveFailures == 1)
        let invented = ActivationCommit.Sibling(device: phone.id, attempt: try .random())
        #expect(try await isRefused(step, joining: invented))
        // Without a sibling, the account of the thief has a count of its own.
        guard case .committed = try await commit(step, joining: nil) else {
            throw Bank.Unexpected()
        }
        try await step.phone.checkPIN(in: bank)
        #expect(try await bank.credential(of: phone).failures.consecutiveFailures == 1)
    }

    /// Checks that the person made for something else.
    @Test func `SEC-108: a PIN check for another claim, or for none, joins nothing`()
        async throws
    {
        let step = try await begin()
        #expect(try await isRefused(step, joining: try await sibling(phone, for: nil)))
        // The same activation, claimed by the person's device.
        let again = try bank.phone()
        let activation = step.claim.claim.activation
        let theirs = try again.claim(activation, step.issued.code)
        let replayed = try await sibling(phone, for: try theirs.digest())
        #expect(try await isRefused(step, joining: replayed))
        // Another kind of attempt with the right PIN.
        let attempt = try AttemptID.random()
        _ = try await phone.logIn(attempt: attempt, in: bank)
        let login = ActivationCommit.Sibling(device: phone.id, attempt: attempt)
        #expect(try await isRefused(step, joining: login))
        // The attempt of another device.
        let stranger = try await bank.activate()
        let proven = try await sibling(phone, for: try step.digest)
        let foreign = ActivationCommit.Sibling(device: stranger.id, attempt: proven.attempt)
        #expect(try await isRefused(step, joining: foreign))
        guard case .committed = try await commit(step, joining: proven) else {
            throw Bank.Unexpected()
        }
    }

    @Test func `SEC-108: a check that was renamed to another claim is not stored again`()
        async throws
    {
        let step = try await begin()
        let attempt = try AttemptID.random()
        try await phone.checkPIN(attempt: attempt, in: bank)
        let renamed = try await phone.checkPIN(attempt: attempt, for: try step.digest, in: bank)
        #expect(renamed == .refused(.attemptReused))
        let sibling = ActivationCommit.Sibling(device: phone.id, attempt: attempt)
        #expect(try await isRefused(step, joining: sibling))
    }

    @Test func `SEC-108: a revoked, suspended or disabled sibling joins nothing`() async throws {
        let step = try await begin()
        let sibling = try await sibling(phone, for: try step.digest)
        try await bank.setEnabled(false, phone, .user)
        #expect(try await isRefused(step, joining: sibling))
        try await bank.setEnabled(true, phone, .user)
        try await bank.revoke(phone)
        #expect(try await isRefused(step, joining: sibling))
        #expect(try await bank.verifier.status(of: step.phone.id) == nil)
    }

    @Test func `SEC-108: a sibling of another enterprise joins nothing`() async throws {
        let enterprise = EnterpriseID(checked: "other-bank")
        let foreign = AccountReference(enterprise: enterprise, key: Bank.account.key)
        try await bank.verifier.addEnterprise(enterprise, policy: "{}", by: .operatorCommand)
        _ = try await bank.verifier.addAccount(foreign, by: .operatorCommand)
        let step = try await begin(foreign)
        let sibling = try await sibling(phone, for: try step.digest)
        #expect(try await isRefused(step, joining: sibling))
        guard case .committed = try await commit(step, joining: nil) else {
            throw Bank.Unexpected()
        }
    }

    @Test func `SEC-108: a device cannot be its own sibling`() async throws {
        let step = try await begin()
        let own = ActivationCommit.Sibling(device: step.phone.id, attempt: try .random())
        await #expect(throws: (any Error).self) { try await commit(step, joining: own) }
    }
}
