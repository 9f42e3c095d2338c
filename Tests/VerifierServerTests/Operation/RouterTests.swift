import HTTPServer
import ServerOperation
import Storage
import StoreTesting
import TestSupport
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@testable import VerifierServer

@Suite struct `The report of a request` {
    private let served: ServedBank
    private let phone: Phone
    private let metrics = Metrics()
    private let pipe: TestPipe
    private let router: Router

    init() async throws {
        served = try await ServedBank()
        phone = try await served.bank.activate()
        pipe = try TestPipe()
        router = try served.router(metrics, Log(to: pipe.writing.number, metrics: metrics))
    }

    private func lines() -> [Substring] { pipe.read().split(separator: "\n") }

    private func call(
        _ method: String,
        _ target: String,
        showing token: [UInt8] = []
    ) async throws -> CompleteResponse {
        let token = Field("Authorization", BankClient.token(token))
        let request = Request(method: method, target: target, fields: [token], body: [])
        return try await CompleteResponse(await router.respond(to: request))
    }

    @Test func `is one log line with the request id of the response`() async throws {
        for target in ["/openapi.json", "/device/v1/status", "/device/v1/x", "/bank/v1/x", "/"] {
            let response = try await call("POST", target)
            let id = try #require(response.value(of: "request-id"))
            #expect(response.fields.count { $0.name == "request-id" } == 1)
            let lines = lines()
            #expect(lines.count == 1)
            #expect(try #require(lines.first).contains(#""request":"\#(id)""#))
        }
    }

    @Test func `of the description to another method is a problem`() async throws {
        let response = try await call("DELETE", "/openapi.json")
        #expect(response.code == "methodNotAllowed")
        #expect(response.value(of: "allow") == "GET")
    }

    @Test(arguments: [
        ("GET", "/bank/v1/enterprises/bank", "GET /bank/v1/enterprises/{enterprise}", "done", 200),
        (
            "GET", "/bank/v1/enterprises/x1", "GET /bank/v1/enterprises/{enterprise}", "notFound",
            404
        ),
        ("PATCH", "/bank/v1/enterprises", "unknown", "methodNotAllowed", 405),
        ("GET", "/bank/v1/secret-path", "unknown", "notFound", 404),
        ("POST", "/device/v1/secret-path", "unknown", "notFound", 404),
        ("GET", "/device/v1/status", "POST /device/v1/status", "methodNotAllowed", 405),
        ("POST", "/device/v1/status", "POST /device/v1/status", "noAccountActivated", 401),
        ("DELETE", "/openapi.json", "unknown", "methodNotAllowed", 405),
    ])
    func `contains the route of the table and the outcome`(
        method: String,
        target: String,
        route: String,
        outcome: String,
        status: Int
    ) async throws {
        let token = try await served.bank.makeToken()
        let response = try await call(method, target, showing: token)
        #expect(response.status == status)
        let line = try #require(lines().first)
        #expect(line.contains(#""route":"\#(route)","outcome":"\#(outcome)","status":\#(status),"#))
        let counted = #"route="\#(route)",outcome="\#(outcome)"} 1"#
        #expect(metrics.text(with: []).contains(counted))
    }

    @Test func `SEC-69: distinguishes a call that waits for a second person`() async throws {
        let router = try served.router(
            metrics,
            Log(to: pipe.writing.number, metrics: metrics),
            secondPerson: [.addAccount]
        )
        let token = try await served.bank.makeToken("core")
        let fields = [Field("Authorization", BankClient.token(token))]
        let request = Request(method: "PUT", target: BankClient.account, fields: fields, body: [])
        #expect(await router.respond(to: request).status == 202)
        let line = try #require(lines().first)
        #expect(line.contains(#""outcome":"requested","status":202,"#))
        #expect(line.hasSuffix(#","token":"core"}"#))
    }

