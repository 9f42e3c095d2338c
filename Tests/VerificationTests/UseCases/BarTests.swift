import OneTimePassword
import Testing
import TransactionApproval
import Verification
import VerifierWorld

/// Reasons to refuse every code of a credential.
enum Bar: CaseIterable {
    case locked, blocked, revoked, disabled
}

@Suite(.onAnyStore) struct `A right code through every interface` {
    private func bankWithAPhone() async throws -> (Bank, Phone) {
        let bank = try await Bank(policy: Entry.policy)
        return (bank, try await bank.activate())
    }

    @Test(arguments: Entry.allCases)
    func `is accepted`(_ entry: Entry) async throws {
        let (bank, phone) = try await bankWithAPhone()
        let result = try await phone.message(entry, in: bank)(bank)
        guard case .accepted = result else { throw Bank.Unexpected() }
    }

    /// A rejection works during a lock, as `LockTests` show.
    private static let barred = Entry.allCases.flatMap { entry in
        Bar.allCases.filter { entry != .rejection || $0 != .locked }.map { (entry, $0) }
    }

    @Test(arguments: barred)
    func `is refused and changes nothing while its credential is barred`(
        _ entry: Entry,
        _ bar: Bar
    ) async throws {
        var (bank, phone) = try await bankWithAPhone()
        let send = try await phone.message(entry, in: bank)
        let refusal = try await phone.put(bar, on: entry.kind, in: bank)
        // The first typed code creates the key for fingerprints.
        let before = try await bank.contents().dropFirst()
        #expect(try await send(bank) == .refused(refusal))
        #expect(try await bank.contents().dropFirst() == before)
        try await bank.restart()
        #expect(try await send(bank) == .refused(refusal))
    }

    @Test(arguments: [Bar.blocked, .revoked])
    func `a barred device gets no transactions`(_ bar: Bar) async throws {
        let (bank, phone) = try await bankWithAPhone()
        let payment = try await bank.pay()
        let (id, verifier) = (phone.id, bank.verifier)
        #expect(try await verifier.pendingTransactions(for: id).value == [payment.id])
        let shown = try await verifier.transaction(payment.id, for: id).value
        #expect(shown?.transaction?.id == payment.id)
        let refusal = try await phone.put(bar, on: .user, in: bank)
        #expect(try await verifier.pendingTransactions(for: id).refusal == refusal)
        #expect(try await verifier.transaction(payment.id, for: id).refusal == refusal)
    }
}

extension Phone {
    /// Applies the bar, and returns the refusal of any later code.
    fileprivate func put(
        _ bar: Bar,
        on kind: CredentialKind,
        in bank: Bank
    ) async throws -> Refusal {
        switch bar {
        case .locked:
            try await failUntilLocked(kind, in: bank)
            return .locked(until: bank.clock.now + .seconds(30 * 60))
        case .blocked:
            try await guessUntilBlocked(in: bank)
            return .blocked
        case .revoked:
            try await bank.revoke(self)
            return .deviceRevoked
        case .disabled:
            try await bank.setEnabled(false, self, kind)
            return .credentialDisabled
        }
    }

    private func failUntilLocked(_ kind: CredentialKind, in bank: Bank) async throws {
        switch kind {
        case .user: try await failUntilLocked(in: bank)
        case .device:
            let payment = try await bank.pay()
            for _ in 1...5 {
                try await decide(.reject(.noLongerWanted), on: payment, with: .wrong, in: bank)
            }
        case .biometric:
            for _ in 1...5 { _ = try await logIn(by: .biometric, with: .wrong, in: bank) }
        }
    }
}
