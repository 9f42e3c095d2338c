import Foundation
import ProgramTesting
import TestSupport
import Testing

/// docs/protocol/transport.md lists the responses that the device's API does not sign.
@Suite(.timeLimit(.minutes(2))) struct `The page on transport` {
    private static let closing = "Host: 127.0.0.1\r\nConnection: close\r\n"

    private static func post(_ target: String, _ fields: String = "", body: String = "") -> String {
        "POST \(target) HTTP/1.1\r\n\(closing)\(fields)\r\n\(body)"
    }

    /// A request that gets each status.
    private static let requests: [Int: String] = [
        400: "POST /device/v1/status HTTP/1.1\r\nHost 127.0.0.1\r\n\r\n",
        401: post("/device/v1/status", "Content-Length: 2\r\n", body: "{}"),
        404: post("/device/v1/other", "Content-Length: 0\r\n"),
        405: "GET /device/v1/status HTTP/1.1\r\n\(closing)\r\n",
        408: "POST /device/v1/status HTTP/1.1\r\nHost:",
        413: post("/device/v1/status", "Content-Length: 65537\r\n"),
        414: post("/" + String(repeating: "a", count: 8200)),
        417: post("/device/v1/status", "Expect: anything\r\nContent-Length: 2\r\n", body: "{}"),
        431: post("/device/v1/status", "A: \(String(repeating: "a", count: 9000))\r\n"),
        501: post("/device/v1/status", "Transfer-Encoding: gzip\r\n"),
        505: "POST /device/v1/status HTTP/2.0\r\n\(closing)\r\n",
    ]
    /// A request alone does not lead to these; the suites of the device's API close the store.
    private static let afterFailures = [500, 503]

    private let rows: [(status: Int, problem: String?)]

    init() throws {
        let path = URL(filePath: #filePath).appending(path: "../../../docs/protocol/transport.md")
        let page = try String(contentsOf: path.standardized, encoding: .utf8)
        rows = try page.matches(of: /(?m)^\| (\d+) \| (?:none|problem `(\w+)`) \|/).map {
            (try #require(Int($0.1)), $0.2.map { String($0) })
        }
    }

    @Test func `lists each status of an unsigned response and its body`() throws {
        let statuses = Array(Self.requests.keys) + Self.afterFailures
        #expect(rows.map(\.status) == statuses.sorted())
        let premises = try Premises.initialized()
        try premises.serve(with: nil)
        let verifier = try RunningVerifier(premises)
        for row in rows {
            guard let request = Self.requests[row.status] else { continue }
            let client = try LoopbackSocket(.connected, to: verifier.port)
            try client.send(request)
            let response = client.remainingText()
            #expect(response.hasPrefix("HTTP/1.1 \(row.status) "), "\(response)")
            let parts = response.split(separator: "\r\n\r\n", maxSplits: 1)
            let body = parts.count == 2 ? String(parts[1]) : ""
            #expect(!parts[0].lowercased().contains("\nsignature"), "\(row.status)")
            if let problem = row.problem {
                #expect(body.contains(#"{"type":"urn:countersign:\#(problem)""#), "\(response)")
            } else {
                #expect(body == "", "\(row.status)")
            }
        }
        #expect(verifier.stop() == 0)
    }
}
