import Foundation
import Testing
import TransactionApproval

@testable import VerifierServer

/// docs/reference/errors.md lists every error code of both APIs.
@Suite struct `The page on errors` {
    private let page: String
    private let rows: [(code: String, status: Int?)]

    init() throws {
        let path = URL(filePath: #filePath).appending(path: "../../../docs/reference/errors.md")
        page = try String(contentsOf: path.standardized, encoding: .utf8)
        rows = page.matches(of: /(?m)^\| `([A-Za-z]+)` \| (\d+|–) \|/)
            .map { (String($0.1), Int($0.2)) }
    }

    @Test func `lists each code once`() {
        let codes = ErrorCode.allCases.map(\.rawValue) + BankErrorCode.allCases.map(\.rawValue)
        #expect(rows.map(\.code) == codes)
    }

    @Test func `states the status of each code of the bank's API`() throws {
        for code in BankErrorCode.allCases {
            let row = try #require(rows.first { $0.code == code.rawValue })
            #expect(row.status == code.status, "\(code)")
        }
    }

    @Test(arguments: ErrorCode.allCases)
    func `lists the message that countersign prints for each code`(_ code: ErrorCode) throws {
        let event = try #require(code.supportSentence.split(separator: ";").first)
        let message = event.prefix(1).lowercased() + event.dropFirst()
        let isListed = page.split(separator: "\n").contains {
            $0.hasPrefix("| \(message) | ") && $0.hasSuffix(" | `\(code.rawValue)` |")
        }
        #expect(isListed, "\(message)")
    }
}
