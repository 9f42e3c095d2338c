import AuthenticationHandler
import Foundation
import Testing

/// HandleErrors.md states what an app does with each error code.
@Suite struct `The article on errors` {
    private let article: String

    init() throws {
        let path = URL(filePath: #filePath).appending(
            path:
                "../../../Sources/AuthenticationHandler/AuthenticationHandler.docc/HandleErrors.md"
        )
        article = try String(contentsOf: path.standardized, encoding: .utf8)
    }

    /// The codes of the table, and those whose sentence is sufficient.
    @Test func `has each code once`() throws {
        let lines = article.split(separator: "\n", omittingEmptySubsequences: false)
        let rows = lines.drop { $0 != "| code | what an app does |" }.dropFirst(2)
            .prefix { $0.hasPrefix("| ") }
        let table = rows.flatMap { codes(in: $0.split(separator: "|")[0]) }
        let others = try #require(
            article.firstMatch(of: /for the other codes: ([^.]*)\. The verifier's documentation/)
        )
        let listed = table + codes(in: others.1)
        #expect(listed.sorted() == ErrorCode.allCases.map(\.rawValue).sorted())
    }

    private func codes(in text: Substring) -> [String] {
        text.matches(of: /`([A-Za-z]+)`/).map { String($0.1) }
    }
}
