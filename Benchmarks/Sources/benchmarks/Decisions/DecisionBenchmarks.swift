import CReference
import Glibc
import TransactionApproval
import Verification

extension Benchmark {
    /// Decisions with durable commits, against a loop in C that reads and writes the same.
    static var decisions: [Benchmark] {
        [1, 16, 64, 256].map { callers in
            decisions(callers: callers, callers == 64 ? .atMost(1 / 0.6) : nil)
        }
    }

    private static func decisions(callers: Int, _ target: Target?) -> Benchmark {
        let stores = StorePair(deciderCount: callers == 1 ? 256 : 2048)
        return Benchmark(
            name: "verifier.decision.sqlite.\(callers)-callers-vs-c",
            unit: "µs",
            target: target,
            statistic: .quietPairs,
            pairCount: 25,
            ours: { try await stores.ours(callers: callers) },
            reference: { try await stores.reference() }
        )
    }
}

/// Two stores that are alike: one that the verifier decides on, one for the loop in C.
private final class StorePair {
    private let deciderCount: Int
    private var stores: (ours: DecisionStore, reference: DecisionStore)?
    private var counter: Int64 = 0
    private var groupSize = 1

    init(deciderCount: Int) {
        self.deciderCount = deciderCount
    }

    func ours(callers: Int) async throws -> Benchmark.Sample {
        let store = try await both().ours
        let decisions = try await store.newRound()
        let (sample, groupSize) = try await store.decide(decisions, callers: callers)
        self.groupSize = groupSize
        return sample
    }

    /// The same groups as the verifier made the last time.
    func reference() async throws -> Benchmark.Sample {
        let store = try await both().reference
        let decisions = try await store.newRound()
        counter += 1
        let texts = decisions.map { decision in
            (
                strdup(decision.transaction.text),
                strdup(DecisionStore.account(decision.account).key.id.text)
            )
        }
        defer { for (transaction, account) in texts { free(transaction); free(account) } }
        let plain = zip(decisions, texts).map { decision, text in
            var plain = reference_decision()
            plain.transaction = UnsafePointer(text.0)
            plain.account = UnsafePointer(text.1)
            plain.evidence_size = Int32(decision.evidence.stored.count)
            withUnsafeMutableBytes(of: &plain.device) {
                $0.copyBytes(from: decision.attempt.device.bytes)
            }
            withUnsafeMutableBytes(of: &plain.attempt) {
                $0.copyBytes(from: decision.attempt.code.attempt.bytes)
            }
            return plain
        }
        guard let opened = reference_open_store(store.path) else { throw DecisionStore.Failure() }
        defer { reference_close_store(opened) }
        let moment = Int64(DecisionStore.moment.milliseconds)
        let start = ContinuousClock.now
        let count = reference_decisions(opened, plain, plain.count, groupSize, counter, moment)
        let sample = Benchmark.Sample(since: start, for: decisions.count)
        guard count == decisions.count else { throw DecisionStore.Failure() }
        return sample
    }

    private func both() async throws -> (ours: DecisionStore, reference: DecisionStore) {
        if let stores { return stores }
        let made = (
            ours: try await DecisionStore(accountCount: 10_000, deciderCount: deciderCount),
            reference: try await DecisionStore(accountCount: 10_000, deciderCount: deciderCount)
        )
        stores = made
        return made
    }
}
