import Foundation
import Testing

@testable import ThreeDSProtocol

@Suite struct `The page of the field table` {
    private static let path = URL(filePath: #filePath)
        .appending(path: "../../../docs/reference/threeds-elements.md").standardized

    /// To update the page, run the test with `UPDATE_REFERENCES=1`.
    @Test func `is the generated one`() throws {
        let page = FieldTable.page()
        if ProcessInfo.processInfo.environment["UPDATE_REFERENCES"] == "1" {
            try Data(page.utf8).write(to: Self.path)
        }
        #expect(try String(contentsOf: Self.path, encoding: .utf8) == page)
    }

    @Test func `has a row for each element of each message`() {
        let page = FieldTable.page()
        for type in MessageType.allCases {
            #expect(page.contains("\n## \(type.rawValue)\n"))
            for version in ProtocolVersion.allCases {
                for name in FieldTable.rows(of: type, in: version).names {
                    #expect(page.contains("| `\(name)`"))
                }
            }
        }
        #expect(page.contains("| `acctInfo.chAccAgeInd` | all | 01 to 05 | O |"))
    }

    @Test func `has no two rows for one element, message and version`() {
        for type in MessageType.allCases {
            for version in ProtocolVersion.allCases {
                let rows = FieldTable.rows(of: type, in: version)
                #expect(rows.names.count == rows.rows.count, "\(type) \(version)")
            }
        }
    }
}
