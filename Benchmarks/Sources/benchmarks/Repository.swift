import FoundationEssentials

/// The checkout that the benchmarks were built from.
enum Repository {
    static let path = (0..<4).reduce(URL(filePath: #filePath)) { path, _ in
        path.deletingLastPathComponent()
    }

    /// A program as `make release` ships it, or from the folder in `BENCHMARK_PROGRAMS`.
    static func program(_ name: String) -> String {
        (otherPrograms ?? path.appending(path: ".build/dist").path) + "/" + name
    }

    /// The files of the web device for these programs.
    static var web: String {
        path.appending(path: otherPrograms == nil ? ".build/dist/web" : ".build/web").path
    }

    private static var otherPrograms: String? {
        ProcessInfo.processInfo.environment["BENCHMARK_PROGRAMS"]
    }
}
