import Foundation
import ProgramTesting
import TestSupport
import Testing

private let account = OperatedVerifier.account

/// Requests to a server of the test.
@Suite(.timeLimit(.minutes(5))) struct `Commands over the network` {
    private let premises: Premises
    private let server: TestServer

    init() throws {
        premises = try Premises.initialized()
        try premises.write(try premises.token("core", "issuer", reaching: ["--all"]), to: "token")
        server = try TestServer(nil, ["--relay"])
    }

    private func respond(_ body: String) throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        try server.respond(with: Array((head + body).utf8))
    }

    /// Sends less than the announced length, and closes the connection.
    private func respond(
        beginning: String,
        _ length: String = "Content-Length: 5000000\r\n"
    ) throws {
        let head = "HTTP/1.1 200 OK\r\n\(length)Connection: close\r\n\r\n"
        try server.respond(with: Array((head + beginning).utf8))
    }

    /// The lines of a trail.
    private func trail() async throws -> [String] {
        let premises = try Premises.initialized()
        try await premises.fill()
        let lines = try premises.countersignd("audit", "export").output.split(separator: "\n")
        try #require(lines.count > 2)
        return lines.map { $0 + "\n" }
    }

    private func countersignd(_ words: String...) throws -> FinishedProcess {
        try FinishedProcess.run(
            BuiltProducts.path(of: "countersignd"),
            words + [
                "--server", "http://127.0.0.1:\(server.port)", "--token", premises.path("token"),
            ]
        )
    }

    private func transaction(_ id: String, _ state: String) -> String {
        """
        {"id":"\(id)","account":{"type":"main","id":"4711"},"state":"\(state)",\
        "source":"bank","context":"action","title":"T","fields":[],"amounts":[],"payees":[],\
        "authentication":["userPIN"],"created":"1970-01-01T00:00:00.001Z",\
        "deadline":"1970-01-01T00:00:00.002Z","hasEvidence":false}
        """
    }

    @Test func `watch sends at most one request per second`() async throws {
        for state in ["pending", "pending", "approved"] { try respond(transaction("t1", state)) }
        let start = ContinuousClock.now
        let watch = try countersignd("transaction", "watch", account, "t1")
        #expect(watch.exitCode == 0, "\(watch.errorOutput)")
        #expect(.now - start >= .seconds(1))
        var waits: [String] = []
        for _ in 0..<3 { waits.append(String(try await server.request().target.suffix(7))) }
        #expect(waits == ["ions/t1", "wait=50", "wait=50"])
    }

    @Test(arguments: ["rejected", "expired", "withdrawn", "void"])
    func `watch exits with 1 and prints the state if nothing was approved`(
        _ state: String
    ) async throws {
        try respond(transaction("t1", state))
        let watch = try countersignd("transaction", "watch", account, "t1")
        #expect(watch.exitCode == 1)
        #expect(watch.output.contains("State\t\(state)\n"))
        #expect(watch.errorOutput == "countersignd: the transaction was not approved: \(state)\n")
    }

    @Test func `an audit export continues after broken connections`() async throws {
        let lines = try await trail()
        // A response that ends in the second line; then one that only the connection ends.
        try respond(beginning: lines[0] + lines[1].dropLast(9))
        try respond(beginning: lines[1], "")
        try respond(lines.dropFirst(2).joined())
        let export = try countersignd("audit", "export")
        #expect(export.exitCode == 0, "\(export.errorOutput)")
        #expect(export.output == lines.joined())
        var targets: [String] = []
        for _ in 0..<3 { targets.append(try await server.request().target) }
        #expect(targets == [0, 1, 2].map { "/bank/v1/audit?after=\($0)" })
    }

    @Test(arguments: [true, false])
    func `a failed export to standard output reports where to continue`(
        _ isKept: Bool
    ) async throws {
        let lines = try await trail()
        try respond(beginning: lines[0] + lines[1])
        try respond(beginning: "")
        let file = premises.path("trail")
        let export =
            try isKept
            ? countersignd("audit", "export") : countersignd("audit", "export", "-o", file)
        #expect(export.exitCode == 75)
        #expect(export.output == (isKept ? lines[0] + lines[1] : ""))
        #expect(export.errorOutput.hasSuffix("; continue with --after 2\n") == isKept)
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test(
        arguments: [
            (#"kind":""#, #"kind":"x."#, true), ("{", "[", true), ("\n", "", true),
            ("\n", "\n\n", true),
            (#"kind":""#, #"kind":"x."#, false), ("{", "[", false), ("\n", "\n\n", false),
        ]
    )
    func `an export rejects lines that are not records`(
        _ right: String,
        _ wrong: String,
        _ comesWhole: Bool
    ) async throws {
        let line = try await trail()[0]
        try respond(beginning: line)
        let malformed = line.replacing(right, with: wrong)
        try comesWhole ? respond(malformed) : respond(beginning: malformed)
        // This response is not used.
        try respond("")
        let export = try countersignd("audit", "export")
        #expect(export.exitCode == 76, "\(export.errorOutput)")
        #expect(export.output == line)
        #expect(export.errorOutput.contains("sent a line that is not an audit record\nhint: "))
        #expect(export.errorOutput.hasSuffix("; continue with --after 1\n"))
    }

    @Test func `an export rejects a line that is too long`() async throws {
        let line = try await trail()[0]
        try respond(beginning: line + String(repeating: "x", count: (64 << 10) + 1))
        try respond("")
        let export = try countersignd("audit", "export")
        #expect(export.exitCode == 76, "\(export.errorOutput)")
        #expect(export.output == line)
        #expect(export.errorOutput.hasSuffix("; continue with --after 1\n"))
    }

    @Test func `deliveries are sorted`() throws {
        let (a, b) = (String(repeating: "a", count: 32), String(repeating: "b", count: 32))
        let places = [
            #""sequence":7,"target":"webhook""#, #""sequence":9,"target":"webhook""#,
            #""sequence":9,"target":"push","device":"\#(a)""#,
            #""sequence":9,"target":"push","device":"\#(b)""#,
        ]
        let rest = #""account":{"type":"main","id":"4711"},"subject":"s","state":"dead","tries":1"#
        let deliveries = places.reversed().map { "{\($0),\(rest)}" }.joined(separator: ",")
        try respond(#"{"enterprises":[{"id":"bank"}]}"#)
        try respond(#"{"deliveries":[\#(deliveries)]}"#)
        let list = try countersignd("outbox", "list", "--dead", "--json")
        #expect(list.exitCode == 0, "\(list.errorOutput)")
        let shown = /"sequence":\d+,"target":"[a-z]+"(,"device":"[ab]+")?/
        #expect(list.output.matches(of: shown).map { String($0.0) } == places)
    }

    @Test func `a list continues on the next page up to its limit`() async throws {
        let page = (0..<50).map { transaction("t\($0)", "void") }.joined(separator: ",")
        try respond(#"{"transactions":[\#(page)],"next":"c-1"}"#)
        try respond(#"{"transactions":[\#(transaction("last", "void"))],"next":"c-2"}"#)
        let list = try countersignd("transaction", "list", account, "--limit", "51")
        #expect(list.exitCode == 0, "\(list.errorOutput)")
        #expect(list.output.split(separator: "\n").count == 51)
        #expect(list.output.contains("\nlast\tvoid\t1970-01-01 00:00:00 UTC\t\tT\n"))
        var targets: [String] = []
        for _ in 0..<2 { targets.append(try await server.request().target) }
        let path = "/bank/v1/enterprises/bank/accounts/main/4711/transactions"
        #expect(targets == [path + "?limit=50", path + "?limit=1&before=c-1"])
    }

    @Test func `a request contains the token, the content and a random idempotency key`()
        async throws
    {
        try respond(transaction("t1", "pending"))
        try premises.write(OperatedVerifier.payment, to: "payment.json")
        let result = try countersignd(
            "transaction",
            "create",
            account,
            premises.path("payment.json")
        )
        #expect(result.exitCode == 0, "\(result.errorOutput)")
        let request = try await server.request()
        #expect(request.method == "POST")
        #expect(request.body == Data(OperatedVerifier.payment.utf8))
        let fields = Dictionary(uniqueKeysWithValues: request.fields.map { ($0[0], $0[1]) })
        let token = String(decoding: try premises.contents("token"), as: UTF8.self)
        #expect(fields["authorization"] == "Bearer " + token)
        #expect(fields["content-type"] == "application/json")
        #expect(fields["idempotency-key"]?.wholeMatch(of: /[0-9a-f]{32}/) != nil)
    }
}
