import Foundation
import Testing

@testable import Verification

@Suite struct `The documented table of policy members` {
    private let rows: [(member: String, standard: String?)]

    init() throws {
        let path = URL(filePath: #filePath)
            .appending(path: "../../../../docs/operate/policy.md").standardized
        let readme = try String(contentsOf: path, encoding: .utf8)
        rows = readme.matches(of: /(?m)^\| `([A-Za-z.]+)` \| [^|]+ \| (?:none|`(.+?)`) \|/).map {
            (String($0.1), $0.2.map(String.init))
        }
    }

    @Test func `states the default of each member`() throws {
        #expect(rows.count > 30)
        for (member, standard) in rows {
            guard let standard else { continue }
            let names = member.split(separator: ".")
            let document = names.reversed().reduce(standard) { #"{"\#($1)":\#($0)}"# }
            #expect(try EnterprisePolicy(document: document) == .default, "\(document)")
        }
    }
}
