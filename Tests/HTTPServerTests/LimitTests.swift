import HTTPServer
import TestSupport
import Testing

@Suite struct `Connection limits` {
    private func limits(_ change: (inout Limits) -> Void) -> Limits {
        var limits = Limits()
        change(&limits)
        return limits
    }

    @Test func `per address do not affect other addresses`() async throws {
        try await withServer(limits: limits { $0.connectionsPerAddress = 2 }) { _, port in
            let clients = try (0..<2).map { _ in try RawClient(port) }
            for client in clients { #expect(try client.exchange(get()).status == 200) }
            let newcomer = try RawClient(port)
            #expect(try newcomer.isAtEnd())
            let neighbour = try RawClient(port, from: "127.0.0.2")
            #expect(try neighbour.exchange(get()).status == 200)
            for client in clients { #expect(try client.exchange(get()).status == 200) }
        }
    }

    @Test(arguments: [
        ("192.0.2.1", "c0000201"), ("2001:db8::1", "20010db800000000"),
        ("2001:db8:0:0:ffff::2", "20010db800000000"), ("::1", "0000000000000000"),
        ("fe80::1%lo", "fe80000000000000"),
    ])
    func `count an IPv4 address or an IPv6 /64 as one network`(_ address: String, _ bytes: String) {
        let network = Peer(address: address, isSecured: true).network
        #expect(network?.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == bytes)
        #expect(Peer(address: address, isSecured: false).network == nil, "a proxy's clients")
    }

    @Test func `are reported with the client`() async throws {
        let (refusals, continuation) = AsyncStream<ConnectionRefusal>.makeStream()
        let limits = limits { ($0.connections, $0.connectionsPerAddress) = (2, 1) }
        try await withServer(limits: limits, observing: { continuation.yield($0) }) { _, port in
            let first = try RawClient(port)
            let second = try RawClient(port)
            #expect(try second.isAtEnd())
            let third = try RawClient(port, from: "127.0.0.2")
            #expect(try third.exchange(get()).status == 200)
            let fourth = try RawClient(port, from: "127.0.0.3")
            #expect(try fourth.isAtEnd())
            #expect(try first.exchange(get()).status == 200)
        }
        continuation.finish()
        var all: [ConnectionRefusal] = []
        for await refusal in refusals { all.append(refusal) }
        #expect(
            all == [
                ConnectionRefusal(.connectionsPerAddress, of: "127.0.0.1"),
                ConnectionRefusal(.connections, of: "127.0.0.3"),
            ]
        )
    }

    @Test func `count only open connections`() async throws {
        let limits = limits { $0.connectionsPerAddress = 1 }
        try await withServer(limits: limits) { _, port in
            for _ in 0..<50 {
                // The server notices the previous client a little later.
                var response: RawClient.Response?
                while response == nil { response = try? RawClient(port).exchange(get()) }
                #expect(response?.status == 200)
            }
        }
    }

    @Test func `reject new clients and keep connected ones`() async throws {
        try await withServer(limits: limits { $0.connections = 2 }) { _, port in
            let clients = try (1...2).map { try RawClient(port, from: "127.0.0.\($0)") }
            for client in clients { #expect(try client.exchange(get()).status == 200) }
            let newcomer = try RawClient(port, from: "127.0.0.3")
            #expect(try newcomer.isAtEnd())
            for client in clients { #expect(try client.exchange(get()).status == 200) }
        }
    }

    @Test func `shorten the idle timeout when a quarter of the connections is left`()
        async throws
    {
        var deadlines = Deadlines()
        (deadlines.head, deadlines.idle) = (.seconds(3), .seconds(3600))
        try await withServer(limits: limits { $0.connections = 4 }, deadlines: deadlines) {
            _,
            port in
            let clients = try (0..<4).map { _ in
                let client = try RawClient(port)
                #expect(try client.exchange(get()).status == 200)
                return client
            }
            try await withServer(deadlines: deadlines) { _, calmPort in
                let calm = try RawClient(calmPort)
                #expect(try calm.exchange(get()).status == 200)
                try await waitUntil { clients.contains(where: \.hasInput) }
                #expect(try clients.first(where: \.hasInput)?.isAtEnd() == true)
                #expect(try calm.exchange(get()).status == 200)
            }
        }
    }

    @Test(.needsPlainMemory)
    func `bound the memory of a client that sends and never reads`() async throws {
        let server = try ServerProcess()
        let client = try RawClient(server.port, receiveBuffer: 4096)
        let requests = Array(
            (0..<20).map { _ in post(String(repeating: "a", count: 60_000)) }.joined().utf8
        )
        let before = try server.bytes()
        // Unread input fills both sockets; the write then stops.
        client.sendUntilFull(requests)
        #expect(try server.bytes() - before < 4 << 20)
    }

    @Test(.needsPlainMemory)
    func `bound the memory of many clients that do not read the same content`() async throws {
        let server = try ServerProcess()
        let first = try RawClient(server.port)
        #expect(try first.exchange(get("/large")).body.utf8.count == 4 << 20)
        let before = try server.bytes()
        let clients = try (0..<50).map { _ in
            let client = try RawClient(server.port, receiveBuffer: 4096)
            client.send(get("/large"))
            _ = try client.take(upTo: "\r\n\r\n")
            return client
        }
        // Copies would need 200 MiB.
        #expect(try server.bytes() - before < 20 << 20)
        withExtendedLifetime(clients) {}
    }
}
