import FoundationEssentials

extension Benchmark {
    /// From the approval of a purchase until the form of the last page is at the shop, in Chromium.
    ///
    /// The ACS gets the end from the verifier, and sends the result to the directory server. Then the
    /// page in the browser posts the form.
    static func purchases(_ scale: Scale) -> [Benchmark] {
        let purchases = MeasuredPurchases(count: scale(20, smallest: 1))
        func time(
            _ part: String,
            atMost limit: Double,
            _ time: @escaping ([Double]) -> Double
        ) -> Benchmark {
            Benchmark(
                name: "threeds.purchase.\(part)-vs-limit",
                unit: "ms",
                target: .atMost(1),
                statistic: .medians,
                pairCount: 1,
                ours: { Sample(cost: time(try purchases.times()), result: []) },
                reference: { Sample(cost: limit, result: []) }
            )
        }
        return [
            time("approval-to-shop.p50", atMost: 250) { $0.sorted()[$0.count / 2] },
            // Of so few times, the longest one is p99.
            time("approval-to-shop.longest", atMost: 1000) { $0.sorted()[$0.count - 1] },
        ]
    }
}

/// The times of the program `Benchmarks/purchases`, which runs once.
private final class MeasuredPurchases {
    private let count: Int
    private var measured: [Double]?

    init(count: Int) {
        self.count = count
    }

    func times() throws -> [Double] {
        if let measured { return measured }
        try WebBrowser.check()
        // The shop and the directory server of these purchases use it.
        _ = try Jwcrypto.interpreter()
        let program = Program(
            words: [
                WebBrowser.interpreter, "-B", "-W", "ignore::ResourceWarning",
                Repository.path.appending(path: "Benchmarks/purchases").path, String(count),
            ],
            environment: ["PROGRAMS": Repository.programs]
        )
        let output = try program.run().output
        let lines = output.split(separator: "\n")
        let times = try JSONDecoder().decode([Double].self, from: Data((lines.last ?? "").utf8))
        guard times.count == count else { throw BenchmarkFailure("not \(count) times: \(output)") }
        measured = times
        return times
    }
}
