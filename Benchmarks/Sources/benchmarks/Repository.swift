import FoundationEssentials

/// The checkout that the benchmarks were built from.
enum Repository {
    static let path = (0..<4).reduce(URL(filePath: #filePath)) { path, _ in
        path.deletingLastPathComponent()
    }

    /// The programs as `make release` ships them, or the folder in `BENCHMARK_PROGRAMS`.
    static var programs: String { otherPrograms ?? path.appending(path: ".build/dist").path }

    static func program(_ name: String) -> String { programs + "/" + name }

    /// The files of the web device for these programs.
    static var web: String {
        path.appending(path: otherPrograms == nil ? ".build/dist/web" : ".build/web").path
    }

    private static var otherPrograms: String? {
        ProcessInfo.processInfo.environment["BENCHMARK_PROGRAMS"]
    }
}
