import StrictJSON
package import Verification

/// What a verifier does without being asked: it ends what is past its deadline, clears away what is
/// over, and has its journal signed.
///
/// Several nodes over one store may all do it: each work takes what is left of it.
package struct Housekeeping: Sendable {
    /// Something that is done again and again, `interval` apart, and at once where more is left.
    struct Chore: Sendable {
        let name: String
        let interval: Duration
        /// Whether there is more to do.
        let work: @Sendable () async throws(Verifier.Failure) -> Bool
    }

    private static let batch = 500

    private let chores: [Chore]
    private let metrics: Metrics
    private let log: Log
    private let sleep: @Sendable (Duration) async throws -> Void

    package init(_ verifier: Verifier, metrics: Metrics, log: Log) {
        self.init(Self.chores(of: verifier), metrics: metrics, log: log) {
            try await Task.sleep(for: $0)
        }
    }

    init(
        _ chores: [Chore],
        metrics: Metrics,
        log: Log,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.chores = chores
        self.metrics = metrics
        self.log = log
        self.sleep = sleep
    }

    /// Returns once its task is cancelled, with no work half done.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for chore in chores { group.addTask { await repeatedly(chore) } }
        }
    }

    static func chores(of verifier: Verifier) -> [Chore] {
        [
            Chore(name: "expire", interval: .seconds(1)) { () throws(Verifier.Failure) in
                try await verifier.expire(atMost: batch) >= batch
            },
            Chore(name: "tidy", interval: .seconds(60)) { () throws(Verifier.Failure) in
                try await verifier.tidy(batch: batch) > 0
            },
            Chore(name: "checkpoint", interval: .seconds(60)) { () throws(Verifier.Failure) in
                try await verifier.checkpoint()
                return false
            },
        ]
    }

    private func repeatedly(_ chore: Chore) async {
        var isFailing = false
        while !Task.isCancelled {
            do throws(Verifier.Failure) {
                let isMoreLeft = try await chore.work()
                if isFailing { log.write(.info, "works again", ["chore": .string(chore.name)]) }
                isFailing = false
                if isMoreLeft { continue }
            } catch {
                metrics.count(error)
                if !isFailing {
                    log.write(
                        .error,
                        "fails until further notice",
                        ["chore": .string(chore.name), "failure": .string(error.name)]
                    )
                }
                isFailing = true
            }
            // Sleeping ends early only where the task is cancelled, which the loop sees.
            try? await sleep(chore.interval)
        }
    }
}
