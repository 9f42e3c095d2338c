import Cryptography
import Testing
import TransactionApproval
import Verification
import VerifierWorld

/// The states of an activation whose code a stranger guesses.
private enum ActivationFate: CaseIterable, Sendable {
    case none, used, revoked, expired, erased, open, reported

    /// Creates an activation in this state.
    func activation(in bank: Bank) async throws -> ActivationID {
        let issued = try await bank.issue()
        switch self {
        case .none: return try .random()
        case .used:
            let phone = try bank.phone()
            let submitted = try phone.claim(issued.id, issued.code)
            let commit = try await bank.offered(submitted, to: [phone], issued.code)
            _ = try await bank.verifier.commit(commit)
        case .revoked: _ = try await bank.issue()
        case .expired: bank.clock.advance(by: .seconds(24 * 60 * 60))
        case .erased:
            bank.clock.advance(by: .seconds(8 * 24 * 60 * 60))
            _ = try await bank.verifier.expire(atMost: 1)
        case .open: break
        case .reported: try await bank.guess(at: issued.id, times: 5)
        }
        return issued.id
    }
}

@Suite(.onAnyStore) struct `Activations and strangers without the code` {
    @Test(arguments: ActivationFate.allCases, ActivationStep.allCases)
    fileprivate func `SEC-52, SEC-112: a wrong code gets the same response at the same cost`(
        _ fate: ActivationFate,
        _ step: ActivationStep
    ) async throws {
        let bank = try await Bank()
        let activation = try await fate.activation(in: bank)
        let database = WatchedDatabase(bank.database)
        let verifier = bank.verifier(over: database)
        // The first use of a verifier derives the key of its tags.
        _ = try await verifier.tokens()
        database.forget()
        let guess = try bank.phone().claim(activation, ActivationCode.random())
        var refusal: Activation.Refusal?
        let work = await work { refusal = try? await verifier.refusal(of: guess, step) }
        #expect(refusal == .codeInvalid)
        #expect(work == CountedWork(agreements: 1, derivations: 3, sealings: 1))
        #expect(database.statements == ["read", "SELECT"])
    }

    @Test func `a stranger cannot fill the audit trail: one event until the next right code`()
        async throws
    {
        let bank = try await Bank()
        let issued = try await bank.issue()
        let phone = try bank.phone()
        let before = try await bank.events().count
        for _ in 0..<8 {
            try await bank.guess(at: issued.id, times: 3)
            bank.clock.advance(by: .seconds(60))
        }
        #expect(try await bank.events().dropFirst(before).map(\.kind) == [.activationFailed])
        let right = try phone.claim(issued.id, issued.code)
        for _ in 0..<3 { _ = try await bank.offered(right, to: [phone], issued.code) }
        #expect(try await bank.count(of: .activationClaimed) == 1)
        try await bank.guess(at: issued.id, times: 3)
        #expect(try await bank.count(of: .activationFailed) == 2)
    }
}

@Suite(.onAnyStore) struct `Activations and a late right code` {
    @Test(arguments: ActivationStep.allCases)
    func `SEC-53: for a week the right code is refused as expired, then as unknown`(
        _ step: ActivationStep
    ) async throws {
        let bank = try await Bank()
        let issued = try await bank.issue()
        let claim = try bank.phone().claim(issued.id, issued.code)
        bank.clock.advance(by: .seconds(8 * 24 * 60 * 60) - .milliseconds(1))
        #expect(try await bank.verifier.expire(atMost: 1) == 0)
        #expect(try await bank.verifier.refusal(of: claim, step) == .expired)
        bank.clock.advance(by: .milliseconds(1))
        #expect(try await bank.verifier.expire(atMost: 1) == 1)
        #expect(try await bank.verifier.refusal(of: claim, step) == .codeInvalid)
    }
}

extension Bank {
    /// Sends wrong codes, and reports them.
    fileprivate func guess(at activation: ActivationID, times: Int) async throws {
        for _ in 0..<times {
            _ = try await verifier.claim(phone().claim(activation, ActivationCode.random()))
        }
        try await verifier.reportWrongCodes()
    }
}
