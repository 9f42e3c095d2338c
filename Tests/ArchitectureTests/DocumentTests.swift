import Foundation
import Testing

@Suite struct `Documents` {
    /// Requirements or tests that a page names and that do not exist.
    private static func missing(in page: DocumentPage, of tests: [String: String]) -> [String] {
        page.tests.flatMap { file, requirements -> [String] in
            guard let text = tests[file] else { return [file] }
            return requirements.filter { !text.contains($0) }.map { "\(file) (\($0))" }
        }
    }

    @Test(arguments: try DocumentPage.all())
    func `name only tests that exist`(_ page: DocumentPage) throws {
        #expect(Self.missing(in: page, of: try Repository.tests()) == [])
    }

    @Test(arguments: ["SECURITY.md", "docs/security/threat-model.md"])
    func `name a test for each promise`(_ path: String) throws {
        #expect(try DocumentPage(path).tests.count > 20)
    }

    @Test func `are reported if they name a missing test`() {
        let tests = ["RuleTests/LockTests": "SEC-08: counts"]
        func missing(_ text: String) -> [String] {
            Self.missing(in: DocumentPage(path: "a.md", text: text), of: tests)
        }
        #expect(missing("`RuleTests/LockTests` (SEC-08)") == [])
        #expect(missing("`RuleTests/LockTests` (SEC-08, SEC-9)") == ["RuleTests/LockTests (SEC-9)"])
        #expect(missing("by `RuleTests/KeyTests`") == ["RuleTests/KeyTests"])
        // Files of several targets have equal names, so a name alone names no file.
        #expect(missing("by `LockTests`") == ["LockTests"])
        #expect(missing("the folder `Tests/RuleTests`") == [])
        #expect(missing("by `WebTests/test_keys` (SEC-08)") == ["WebTests/test_keys"])
    }

    @Test(arguments: try DocumentPage.all())
    func `name only make targets that exist`(_ page: DocumentPage) throws {
        let makefile = try Repository.text(of: "Makefile")
        for target in page.makeTargets {
            #expect(makefile.contains("\n\(target): "), "make \(target)")
        }
    }

    @Test func `name the current version`() throws {
        let source = try Repository.text(of: "Sources/CommandLineTool/Version.swift")
        let version = String(try #require(source.firstMatch(of: /release = "([0-9.]+)"/)).1)
        let changes = try Repository.text(of: "CHANGELOG.md")
        #expect(changes.firstMatch(of: /\n## ([0-9.]+)/).map { String($0.1) } == version)
        var count = 0
        for page in try DocumentPage.all() where page.path != "CHANGELOG.md" {
            for match in page.text.matches(of: /(?:Version |countersign[_-])(\d+\.\d+\.\d+)/) {
                count += 1
                #expect(match.1 == version, "\(page.path)")
            }
        }
        #expect(count >= 3)
    }

    private static func brokenLinks(
        of page: DocumentPage,
        among pages: [DocumentPage]
    ) -> [String] {
        page.links.compactMap { path, anchor in
            guard pages.contains(where: { $0.path == path }) || Repository.has(path) else {
                return path
            }
            guard let anchor else { return nil }
            let target = pages.first { $0.path == path }
            return target?.anchors.contains(anchor) == true ? nil : "\(path)#\(anchor)"
        }
    }

    @Test(arguments: try DocumentPage.all())
    func `link only to files and headings that exist`(_ page: DocumentPage) throws {
        #expect(Self.brokenLinks(of: page, among: try DocumentPage.all()) == [])
    }

    @Test func `are reported if a link is broken`() {
        let other = DocumentPage(path: "docs/b.md", text: "# The `name`, here\n")
        func broken(_ text: String) -> [String] {
            Self.brokenLinks(of: DocumentPage(path: "docs/c/a.md", text: text), among: [other])
        }
        #expect(broken("[b](../b.md) and [b](../b.md#the-name-here)") == [])
        #expect(broken("[b](https://bank.example)") == [])
        #expect(broken("[b](b.md)") == ["docs/c/b.md"])
        #expect(broken("![b](../b.md#name)") == ["docs/b.md#name"])
        #expect(broken("```\n[b](b.md)\n```") == [])
    }

    @Test(arguments: try DocumentPage.all())
    func `name only paths that exist`(_ page: DocumentPage) {
        #expect(page.namedPaths.filter { !Repository.has($0) } == [])
    }

    @Test func `are all listed in the table of contents`() throws {
        let contents = Set(try DocumentPage("docs/README.md").links.map(\.path))
        let pages = try DocumentPage.all().map(\.path).filter { path in
            path.hasPrefix("docs/") && path != "docs/README.md" && !path.contains("/protocol/")
        }
        #expect(pages.filter { !contents.contains($0) } == [])
    }

    @Test func `describe every target`() throws {
        let page = try Repository.text(of: "docs/architecture.md")
        let targets = try Repository.targets().filter { try !Repository.isCModule($0) }
        #expect(targets.filter { !page.contains("`Sources/\($0)`") } == [])
    }

    @Test func `name the files of one approval`() throws {
        let page = try DocumentPage("docs/architecture.md")
        let files = page.namedPaths.filter { $0.hasSuffix(".swift") }
        #expect(Set(files).count > 25)
        #expect(files.filter { !Repository.has($0) } == [])
    }

    @Test func `name the version that the programs report`() throws {
        let source = try Repository.text(of: "Sources/CommandLineTool/Version.swift")
        let version = try #require(source.firstMatch(of: /release = "(.+)"/)).1
        #expect(try Repository.text(of: "README.md").contains("Version \(version):"))
        #expect(try Repository.text(of: "CHANGELOG.md").contains("\n## \(version) "))
        let install = try Repository.text(of: "docs/operate/install.md")
        #expect(install.contains("countersign_\(version)_amd64.deb"))
        #expect(install.contains("countersign-\(version).tar.gz"))
    }

    @Test func `include a README of at most 150 lines`() throws {
        #expect(try DocumentPage("README.md").text.split(separator: "\n").count <= 150)
    }
}
