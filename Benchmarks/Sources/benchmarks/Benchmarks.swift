import FoundationEssentials
import Glibc

/// `benchmarks [--check|--large] [PREFIX]`: measures what is promised against others, side by side.
///
/// With a prefix only what begins with it is measured; `--check` fails where a target is missed, and
/// `--large` measures 10 million accounts.
@main
struct Benchmarks {
    static func main() async {
        do {
            try await run()
        } catch {
            print("benchmarks: \(error)")
            exit(1)
        }
    }

    private static func run() async throws {
        var arguments = CommandLine.arguments.dropFirst()
        let option = arguments.first.flatMap { $0.hasPrefix("--") ? $0 : nil }
        if option != nil { arguments.removeFirst() }
        if option == "--memory" { return try await DecisionStore.tellMemory(Array(arguments)) }
        let prefix = arguments.first ?? ""

        print(Table.head)
        var outcomes: [Outcome] = []
        let benchmarks =
            option == "--large" ? Benchmark.sizes(accountCount: 10_000_000) : all
        for benchmark in benchmarks where benchmark.name.hasPrefix(prefix) {
            let outcome = try await benchmark.run()
            print(Table.line(for: outcome))
            outcomes.append(outcome)
        }
        guard !outcomes.isEmpty else { throw NothingToMeasure(prefix: prefix) }
        try write(outcomes)
        if option == "--check", !outcomes.allSatisfy(\.isMet) { exit(1) }
    }

    private struct NothingToMeasure: Error {
        let prefix: String
    }

    private static var all: [Benchmark] {
        Benchmark.oneTimePassword + Benchmark.cryptography + Benchmark.approvals
            + Benchmark.approvalLoad + Benchmark.decisions + Benchmark.postgresDecisions
            + Benchmark.requests + Benchmark.memory + Benchmark.commands
            + Benchmark.sizes(accountCount: 1_000_000)
    }

    /// Writes `.build/bench/results.json` at the top of the repository.
    private static func write(_ outcomes: [Outcome]) throws {
        let folder = Repository.path.appending(path: ".build/bench")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(outcomes).write(to: folder.appending(path: "results.json"))
    }
}
