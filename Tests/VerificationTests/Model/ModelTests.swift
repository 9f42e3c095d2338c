import Testing
import Verification
import VerifierWorld

@Suite(.onEveryStore) struct `Random histories` {
    /// A few seeds that stay, which bring about all that is counted, and one that is new each time.
    @Test func `SEC-50, SEC-59: go as the reference model says, and in no other order`()
        async throws
    {
        var counted: Set<Event.Kind> = []
        for seed in 1...11 { counted.formUnion(try await history(seed).model.events.keys) }
        #expect(Set(ReferenceModel.kinds).subtracting(counted) == [])
        _ = try await history(Int.random(in: 100...1_000_000))
    }

    /// One that ended as the model says, with each of its events on the trail once.
    private func history(_ seed: Int) async throws -> History {
        var history = try await History(seed: seed)
        for step in 1...150 {
            // Late, as little else is accepted from then on.
            let isGuessed = step == 130
            let isAgreed = try await isGuessed ? history.guessUntilBlocked() : history.goOn()
            try #require(isAgreed, "seed \(seed)\n\(history.lines.joined(separator: "\n"))")
        }
        let isOnTrail = try await history.isOnTrail()
        #expect(isOnTrail, "seed \(seed)\n\(history.lines.joined(separator: "\n"))")
        let findings = try await AuditVerification.run(over: history.bank.database).findings
        #expect(findings == [], "seed \(seed)")
        return history
    }
}
