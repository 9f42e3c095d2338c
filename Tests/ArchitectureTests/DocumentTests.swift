import Foundation
import Testing

/// What is promised in the README and in SECURITY.md names the tests that show it.
@Suite struct `Promises` {
    /// A file of tests, and the requirements in it.
    private static func named(in document: String) -> [(file: String, requirements: [Substring])] {
        document.matches(of: /`([A-Za-z0-9]+Tests)`(?: \(([^)]*)\))?/).map {
            (String($0.1), $0.2?.split(separator: ", ") ?? [])
        }
    }

    /// What is named and not there.
    private static func missing(in document: String, of tests: [String: String]) -> [String] {
        named(in: document).flatMap { file, requirements -> [String] in
            guard let text = tests[file] else { return [file] }
            return requirements.filter { !text.contains($0) }.map { "\(file) (\($0))" }
        }
    }

    @Test(arguments: ["README.md", "SECURITY.md"])
    func `name tests that are there`(_ document: String) throws {
        let text = try Repository.text(of: document)
        #expect(Self.named(in: text).count > 20)
        #expect(Self.missing(in: text, of: try Repository.tests()) == [])
    }

    @Test func `that name others are found`() {
        let tests = ["LockTests": "SEC-08: counts"]
        #expect(Self.missing(in: "`LockTests` (SEC-08)", of: tests) == [])
        #expect(Self.missing(in: "`LockTests` (SEC-08, SEC-9)", of: tests) == ["LockTests (SEC-9)"])
        #expect(Self.missing(in: "by `KeyTests`", of: tests) == ["KeyTests"])
    }

    @Test(arguments: ["README.md", "SECURITY.md"])
    func `name targets that make has`(_ document: String) throws {
        let makefile = try Repository.text(of: "Makefile")
        let targets = try Repository.text(of: document).matches(of: /(?:^|`|sudo )make ([a-z-]+)/)
        #expect(!targets.isEmpty)
        for target in targets {
            #expect(makefile.contains("\n\(target.1): "), "make \(target.1)")
        }
    }

    @Test(arguments: ["README.md", "SECURITY.md"])
    func `lead to files that are there`(_ document: String) throws {
        let text = try Repository.text(of: document)
        let links =
            text.matches(of: /\]\(([^)#]+)\)/).map(\.1)
            + text.matches(of: /(?m)^\[[a-z]+\]: (.+)$/).map(\.1)
        for link in links where !link.hasPrefix("https:") {
            #expect(Repository.has(String(link)), "\(link)")
        }
    }
}
