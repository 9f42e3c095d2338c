import HTTPServer

extension Benchmark {
    /// Requests over kept connections for an answer of 40 bytes, against nginx that does the same.
    ///
    /// The cost is the time per request that 64 clients in two threads of `wrk` see, which share the
    /// cores with both. With one there would be three threads on two cores, and which two of them the
    /// system puts on one core would decide: now a third more, now less.
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

/// Our server in this process, and nginx beside it, with two threads each.
private final class HTTPServerPair {
    static let answer = "0123456789012345678901234567890123456789"

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
        let said = try Program.run("/usr/bin/wrk", ["-t2", "-c64", "-d\(seconds)", url])
        // "Requests/sec:  34567.89"
        guard
            !said.contains("Non-2xx"), !said.contains("Socket errors"),
            let line = said.split(separator: "\n").first(where: { $0.hasPrefix("Requests/sec:") }),
            let word = line.split(separator: " ").last, let rate = Double(word)
        else { throw Failure(said: said) }
        return Benchmark.Sample(cost: 1e6 / rate, result: [])
    }

    private struct Failure: Error {
        let said: String
    }

    private func both() async throws -> (ours: Int, nginx: Nginx) {
        if let servers { return servers }
        let nginx = try Nginx(answer: Self.answer, isSecured: isSecured)
        let tls = nginx.certificate?.settings
        let body = Array(Self.answer.utf8)
        let type = Field("content-type", "text/plain")
        let server = try Server([try Listener("127.0.0.1", port: 0, tls: tls)], threadCount: 2) {
            _ in Response(status: 200, fields: [type], body: .bytes(body))
        }
        // It serves until this process ends.
        try await server.start()
        let made = (ours: server.ports[0], nginx: nginx)
        servers = made
        return made
    }
}
