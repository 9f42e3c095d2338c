import HTTPServer

extension Benchmark {
    /// Requests over persistent connections for a response of 40 bytes, compared with nginx.
    ///
    /// The cost is the time per request that 64 clients in two threads of `wrk` measure. The
    /// clients share the cores with the server. With one client thread there would be three threads
    /// on two cores. The result would then vary by a third, depending on which threads share a
    /// core.
    static func requests(_ scale: Scale) -> [Benchmark] {
        [("plain", false, Target.atMost(1 / 0.7)), ("tls", true, .atMost(1 / 0.55))].map {
            name,
            isSecured,
            target in
            let servers = HTTPServerPair(isSecured: isSecured, seconds: scale(2))
            return Benchmark(
                name: "http.request.\(name)-vs-nginx",
                unit: "µs",
                target: target,
                statistic: .medians,
                pairCount: 5,
                ours: { try await servers.ours() },
                reference: { try await servers.reference() }
            )
        }
    }
}

/// Our server in this process, and nginx in its own processes, with two threads each.
private final class HTTPServerPair {
    static let responseBody = "0123456789012345678901234567890123456789"

    private let isSecured: Bool
    private let seconds: Int
    private var servers: (ours: Int, nginx: Nginx)?

    init(isSecured: Bool, seconds: Int) {
        self.isSecured = isSecured
        self.seconds = seconds
    }

    func ours() async throws -> Benchmark.Sample { try sample(of: try await both().ours) }

    func reference() async throws -> Benchmark.Sample {
        try sample(of: try await both().nginx.port)
    }

    private func sample(of port: Int) throws -> Benchmark.Sample {
        let url = "\(isSecured ? "https" : "http")://127.0.0.1:\(port)/"
        let output = try Program.run("/usr/bin/wrk", ["-t2", "-c64", "-d\(seconds)", url])
        // "Requests/sec:  34567.89"
        guard
            !output.contains("Non-2xx"), !output.contains("Socket errors"),
            let line = output.split(separator: "\n")
                .first(where: { $0.hasPrefix("Requests/sec:") }),
            let word = line.split(separator: " ").last, let rate = Double(word)
        else { throw BenchmarkFailure("wrk printed no rate: \(output)") }
        return Benchmark.Sample(cost: 1e6 / rate, result: [])
    }

    private func both() async throws -> (ours: Int, nginx: Nginx) {
        if let servers { return servers }
        let nginx = try Nginx(responseBody: Self.responseBody, isSecured: isSecured)
        let tls = nginx.certificate?.settings
        let body = Array(Self.responseBody.utf8)
        let type = Field("content-type", "text/plain")
        let server = try Server([try Listener("127.0.0.1", port: 0, tls: tls)], threadCount: 2) {
            _ in Response(status: 200, fields: [type], body: .bytes(body))
        }
        // It serves until this process ends.
        try await server.start()
        let pair = (ours: server.ports[0], nginx: nginx)
        servers = pair
        return pair
    }
}
