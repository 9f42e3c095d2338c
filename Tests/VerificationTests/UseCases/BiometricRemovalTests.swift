import OneTimePassword
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@Suite(.onAnyStore) struct `Removal of biometrics` {
    private static let policy = #"{"authentication": ["userPIN", "biometric"]}"#

    /// A phone with a biometric credential.
    private func phone(in bank: Bank) async throws -> Phone {
        let phone = try await bank.activate()
        try await turnOn(phone, in: bank)
        return phone
    }

    private func turnOn(_ phone: Phone, in bank: Bank) async throws {
        let rekey = try await phone.rekey(.biometric, in: bank)
        guard try await phone.send(rekey, in: bank) == .accepted(nil) else {
            throw Bank.Unexpected()
        }
    }

    private func remove(_ phone: Phone, _ attempt: AttemptID? = nil, in bank: Bank) async throws
        -> AttemptResult
    {
        try await bank.verifier.removeBiometrics(from: phone.id, attempt: attempt ?? .random())
    }

    @Test func `SEC-48: removal ends the biometric credential at once, and no other`() async throws
    {
        var bank = try await Bank(policy: Self.policy)
        let phone = try await phone(in: bank)
        let payment = try await bank.pay()
        #expect(try await remove(phone, in: bank) == .accepted(nil))
        try await bank.restart()
        let approval = try await phone.decide(on: payment, by: .biometric, in: bank)
        #expect(approval == .refused(.generationMismatch))
        #expect(
            try await phone.logIn(by: .biometric, in: bank) == .refused(.generationMismatch)
        )
        #expect(try await phone.decide(on: payment, in: bank) == .accepted(nil))
        #expect(try await bank.count(of: .credentialRemoved) == 1)
    }

    @Test func `only the next generation ends the removal`() async throws {
        let bank = try await Bank(policy: Self.policy)
        let phone = try await phone(in: bank)
        let old = try #require(phone.seedBytes(.biometric))
        #expect(try await remove(phone, in: bank) == .accepted(nil))
        try await turnOn(phone, in: bank)
        let payment = try await bank.pay()
        #expect(try await phone.decide(on: payment, by: .biometric, in: bank) == .accepted(nil))
        let credential = try await bank.credential(.biometric, of: phone).credential
        #expect(credential.generation == Generation(1))
        phone.keep(old, for: .biometric)
        #expect(try await phone.logIn(by: .biometric, in: bank) == .wrong(left: 4))
    }

    @Test func `removal happens once per attempt, and the attempt id is not reusable`() async throws
    {
        let bank = try await Bank(policy: Self.policy)
        let phone = try await phone(in: bank)
        let attempt = try AttemptID.random()
        #expect(try await remove(phone, attempt, in: bank) == .accepted(nil))
        try await turnOn(phone, in: bank)
        let before = try await bank.contents()
        #expect(try await remove(phone, attempt, in: bank) == .accepted(nil))
        let deletion = try await bank.verifier.delete(phone.id, attempt: attempt)
        #expect(deletion == .refused(.attemptReused))
        #expect(try await bank.contents() == before)
    }

    @Test func `removal without biometrics changes nothing`() async throws {
        let bank = try await Bank(policy: Self.policy)
        let phone = try await bank.activate()
        let removed = try await self.phone(in: bank)
        #expect(try await remove(removed, in: bank) == .accepted(nil))
        let before = try await bank.events()
        let attempt = try AttemptID.random()
        for phone in [phone, removed] {
            #expect(try await remove(phone, attempt, in: bank) == .accepted(nil))
        }
        #expect(try await bank.events() == before)
        for phone in [phone, removed] {
            try await turnOn(phone, in: bank)
            // The same attempt, delayed until now.
            #expect(try await remove(phone, attempt, in: bank) == .accepted(nil))
            #expect(try await phone.logIn(by: .biometric, in: bank).isAccepted)
        }
        #expect(try await bank.count(of: .credentialRemoved) == 1)
    }

    /// A device cannot enable a credential that the bank disabled.
    @Test(arguments: [true, false])
    func `a credential that the bank disabled stays disabled after a new generation`(
        _ isBefore: Bool
    ) async throws {
        let bank = try await Bank(policy: Self.policy)
        let phone = try await phone(in: bank)
        if isBefore { #expect(try await bank.setEnabled(false, phone, .biometric) == .done) }
        #expect(try await remove(phone, in: bank) == .accepted(nil))
        if !isBefore { #expect(try await bank.setEnabled(false, phone, .biometric) == .done) }
        try await turnOn(phone, in: bank)
        let login = try await phone.logIn(by: .biometric, in: bank)
        #expect(login == .refused(.credentialDisabled))
        #expect(try await bank.setEnabled(true, phone, .biometric) == .done)
        let later = try await phone.logIn(by: .biometric, in: bank)
        #expect(later.isAccepted)
    }

    @Test func `a new generation ends no lock`() async throws {
        let bank = try await Bank(policy: Self.policy)
        let phone = try await phone(in: bank)
        for _ in 1...5 { _ = try await phone.logIn(by: .biometric, with: .wrong, in: bank) }
        let locked = try await phone.logIn(by: .biometric, in: bank)
        #expect(try await remove(phone, in: bank) == .accepted(nil))
        try await turnOn(phone, in: bank)
        #expect(try await phone.logIn(by: .biometric, in: bank) == locked)
        guard case .refused(.locked) = locked else { throw Bank.Unexpected() }
    }

    @Test func `removal is refused for a revoked or suspended device`() async throws {
        let bank = try await Bank(policy: Self.policy)
        let (revoked, blocked) = (try await phone(in: bank), try await phone(in: bank))
        try await bank.revoke(revoked)
        try await blocked.guessUntilBlocked(in: bank)
        #expect(try await remove(revoked, in: bank) == .refused(.deviceRevoked))
        #expect(try await remove(blocked, in: bank) == .refused(.blocked))
        let unknown = try await bank.verifier.removeBiometrics(
            from: .random(),
            attempt: .random()
        )
        #expect(unknown == .refused(.deviceRevoked))
        #expect(try await bank.count(of: .credentialRemoved) == 0)
    }
}
