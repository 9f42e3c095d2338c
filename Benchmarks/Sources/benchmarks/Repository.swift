import FoundationEssentials

/// Where all of this lies.
enum Repository {
    static let path = (0..<4).reduce(URL(filePath: #filePath)) { path, _ in
        path.deletingLastPathComponent()
    }

    /// A program as it is shipped, which `make release` makes.
    static func released(_ name: String) -> String {
        path.appending(path: ".build/dist/\(name)").path
    }
}
