import Foundation
import Testing
import Verification

/// The tables in docs/reference/bank-api.md, docs/integrate/webhooks.md and docs/operate/monitoring.md.
@Suite struct `The pages for banks` {
    private func page(_ name: String) throws -> String {
        let path = URL(filePath: #filePath).appending(path: "../../../docs/\(name).md")
        return try String(contentsOf: path.standardized, encoding: .utf8)
    }

    @Test(arguments: BankToken.Role.allCases)
    func `list the scopes of each role`(_ role: BankToken.Role) throws {
        let rows = try page("reference/bank-api").split(separator: "\n")
        let row = try #require(rows.first { $0.hasPrefix("| `\(role.rawValue)` | ") })
        let scopes = try #require(row.split(separator: "|").last)
        let listed = scopes.matches(of: /`([a-z.]+)`/).map { String($0.1) }
        #expect(Set(listed) == Set(role.scopes.map(\.rawValue)))
    }

    @Test(arguments: BankToken.Scope.allCases)
    func `describe each scope`(_ scope: BankToken.Scope) throws {
        #expect(try page("reference/bank-api").contains("\n| `\(scope.rawValue)` | "))
    }

    @Test func `list each event type that a webhook receives`() throws {
        let listed = try page("integrate/webhooks").matches(of: /(?m)^\| `([a-z.-]+)` \|/)
            .map { String($0.1) }
        let sent = Event.Kind.allCases.filter(\.notifiesBank).map(\.rawValue)
        #expect(listed.sorted() == sent.sorted())
    }

    @Test func `list each other kind of record`() throws {
        let page = try page("operate/monitoring")
        let rest = try #require(page.split(separator: "\n### Kinds of records\n").last)
        let section = try #require(rest.split(separator: "\n## ").first)
        let listed = section.matches(of: /(?m)^\| `([a-z.-]+)` \|/).map { String($0.1) }
        let others = Event.Kind.allCases.filter { !$0.notifiesBank }.map(\.rawValue)
        #expect(listed.sorted() == others.sorted())
    }
}
