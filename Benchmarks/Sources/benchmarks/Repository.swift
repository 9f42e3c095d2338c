import FoundationEssentials

/// The checkout that the benchmarks were built from.
enum Repository {
    static let path = (0..<4).reduce(URL(filePath: #filePath)) { path, _ in
        path.deletingLastPathComponent()
    }

    /// A program as `make release` ships it, or from the folder in `BENCHMARK_PROGRAMS`.
    static func program(_ name: String) -> String {
        let environment = ProcessInfo.processInfo.environment
        let folder = environment["BENCHMARK_PROGRAMS"] ?? path.appending(path: ".build/dist").path
        return folder + "/" + name
    }
}
