package import Foundation

/// All prose of the repository, by area: a target's folder, or a folder at the top.
package struct ProseRepository {
    package struct Hit {
        package let file: String
        package let finding: Finding
    }

    package let root: URL

    package init(root: URL) {
        self.root = root
    }

    private static let folders = [
        ".ci", "Benchmarks", "Examples", "Packaging", "Sources", "Tests", "Vectors", "docs",
    ]
    private static let topFiles = [
        "CHANGELOG.md", "CONTRIBUTING.md", "Makefile", "Package.swift", "README.md", "SECURITY.md",
    ]

    /// The list of excluded words, which has them all.
    private static let excluded: Set = [
        "Tests/ProseCheck/PlainEnglish.swift", "Tests/ArchitectureTests/ProseTests.swift",
    ]

    /// Every breach in the files whose path starts with `prefix`, by area.
    package func hits(in prefix: String = "") throws -> [String: [Hit]] {
        var hits: [String: [Hit]] = [:]
        for file in try files() where file.hasPrefix(prefix) {
            let area = Self.area(of: file)
            let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
            hits[area, default: []] += Self.passages(in: text, of: file).flatMap { passage in
                PlainEnglish.findings(in: passage).map { Hit(file: file, finding: $0) }
            }
        }
        return hits
    }

    /// `Sources/Verification`, `docs/operate`, `Packaging` and so on; a file at the top is its own.
    package static func area(of file: String) -> String {
        let parts = file.split(separator: "/")
        let isTarget = ["Sources", "Tests", "docs"].contains(parts[0]) && parts.count > 2
        return parts.prefix(isTarget ? 2 : 1).joined(separator: "/")
    }

    package static func passages(in text: String, of file: String) -> [Passage] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .map { Passage.Line($0.offset + 1, String($0.element)) }
        return switch URL(filePath: file).pathExtension {
        case "swift": SwiftProse(text).passages
        case "md": MarkdownProse.passages(in: lines, withIndentedCode: true)
        case "json": OpenAPIProse.passages(in: lines)
        default: ScriptProse.passages(in: lines)
        }
    }

    private func files() throws -> [String] {
        var files = Self.topFiles.filter {
            FileManager.default.fileExists(atPath: root.appending(path: $0).path)
        }
        for folder in Self.folders {
            let path = root.appending(path: folder).path
            guard FileManager.default.fileExists(atPath: path) else { continue }
            files += try FileManager.default.subpathsOfDirectory(atPath: path)
                .map { "\(folder)/\($0)" }
                .filter { !$0.contains("/.build/") && isProse(root.appending(path: $0)) }
        }
        return files.filter { !Self.excluded.contains($0) }.sorted()
    }

    private func isProse(_ url: URL) -> Bool {
        switch url.pathExtension {
        case "swift", "md", "py", "service", "socket": true
        case "json": url.lastPathComponent == "openapi.json"
        // A script starts with the name of its interpreter; others without an ending are data.
        case "": (try? Data(contentsOf: url))?.starts(with: "#!".utf8) == true
        default: false
        }
    }
}
