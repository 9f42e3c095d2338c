import Foundation
import Testing

/// A page of the documentation: a Markdown file by its path in the repository.
struct DocumentPage: CustomTestStringConvertible {
    let path: String
    let text: String

    var testDescription: String { path }

    init(_ path: String) throws {
        self.init(path: path, text: try Repository.text(of: path))
    }

    init(path: String, text: String) {
        self.path = path
        self.text = text
    }

    static func all() throws -> [DocumentPage] {
        let top = ["CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md"]
        let pages = try FileManager.default
            .subpathsOfDirectory(atPath: Repository.root.appending(path: "docs").path)
            .filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }
        return try (top + ["Vectors/README.md"] + pages).sorted().map { try DocumentPage($0) }
    }

    /// The text without blocks of code.
    private var prose: String {
        text.replacing(/(?ms)^ *```.*?^ *```$/, with: "")
    }

    /// Files of tests that the page names by path, each with the requirements in it.
    ///
    /// The path begins below `Tests`; `namedPaths` has the paths of the repository.
    var tests: [(file: String, requirements: [Substring])] {
        let file = /`(?!Tests\/)([A-Za-z0-9\/]+Tests|\w+Tests\/test_\w+)`(?: \((SEC-[^)]*)\))?/
        return prose.matches(of: file).map {
            (String($0.1), $0.2?.split(separator: ", ") ?? [])
        }
    }

    /// The targets that it calls by `make`.
    var makeTargets: Set<Substring> {
        Set(text.matches(of: /(?m)(?:^|`|sudo )make ([a-z-]+)/).map(\.1))
    }

    /// Links to other files or to headings; images too.
    var links: [(path: String, anchor: String?)] {
        prose.matches(of: /\]\(([^)\s]*)\)/).map(\.1).filter { !$0.hasPrefix("https://") }
            .map { link in
                let parts = link.split(separator: "#", omittingEmptySubsequences: false)
                return (resolved(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
            }
    }

    /// Paths of the repository in code spans.
    var namedPaths: [String] {
        prose.matches(of: /`((?:Benchmarks|Examples|Packaging|Sources|Tests|Vectors)\/[^`\s…*]+)`/)
            .map { String($0.1) }
    }

    /// The headings as GitHub links to them.
    var anchors: Set<String> {
        Set(
            prose.matches(of: /(?m)^#+ (.+)$/).map { heading in
                heading.1.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
                    .replacing(" ", with: "-")
            }
        )
    }

    private func resolved(_ link: Substring) -> String {
        guard !link.isEmpty else { return path }
        var parts = path.split(separator: "/").dropLast()
        for part in link.split(separator: "/") {
            if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }
}
