import Testing
import TransactionApproval
import VerifierWorld

@testable import Sealing
@testable import Storage
@testable import Verification

/// All other callers wait for the writer, so expensive work must happen before.
@Suite(.onEveryStore) struct `The writer thread` {
    @Test func `derives no key, and opens and seals nothing`() async throws {
        var bank = try await Bank(policy: #"{"numberMatchingDigits": 2}"#)
        let store = CountingDatabase(store: bank.database)
        bank.use(bank.verifier(over: store))
        let phone = try await bank.activate()
        let (payment, number) = try await bank.payShowingNumber()
        #expect(try await phone.decide(on: payment, number: number, in: bank) == .accepted(nil))
        #expect(try await phone.checkPIN(with: .wrong, in: bank) == .wrong(left: 4))
        guard case .accepted(.some) = try await phone.logIn(in: bank) else {
            throw Bank.Unexpected()
        }
        let code = try await phone.typedCode(in: bank)
        #expect(try await phone.type(code, in: bank) == .accepted(nil))
        let (first, second) = (
            try await phone.typedCode(ahead: 30, in: bank),
            try await phone.typedCode(ahead: 31, in: bank)
        )
        #expect(try await phone.resynchronise(first, then: second, in: bank) == .accepted(nil))
        #expect(try await phone.changePIN(in: bank) == .accepted(nil))
        #expect(store.macCount > 0)
        #expect(store.sealingCount == 0)
    }

    @Test func `checks the keys of a store without writing`() async throws {
        let bank = try await Bank()
        try await bank.verifier.checkKeys()
        let store = WatchedDatabase(bank.database)
        try await bank.verifier(over: store).checkKeys()
        #expect(store.statements.contains("read"))
        #expect(!store.statements.contains("write"))
    }

    /// Counter-check: the same work during a write is counted.
    @Test func `the test counts work during a write`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let store = CountingDatabase(store: bank.database)
        let (verifier, state) = (bank.verifier, try await bank.credential(of: phone))
        try await store.write { _ throws(StoreFailure) in
            do throws(Verifier.Failure) {
                _ = try verifier.openSecret(of: state)
            } catch {
                throw .damaged
            }
        }
        #expect(store.sealingCount > 0)
    }
}
