import FoundationEssentials
import Glibc
import Storage

/// `benchmarks [--check|--smallest|--large] [PREFIX]`: compares the product with references.
///
/// A prefix selects benchmarks by name. `--check` fails if a target is missed, `--smallest` runs
/// each benchmark once with its smallest input, and `--large` measures 10 million accounts. If a
/// benchmark fails, its name is printed, the other benchmarks continue, and the exit code is 1.
@main
struct Benchmarks {
    private enum Option: String {
        case check = "--check"
        case smallest = "--smallest"
        case large = "--large"
    }

    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            print("benchmarks: \(error)")
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) async throws {
        if arguments.first == "--memory" {
            return try await DecisionStore.reportMemory(Array(arguments.dropFirst()))
        }
        let option = arguments.first.flatMap { Option(rawValue: $0) }
        let prefix = arguments.dropFirst(option == nil ? 0 : 1).first ?? ""
        let scale = option == .smallest ? Scale.smallest : .full
        let all = option == .large ? Benchmark.sizes(accountCount: 10_000_000, scale) : all(scale)
        let benchmarks = all.filter { $0.name.hasPrefix(prefix) }
        guard !benchmarks.isEmpty else {
            throw BenchmarkFailure("no benchmark's name begins with \"\(prefix)\"")
        }
        let report = await Report(of: benchmarks, scale)
        if option != .smallest { try report.write() }
        let isMet = report.outcomes.allSatisfy(\.isMet)
        if !report.failures.isEmpty || option == .check && !isMet { exit(1) }
    }

    private static func all(_ scale: Scale) -> [Benchmark] {
        Benchmark.oneTimePassword + Benchmark.cryptography + Benchmark.tokens
            + Benchmark.messages + Benchmark.channels + Benchmark.issuer(scale)
            + Benchmark.purchases(scale)
            + Benchmark.approvals + Benchmark.approvalLoad(scale) + Benchmark.cycles(scale)
            + Benchmark.decisions(scale) + Benchmark.postgresDecisions(scale)
            + Benchmark.requests(scale)
            + Benchmark.memory(scale) + Benchmark.commands + Benchmark.web
            + Benchmark.sizes(accountCount: scale(1_000_000, smallest: 1000), scale)
    }
}