    @Test func `SEC-69: contains nothing that devices and banks sent`() async throws {
        let token = try await served.bank.makeToken("core")
        _ = try await call("GET", "/bank/v1/enterprises/marker?marker=marker", showing: token)
        _ = try await call("GET", BankClient.account, showing: token)
        let request = try phone.request(
            StatusExchange.self,
            .init(),
            at: served.bank.clock.now
        )
        #expect(await router.respond(to: try Request(request)).status == 200)
        // The random digits of a request can contain any number.
        let text = pipe.read().replacing(/"request":"[0-9a-f]{32}"/, with: "")
        #expect(text.split(separator: "\n").count == 3)
        #expect(text.contains(#""route":"POST /device/v1/status","outcome":"done""#))
        let secrets = [
            "marker", "4711", phone.id.description, String(decoding: token, as: UTF8.self),
        ]
        for secret in secrets { #expect(!text.contains(secret), "\(secret)") }
    }

    @Test func `SEC-69: names the token of a bank call, and the client of a refused one`()
        async throws
    {
        let core = try await served.bank.makeToken("core")
        let old = try await served.bank.makeToken("old")
        let name = BankTokenName(checked: "old")
        #expect(try await served.bank.verifier.revokeToken(named: name, by: .operatorCommand))
        let token = #","token":"core""#
        let client = #","client":"192.0.2.7""#
        for (method, target, shown, end) in [
            ("GET", BankClient.account, core, token),
            ("PUT", BankClient.account + "1", core, token),
            ("GET", BankClient.account + "2", core, token + client),
            ("GET", BankClient.account + "/activations/x/code", core, token + client),
            ("GET", "/bank/v1/audit", core, token + client),
            ("POST", BankClient.account + "/activations", core, token + client),
            // An invalid token has no name, and other requests have no token.
            ("GET", BankClient.account, old, client), ("GET", BankClient.account, [], client),
            ("GET", "/bank/v1/secret-path", core, client),
            ("PATCH", BankClient.account, core, client),
            ("GET", "/wp-login.php", [], ""), ("PUT", "/bank", core, ""),
            ("GET", "/device/v1/secret-path", core, ""), ("DELETE", "/openapi.json", core, ""),
        ] {
            let request = Request(
                method: method,
                target: target,
                fields: [Field("Authorization", BankClient.token(shown))],
                body: [],
                peer: Peer(address: "192.0.2.7", isSecured: true)
            )
            _ = await router.respond(to: request)
            let line = try #require(lines().first)
            let last = try #require(line.firstMatch(of: /"microseconds":\d+(.*)}$/)).1
            #expect(last == end, "\(method) \(target)")
        }
    }

    @Test func `comes at the end of a stream, also if its client left`() async throws {
        let token = try await served.bank.makeToken("all", for: .auditor, in: nil)
        let request = Request(
            method: "GET",
            target: "/bank/v1/audit",
            fields: [Field("Authorization", BankClient.token(token))],
            body: []
        )
        let response = await router.respond(to: request)
        #expect(lines() == [])
        #expect(try await !CompleteResponse(response).body.isEmpty)
        #expect(try #require(lines().first).contains(#""outcome":"done""#))
        guard case .stream(let stream) = await router.respond(to: request).body else {
            throw Bank.Unexpected()
        }
        await #expect(throws: Response.Cut.self) {
            try await stream(Response.Writer { _ throws(Response.Cut) in throw Response.Cut() })
        }
        #expect(try #require(lines().first).contains(#""outcome":"cut""#))
    }

    @Test func `counts failures of the store`() async throws {
        let token = try await served.bank.makeToken()
        await served.bank.database.close()
        #expect(try await call("GET", "/bank/v1/enterprises", showing: token).status == 503)
        #expect(try #require(lines().first).contains(#""outcome":"serverUnavailable""#))
        let counted = #"countersign_failures_total{failure="store.unavailable"} 1"#
        #expect(metrics.text(with: []).contains(counted))
    }

    @Test func `covers requests that match no route`() throws {
        let reporter = Reporter(
            metrics: metrics,
            log: Log(to: pipe.writing.number, metrics: metrics)
        )
        let response = reporter.response(to: .headTooLarge)
        #expect(response.status == 431)
        #expect(response.fields.map(\.name) == ["request-id"])
        let line = try #require(lines().first)
        #expect(line.contains(#""route":"unknown","outcome":"headTooLarge","status":431,"#))
    }
}

@Suite(.onAnyStore) struct `The operation API` {
    private let bank: Bank
    private let metrics = Metrics()
    private let api: OperationAPI

    init() async throws {
        bank = try await Bank()
        let log = Log(to: -1, metrics: metrics)
        api = OperationAPI(
            bank.verifier,
            metrics: metrics,
            reporter: Reporter(metrics: metrics, log: log)
        )
    }

    private func get(_ target: String, by method: String = "GET") async throws -> CompleteResponse {
        let request = Request(method: method, target: target, fields: [], body: [])
        return try await CompleteResponse(await api.respond(to: request))
    }

    @Test func `reports liveness and readiness`() async throws {
        #expect(try await get("/health/live").status == 200)
        #expect(try await get("/health/ready").status == 200)
        api.stop()
        #expect(try await get("/health/live").status == 200)
        let stopping = try await get("/health/ready")
        #expect(stopping.status == 503)
        #expect(stopping.text == "stopping\n")
    }

