import Foundation
import Testing

/// The code of each article is compiled with public access only.
///
/// Its blocks are in a file of `Snippets/`, or in an example that other tests run.
@Suite struct `Examples in articles` {
    private static let tests = URL(fileURLWithPath: #filePath)
        .appendingPathComponent("..").standardized
    private static let catalog = tests.appendingPathComponent(
        "../../Sources/AuthenticationHandler/AuthenticationHandler.docc"
    ).standardized

    private static let examples = ["FirstApproval"]

    private static let articles =
        (try? FileManager.default.contentsOfDirectory(atPath: catalog.path)
            // Without a folder the first test fails.
            .filter { $0.hasSuffix(".md") && $0 != "AuthenticationHandler.md" }
            .map { String($0.dropLast(3)) }.sorted()) ?? []

    @Test func `exist for every article`() throws {
        #expect(!Self.articles.isEmpty)
        let files = try FileManager.default.contentsOfDirectory(
            atPath: Self.tests.appendingPathComponent("Snippets").path
        )
        let snippets = Self.articles.filter { !Self.examples.contains($0) }
        #expect(files.sorted() == (snippets + ["App"]).map { $0 + ".swift" }.sorted())
    }

    @Test(arguments: articles)
    func `are compiled`(article: String) throws {
        let text = try Self.lines(of: Self.catalog.appendingPathComponent(article + ".md"))
        let code = try Self.lines(of: Self.code(of: article))
        let blocks = Self.blocks(in: text)
        #expect(!blocks.isEmpty)
        for block in blocks {
            let isCompiled = Self.contains(code, block)
            #expect(isCompiled, "\(article).md: \(block.joined(separator: "\n"))")
        }
    }

    @Test func `differ if a line is changed`() {
        let block = Self.blocks(in: ["text", "```swift", "let a = 1", "  f(a)", "```", "let b = 2"])
        #expect(block == [["let a = 1", "f(a)"]])
        #expect(Self.contains(["{", "let a = 1", "f(a)", "}"], block[0]))
        #expect(!Self.contains(["let a = 1", "g()", "f(a)"], block[0]))
        #expect(!Self.contains(["let a = 1"], block[0]))
    }

    private static func code(of article: String) -> URL {
        let place =
            examples.contains(article)
            ? "../../Examples/\(article)/\(article).swift" : "Snippets/\(article).swift"
        return tests.appendingPathComponent(place).standardized
    }

    /// Without indentation, which differs between article and file.
    private static func lines(of file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(trimmed)
    }

    private static func trimmed(_ line: some StringProtocol) -> String {
        line.trimmingCharacters(in: .whitespaces)
    }

    private static func blocks(in lines: [String]) -> [[String]] {
        lines.split(separator: "```swift").dropFirst().compactMap { rest in
            rest.split(separator: "```", omittingEmptySubsequences: false).first
                .map { $0.map(trimmed) }
        }
    }

    private static func contains(_ code: [String], _ block: [String]) -> Bool {
        code.indices.contains { code[$0...].starts(with: block) }
    }
}
