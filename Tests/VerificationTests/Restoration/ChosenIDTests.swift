import Storage
import Testing
import TransactionApproval
import Verification
import VerifierWorld

/// A device chooses the id of its biometric credential, and an audit record has only this id.
@Suite(.onEveryStore) struct `A restore with an id that a device chose` {
    private let premises: Premises
    private let backup: String
    private let newAccount = Bank.account("4712")

    init() throws {
        premises = try Premises()
        backup = premises.path + "/backup"
    }

    /// A person's phone, and a thief's phone in the account that replaces the person's one.
    private func begin() async throws -> (Bank, person: Phone, thief: Phone) {
        let bank = try await premises.begin()
        let person = try await bank.activate()
        return (bank, person, try await bank.activate("4712").1)
    }

    private func copyID(of person: Phone, to thief: Phone, in bank: Bank) async throws {
        let id = try await bank.credential(of: person).credential.id
        let rekey = try await thief.rekey(.biometric, id: id, in: bank)
        #expect(try await thief.send(rekey, in: bank) == .accepted(nil))
    }

    private func replace(in bank: Bank) async throws {
        let replaced = try await bank.verifier.replace(
            Bank.account,
            by: newAccount.key,
            by: Bank.core
        )
        #expect(replaced == .done)
    }

    private func removeBiometrics(from thief: Phone, in bank: Bank) async throws {
        let removal = try await bank.verifier.removeBiometrics(from: thief.id, attempt: .random())
        #expect(removal == .accepted(nil))
    }

    /// Returns the changes that the restore did not repeat.
    private func restore(_ bank: Bank) async throws -> [Event.Kind] {
        await bank.database.close()
        try premises.store.putBack(backup)
        let restoration = try await premises.restore()
        #expect(restoration.replayed == 0)
        return restoration.unreplayed.map(\.event.kind)
    }

    private func expectValidPIN(of person: Phone) async throws {
        let bank = try await premises.open()
        let attempt = try await person.attempt(over: .pinCheck, in: bank)
        #expect(try await bank.verifier.checkPIN(attempt) == .accepted(nil))
        await bank.database.close()
        #expect(try await premises.audit(againstJournal: true).findings == [])
    }

    @Test func `changes neither of two credentials with the same id`() async throws {
        let (bank, person, thief) = try await begin()
        try await copyID(of: person, to: thief, in: bank)
        try await replace(in: bank)
        try await premises.store.backUp(to: backup)
        try await removeBiometrics(from: thief, in: bank)
        #expect(try await restore(bank) == [.credentialRemoved])
        try await expectValidPIN(of: person)
    }

    @Test func `changes neither of them if one was in an account that was replaced since`()
        async throws
    {
        let (bank, person, thief) = try await begin()
        try await copyID(of: person, to: thief, in: bank)
        try await premises.store.backUp(to: backup)
        try await replace(in: bank)
        try await removeBiometrics(from: thief, in: bank)
        #expect(try await restore(bank) == [.accountReplaced, .credentialRemoved])
        try await expectValidPIN(of: person)
    }

    @Test func `changes no other credential instead of one that the backup does not have`()
        async throws
    {
        let (bank, person, thief) = try await begin()
        try await premises.store.backUp(to: backup)
        try await copyID(of: person, to: thief, in: bank)
        try await replace(in: bank)
        try await removeBiometrics(from: thief, in: bank)
        #expect(
            try await restore(bank) == [.credentialAdded, .accountReplaced, .credentialRemoved]
        )
        try await expectValidPIN(of: person)
    }
}
