import Testing
import Verifier
import VerifierWorld

@Suite(.onEveryStore) struct `Random histories` {
    /// A few seeds that stay, and one that is new each time.
    @Test(arguments: Array(1...11) + [Int.random(in: 100...1_000_000)])
    func `SEC-50, SEC-59: go as the reference model says, and in no other order`(
        _ seed: Int
    ) async throws {
        var history = try await History(seed: seed)
        for _ in 0..<150 {
            guard try await history.goOn() else {
                Issue.record("seed \(seed)\n\(history.lines.joined(separator: "\n"))")
                return
            }
        }
        let isOnTrail = try await history.isOnTrail()
        #expect(isOnTrail, "seed \(seed)\n\(history.lines.joined(separator: "\n"))")
        #expect(try await AuditVerification.run(over: history.bank.database).findings == [])
    }
}
