import FoundationEssentials
import Glibc

extension Benchmark {
    /// The cost of many accounts compared with few: time, disk space and memory.
    static func sizes(accountCount: Int, _ scale: Scale) -> [Benchmark] {
        let stores = StoresOfTwoSizes(
            accountCount: accountCount,
            fewAccounts: scale(10_000, smallest: 100),
            deciderCount: scale(2048, smallest: 64)
        )
        func benchmark(
            _ name: String,
            in unit: String,
            _ target: Target? = nil,
            pairCount: Int = 1,
            _ measure: @escaping (DecisionStore) async throws -> Double
        ) -> Benchmark {
            Benchmark(
                name: "verifier.\(name).\(accountCount / 1000)k-vs-10k",
                unit: unit,
                target: target,
                statistic: .quietPairs,
                pairCount: pairCount,
                ours: {
                    Sample(cost: try await measure(try await stores.both().large), result: [])
                },
                reference: {
                    Sample(cost: try await measure(try await stores.both().small), result: [])
                }
            )
        }
        return [
            benchmark("disk-per-account", in: "B") { $0.bytesPerAccount },
            benchmark("decision.sqlite.accounts", in: "µs", .atMost(1.3), pairCount: 25) { store in
                try await store.decide(try await store.newRound().decisions, callers: 64).cost.cost
            },
            benchmark("disk-per-transaction", in: "B") { try await $0.bytesPerTransaction() },
            benchmark("memory", in: "MiB") { try $0.memoryOfRound() },
        ]
    }
}

/// A store of many accounts, and one of 10 thousand.
private final class StoresOfTwoSizes {
    private let accountCount: Int
    private let fewAccounts: Int
    private let deciderCount: Int
    private var stores: (large: DecisionStore, small: DecisionStore)?

    init(accountCount: Int, fewAccounts: Int, deciderCount: Int) {
        self.accountCount = accountCount
        self.fewAccounts = fewAccounts
        self.deciderCount = deciderCount
    }

    func both() async throws -> (large: DecisionStore, small: DecisionStore) {
        if let stores { return stores }
        let new = (
            large: try await DecisionStore(accountCount: accountCount, deciderCount: deciderCount),
            small: try await DecisionStore(accountCount: fewAccounts, deciderCount: deciderCount)
        )
        stores = new
        return new
    }
}

extension DecisionStore {
    /// The disk space of an account with a device and two credentials, before the first decision.
    fileprivate var bytesPerAccount: Double { Double(initialByteCount) / Double(accountCount) }

    /// The disk space of a decided transaction with its attempt, audit record and delivery.
    ///
    /// It is the mean of four rounds.
    fileprivate func bytesPerTransaction() async throws -> Double {
        let before = try await byteCount()
        for _ in 0..<4 { _ = try await decide(try await newRound().decisions, callers: 64) }
        return Double(try await byteCount() - before) / Double(4 * deciders.count)
    }

    /// The maximum memory of a separate process that decided a round, in MiB.
    fileprivate func memoryOfRound() throws -> Double {
        defer { round += 1 }
        let output = try Program.run(
            "/proc/self/exe",
            ["--memory", folder.path, "\(accountCount)", "\(deciders.count)", "\(round)"]
        )
        guard let kibibytes = Double(output.prefix { $0 != "\n" }) else {
            throw BenchmarkFailure("--memory printed no number: \(output)")
        }
        return kibibytes / 1024
    }

    /// `--memory FOLDER ACCOUNTS DECIDERS ROUND`: decides a round and prints its memory.
    static func reportMemory(_ arguments: [String]) async throws {
        let numbers = arguments.dropFirst().compactMap { Int($0) }
        guard let folder = arguments.first, numbers.count == 3 else {
            throw BenchmarkFailure("--memory takes FOLDER ACCOUNTS DECIDERS ROUND")
        }
        let store = try DecisionStore(
            in: TemporaryFolder(of: folder),
            accountCount: numbers[0],
            deciderCount: numbers[1],
            after: UInt64(numbers[2])
        )
        _ = try await store.decide(try await store.newRound().decisions, callers: 64)
        print(try maximumMemory())
    }

    /// The maximum memory of this process, in KiB.
    ///
    /// `getrusage` would include the memory of the parent process.
    private static func maximumMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        guard let number = line?.split(separator: " ").dropLast().last.flatMap({ Int($0) }) else {
            throw BenchmarkFailure("/proc/self/status has no VmHWM")
        }
        return number
    }
}
