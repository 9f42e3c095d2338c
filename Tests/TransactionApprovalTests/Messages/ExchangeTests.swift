import Testing
import TransactionApproval

@Suite struct `Device routes` {
    private let server: ServerOrigin

    init() throws {
        server = try #require(ServerOrigin("https://approve.bank.example"))
    }

    @Test(arguments: DeviceRoute.allCases)
    func `have one exchange each`(_ route: DeviceRoute) {
        #expect(route.exchange.route == route)
    }

    @Test(arguments: DeviceRoute.allCases)
    func `have paths without a variable part`(_ route: DeviceRoute) {
        let parts = route.path.split(separator: "/", omittingEmptySubsequences: false)
        #expect(parts.starts(with: ["", "device", "v1"]))
        let isPlain = parts.dropFirst().allSatisfy { part in
            !part.isEmpty && part.allSatisfy { "abcdefghijklmnopqrstuvwxyz1-".contains($0) }
        }
        #expect(isPlain)
    }

    @Test func `use the configured origin`() throws {
        let attempt = try AttemptID.random()
        let request = DeletionExchange.Request(attempt: attempt)
        let message = try DeletionExchange.message(request, to: server)
        #expect(
            message
                == RequestMessage(
                    method: "POST",
                    targetURI: "https://approve.bank.example/device/v1/deletion",
                    contentType: "application/json",
                    body: Array(#"{"attempt":"\#(attempt)"}"#.utf8)
                )
        )
    }
}

@Suite struct `Outcomes` {
    private let login = LoginExchange.Response(login: TransactionID(checked: "login-1"))

    @Test func `are read back`() throws {
        let done = Outcome.done(login)
        let message = try LoginExchange.message(done)
        #expect(message.status == 200)
        #expect(message.contentType == "application/json")
        #expect(LoginExchange.outcome(of: message) == done)
    }

    @Test(arguments: try MessageValues().everyProblem())
    func `that are refusals are read back`(_ problem: Problem) throws {
        let refused = Outcome<LoginExchange.Response>.refused(problem)
        let message = try LoginExchange.message(refused)
        #expect(message.status == problem.status)
        #expect(message.contentType == "application/problem+json")
        #expect(LoginExchange.outcome(of: message) == refused)
    }

    @Test(arguments: [
        (200, "application/json", #"{"login":"a b"}"#),
        (200, "application/json", "{}"),
        (200, "application/json", ""),
        (201, "application/json", #"{"login":"login-1"}"#),
        (200, "application/json; charset=utf-8", #"{"login":"login-1"}"#),
        (200, "text/html", "<html></html>"),
        (413, "text/plain", "too large"),
        (200, "application/problem+json", problem("transactionExpired", 410)),
        (404, "application/problem+json", problem("transactionExpired", 410)),
        (410, "application/problem+json", problem("transactionExpired", 404)),
        (410, "application/json", problem("transactionExpired", 410)),
        // Unknown codes, and codes that only a device uses.
        (409, "application/problem+json", problem("moonIsFull", 409)),
        (409, "application/problem+json", problem("vaultDamaged", 409)),
        (409, "application/problem+json", problem("pinPolicy", 409)),
        (401, "application/problem+json", problem("", 401)),
    ])
    func `of anything else are unknown`(_ status: Int, _ type: String, _ body: String) {
        let message = ResponseMessage(status: status, contentType: type, body: Array(body.utf8))
        #expect(LoginExchange.outcome(of: message) == nil)
    }

    private static func problem(_ code: String, _ status: Int) -> String {
        #"{"type":"urn:countersign:\#(code)","title":"No.","status":\#(status)}"#
    }
}

@Suite struct `Problems` {
    @Test func `SEC-45 of a wrong code contain only the attempts left`() throws {
        let text = String(
            decoding: try Problem.authenticationFailed(attemptsLeft: 4).written,
            as: UTF8.self
        )
        #expect(
            text
                == #"{"type":"urn:countersign:authenticationFailed","title":""#
                + ErrorCode.authenticationFailed.supportSentence
                + #"","status":403,"attemptsLeft":4}"#
        )
    }

    @Test(arguments: try MessageValues().everyProblem())
    func `have only the members of their code`(_ problem: Problem) throws {
        let text = String(decoding: try problem.written, as: UTF8.self)
        for other in try MessageValues().everyProblem() where other.code != problem.code {
            let details = String(decoding: try other.written, as: UTF8.self)
                .split(separator: #""status":\#(other.status)"#)[1].dropLast()
            guard !details.isEmpty else { continue }
            let mixed = text.dropLast() + details + "}"
            #expect(throws: (any Error).self, "\(other)") {
                try Problem(reading: Array(mixed.utf8))
            }
        }
    }

    @Test func `have a status of the table`() throws {
        let allowed: Set = [400, 401, 403, 404, 409, 410, 422, 423, 429, 503]
        for problem in try MessageValues().everyProblem() {
            #expect(allowed.contains(problem.status))
        }
    }

    @Test func `may have another title`() throws {
        let text = #"{"type":"urn:countersign:deviceRevoked","title":"Nein.","status":403}"#
        #expect(try Problem(reading: Array(text.utf8)) == .deviceRevoked)
    }
}
