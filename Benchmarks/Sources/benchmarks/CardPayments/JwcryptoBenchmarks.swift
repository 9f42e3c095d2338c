import FoundationEssentials

extension Benchmark {
    /// Compares work with jwcrypto, an implementation in Python of the same tokens.
    ///
    /// Both sides are processor times of their own processes.
    static func againstJwcrypto(
        _ name: String,
        _ target: Target,
        count: Int,
        ours: @escaping (Int) throws -> [UInt8]
    ) -> Benchmark {
        Benchmark(
            name: "threeds.\(name)-vs-jwcrypto",
            unit: "ns",
            target: target,
            statistic: .medians,
            pairCount: 3,
            ours: {
                let start = processorTime()
                _ = try ours(count)
                return Sample(cost: (processorTime() - start) / Double(count), result: [])
            },
            reference: { Sample(cost: try timeOfJwcrypto(name), result: []) }
        )
    }
}

/// The interpreter of Python that has jwcrypto.
enum Jwcrypto {
    static func interpreter() throws -> String {
        let file = Repository.path.appending(path: ".build/reference-checkers/bin/python").path
        guard FileManager.default.fileExists(atPath: file) else {
            throw NotMeasured(missing: ["jwcrypto"])
        }
        return file
    }
}

private func timeOfJwcrypto(_ name: String) throws -> Double {
    let program = Repository.path.appending(path: "Benchmarks/jwcrypto-times").path
    let output = try Program.run(Jwcrypto.interpreter(), ["-B", program, name, "200"])
    guard let time = Double(output.filter { !$0.isNewline }) else {
        throw BenchmarkFailure("no time: \(output)")
    }
    return time
}
