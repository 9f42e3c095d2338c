import HTTPClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A proxy` {
    private let server: TestServer
    private let proxy: TestServer

    init() throws {
        server = try TestServer()
        proxy = try TestServer(nil)
    }

    private var proxyURL: String { proxy.url("", scheme: "http") }

    @Test func `tunnels a request without seeing it`() async throws {
        let client = try HTTPClient.forTests { $0.proxy = .url(proxyURL) }
        let request = HTTPRequest(
            .get,
            server.url("/secret"),
            headers: [HTTPHeaderLine("Authorization", "secret")]
        )
        let response = try await client.send(request)
        #expect(response.text.contains("Authorization: secret"))
        #expect(response.headers.map(\.name) == ["Content-Length"])
        let line = try await proxy.waitForLine("connect")
        #expect(line == "connect localhost:\(server.port) ['host', 'proxy-connection']")
    }

    @Test(arguments: [Certificates.Name.foreign, .otherHost])
    func `does not make a server trusted (SEC-37)`(_ certificate: Certificates.Name) async throws {
        let server = try TestServer(certificate)
        let client = try HTTPClient.forTests { $0.proxy = .url(proxyURL) }
        await #expect(throws: HTTPFailure.serverUntrusted) {
            try await client.send(HTTPRequest(.get, server.url("/")))
        }
        try await proxy.waitForLine("connect")
    }

    @Test func `that refuses, is missing or has an unknown name makes the network unavailable`()
        async throws
    {
        let refusing = try TestServer(nil, ["--refuse-tunnels"])
        let absent = try LoopbackSocket(.bound)
        let outcomes: [(proxy: String, failure: HTTPFailure.Obstacle)] = [
            (refusing.url("", scheme: "http"), .proxy),
            ("http://127.0.0.1:\(absent.port)", .connection),
        ]
        for (proxy, obstacle) in outcomes {
            let client = try HTTPClient.forTests { $0.proxy = .url(proxy) }
            await #expect(throws: HTTPFailure.networkUnavailable(obstacle)) {
                try await client.send(HTTPRequest(.get, server.url("/")))
            }
        }
    }

    @Test(arguments: ["https_proxy", "HTTPS_PROXY", "all_proxy"])
    func `from the environment is used`(_ name: String) async throws {
        let environment = [name: proxyURL, "no_proxy": "bank.example"]
        let outcomes = try RequestProgram.outcomes(server.url("/"), environment: environment)
        #expect(outcomes == ["200"])
        try await proxy.waitForLine("connect")
    }

    @Test(arguments: ["localhost", "bank.example,localhost", "*"])
    func `from the environment is not used for the names in no_proxy`(_ names: String) throws {
        let absent = try LoopbackSocket(.bound)
        var environment = ["https_proxy": "http://127.0.0.1:\(absent.port)", "no_proxy": names]
        let url = server.url("/")
        #expect(try RequestProgram.outcomes(url, environment: environment) == ["200"])
        environment["no_proxy"] = ""
        let outcomes = try RequestProgram.outcomes(url, environment: environment)
        #expect(outcomes == ["\(HTTPFailure.networkUnavailable(.connection))"])
    }
}
