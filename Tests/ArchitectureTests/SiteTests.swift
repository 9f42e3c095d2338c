import Foundation
import TestSupport
import Testing

/// The site that `make docs` builds from the Markdown pages.
@Suite struct `The site of the documentation` {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let site = Repository.root.appending(path: "Packaging/site").path
        let build = try FinishedProcess.run(site, [folder.path, "Library=overview.html"])
        try #require(build.exitCode == 0, "\(build.errorOutput)")
    }

    private func text(_ file: String) throws -> String {
        try String(contentsOfFile: "\(folder.path)/\(file)", encoding: .utf8)
    }

    @Test func `has a page, a search entry and a navigation entry for each document`() throws {
        let (index, entries) = (try text("index.html"), try text("pages.js"))
        for page in try DocumentPage.all() where page.path.hasPrefix("docs/operate/") {
            let file = page.path.dropFirst("docs/".count).dropLast(".md".count) + ".html"
            #expect(FileManager.default.fileExists(atPath: "\(folder.path)/\(file)"))
            #expect(entries.contains("\"link\": \"\(file)\""), "\(file)")
            #expect(index.contains("href=\"\(file)\""), "\(file)")
        }
    }

    @Test func `links only to files that it has, and loads nothing from elsewhere`() throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        for file in files where file.hasSuffix(".html") {
            let text = try text(file)
            #expect(text.firstMatch(of: /(?:src|stylesheet href)="?https?:/) == nil, "\(file)")
            let place = URL(filePath: "\(folder.path)/\(file)").deletingLastPathComponent()
            for link in text.matches(of: /href="([^"#:]+)(?:#[^"]*)?"/).map(\.1)
            where !link.contains("/documentation/") && !link.hasSuffix(".md") {
                let path = place.appending(path: String(link)).standardized.path
                #expect(FileManager.default.fileExists(atPath: path), "\(file): \(link)")
            }
        }
    }

    @Test func `shows the picture that the script draws`() throws {
        let script = Repository.root.appending(path: "Packaging/picture").path
        let picture = try FinishedProcess.run(script, [])
        #expect(picture.output == (try Repository.text(of: "docs/approval.svg")))
        #expect(picture.output == (try text("approval.svg")))
    }
}
