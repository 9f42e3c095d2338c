import Sealing
import Testing
import Verification
import VerifierWorld

@Suite(.onEveryStore) struct `Random histories against the model` {
    /// A few fixed seeds, which cover every counted event, and one new seed.
    @Test func `SEC-50, SEC-59: the verifier behaves like the reference model`()
        async throws
    {
        var counted: Set<Event.Kind> = []
        for seed in 1...11 { counted.formUnion(try await history(seed).model.events.keys) }
        #expect(Set(ReferenceModel.kinds).subtracting(counted) == [])
        _ = try await history(Int.random(in: 100...1_000_000))
    }

    /// Runs a history, and checks that each of its events is on the trail once.
    private func history(_ seed: Int) async throws -> History {
        var history = try await History(seed: seed)
        for step in 1...150 {
            // Late, because afterwards almost everything is refused.
            let isGuessed = step == 130
            let isAgreed = try await isGuessed ? history.guessUntilBlocked() : history.runStep()
            try #require(isAgreed, "seed \(seed)\n\(history.lines.joined(separator: "\n"))")
        }
        let isOnTrail = try await history.isOnTrail()
        #expect(isOnTrail, "seed \(seed)\n\(history.lines.joined(separator: "\n"))")
        let findings = try await AuditVerification.run(over: KeyedStore(history.bank.database))
            .findings
        #expect(findings == [], "seed \(seed)")
        return history
    }
}