    @Test func `reports a missing store, and still returns metrics`() async throws {
        await bank.database.close()
        #expect(try await get("/health/live").status == 200)
        #expect(try await get("/health/ready").status == 503)
        let counts = try await get("/metrics")
        #expect(counts.status == 200)
        #expect(counts.text.contains("countersign_failures_total{failure=\"store."))
        #expect(!counts.text.contains("countersign_deliveries"))
    }

    @Test func `is not ready if the store cannot be written`() async throws {
        let verifier = bank.verifier(over: SilentDatabase(store: bank.database))
        let reporter = Reporter(metrics: metrics, log: Log(to: -1, metrics: metrics))
        let api = OperationAPI(verifier, metrics: metrics, reporter: reporter)
        _ = try await verifier.undelivered(countedTo: 1)
        let request = Request(method: "GET", target: "/health/ready", fields: [], body: [])
        let ready = try await CompleteResponse(await api.respond(to: request))
        #expect(ready.status == 503)
        #expect(ready.text == "store.uncertain\n")
    }

    @Test func `is not ready if the free space is unknown`() async throws {
        let folder = try TemporaryFolder()
        let volumes = [
            Volume(of: "store", holding: folder.path),
            Volume(of: "journal", holding: folder.path + "/gone"),
        ]
        let reporter = Reporter(metrics: metrics, log: Log(to: -1, metrics: metrics))
        let api = OperationAPI(
            bank.verifier,
            writingTo: volumes,
            metrics: metrics,
            reporter: reporter
        )
        func get(_ target: String) async throws -> CompleteResponse {
            let request = Request(method: "GET", target: target, fields: [], body: [])
            return try await CompleteResponse(await api.respond(to: request))
        }
        #expect(try await get("/health/ready").text == "journal.unavailable\n")
        let counts = try await get("/metrics").text
        let free = counts.firstMatch(of: /countersign_free_bytes\{volume="store"\} (\d+)\n/)
        #expect((free.flatMap { Int($0.1) } ?? 0) > 0)
        #expect(!counts.contains(#"volume="journal""#))
        #expect(counts.contains(#"outcome="journal.unavailable"} 1"#))
    }

    @Test func `is not ready after a change failed because of a full disk`() async throws {
        let reporter = Reporter(metrics: metrics, log: Log(to: -1, metrics: metrics))
        let api = OperationAPI(bank.verifier, metrics: metrics, reporter: reporter)
        func readiness() async throws -> String {
            let request = Request(method: "GET", target: "/health/ready", fields: [], body: [])
            return try await CompleteResponse(await api.respond(to: request)).text
        }
        #expect(try await readiness() == "ready\n")
        bank.verifier.outages.note(.store(.full))
        // The store accepts the small write of the probe.
        #expect(try await readiness() == "store.full\n")
        bank.verifier.outages.noteSuccess(at: .now + OutageMonitor.quietTime)
        #expect(try await readiness() == "ready\n")
    }

    @Test func `counts waiting and dead-letter deliveries`() async throws {
        let phone = try await bank.activate()
        _ = try await bank.verifier.setPush(.events, on: phone.id, attempt: .random())
        let taken = try await bank.verifier.takeDeliveries(to: .webhook, limit: 1)
        let delivery = try #require(taken.first)
        for _ in 0..<Delivery.maximumTries {
            try await bank.verifier.note(.failed(jitter: 0), of: delivery)
        }
        let all = try await bank.verifier.deliveries(.waiting, limit: 100).count
        let counts = try await get("/metrics")
        #expect(counts.value(of: "content-type") == "text/plain; version=0.0.4; charset=utf-8")
        #expect(counts.text.contains("countersign_deliveries{state=\"waiting\"} \(all)\n"))
        #expect(counts.text.contains("countersign_deliveries{state=\"dead\"} 1\n"))
        _ = try await bank.pay()
        let few = try await bank.verifier.undelivered(countedTo: 1)
        #expect((few.waiting, few.dead) == (1, 1))
    }

    @Test func `has no other paths or methods`() async throws {
        for target in ["/", "/openapi.json", "/bank/v1/enterprises", "/metrics?", "/health"] {
            #expect(try await get(target).status == 404)
        }
        for target in ["/health/live", "/health/ready", "/metrics"] {
            #expect(try await get(target, by: "HEAD").status == 200)
            let refused = try await get(target, by: "POST")
            #expect(refused.status == 405)
            #expect(refused.value(of: "allow") == "GET, HEAD")
        }
    }
}
