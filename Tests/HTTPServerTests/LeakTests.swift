import Foundation
import TestSupport
import Testing

@Suite struct `Memory and descriptors` {
    @Test func `are freed after 1,200 clients left at any moment`() async throws {
        let server = try ServerProcess()
        let newcomer = try RawClient(server.port)
        #expect(try newcomer.exchange(get()).status == 200)
        let before = try server.descriptorCount()
        let request = Array(post("some body", to: "/later").utf8)
        for number in 0..<1200 {
            let client = try RawClient(server.port)
            client.send(request.prefix(number % (request.count + 20)))
            number.isMultiple(of: 3) ? client.reset() : client.close()
        }
        // The server notices the last ones a little later.
        var response: RawClient.Response?
        repeat {
            response = try RawClient(server.port).exchange(get())
        } while try server.descriptorCount() > before + 1
        #expect(response?.status == 200)
    }

    @Test(.needsPlainMemory) func `do not grow with the number of requests`() async throws {
        let count = Proof.isComplete ? 1_000_000 : 20_000
        let server = try ServerProcess()
        try converse(server.port, 10_000)
        let (memory, descriptors) = (try server.bytes(), try server.descriptorCount())
        try converse(server.port, count)
        #expect(try server.bytes() - memory < 2 << 20)
        #expect(try server.descriptorCount() <= descriptors + 10)
    }

    /// Sends many requests, with a new connection after each hundred.
    private func converse(_ port: Int, _ count: Int) throws {
        for _ in 0..<count / 100 {
            let client = try RawClient(port)
            client.send((0..<100).map { post("body", to: "/\($0)") }.joined())
            for number in 0..<100 {
                #expect(try client.response().body == "/\(number)body")
            }
        }
    }
}

@Suite(.needsPlainMemory)
struct `A flood of strangers over TLS` {
    @Test func `costs at most 16 KB each before their first byte`() throws {
        let server = try ServerProcess(.server)
        let cost = try cost(of: 1000, sending: [], to: server)
        #expect(cost / 1000 <= 16_384)
    }

    @Test func `leaves no memory behind`() throws {
        let server = try ServerProcess(.server)
        let (memory, descriptors) = (try server.bytes(), try server.descriptorCount())
        // The first byte of a handshake, so that the server allocates all that a handshake needs.
        let cost = try cost(of: 2000, sending: [0x16], to: server)
        // The server notices the last ones a little later. Its runtime opens a few of its own late.
        try spinUntil { try server.descriptorCount() <= descriptors + 10 }
        try spinUntil { try server.bytes() - memory < cost / 4 }
    }

    /// The memory of the server while so many clients are connected, beyond what it needed before.
    private func cost(
        of count: Int,
        sending bytes: [UInt8],
        to server: ServerProcess
    ) throws -> Int {
        let (memory, descriptors) = (try server.bytes(), try server.descriptorCount())
        let clients = try (0..<count).map { _ in
            let client = try RawClient(server.port)
            client.send(bytes)
            return client
        }
        defer { for client in clients { client.close() } }
        try spinUntil { try server.descriptorCount() >= descriptors + count }
        return try server.bytes() - memory
    }
}

@Suite(.needsPlainMemory)
struct `10,000 idle event streams` {
    @Test func `use less than 100 MB`() throws {
        let server = try ServerProcess()
        let before = try server.bytes()
        let clients = try (0..<1000).map { _ in
            let client = try RawClient(server.port)
            client.send(get("/events"))
            _ = try client.take(upTo: "data: 1\n\n\r\n")
            return client
        }
        let each = (try server.bytes() - before) / clients.count
        #expect(before + each * 10_000 < 100_000_000)
    }

    @Test func `use less than 250 MB over TLS`() throws {
        let server = try ServerProcess(.server)
        let before = try server.bytes()
        let arguments = ["-c", Self.python, "\(server.port)", server.memoryFile]
        let run = try FinishedProcess.run("python3", arguments)
        let pages = try #require(Int(run.output.split(separator: " ")[1]), "\(run.errorOutput)")
        let each = (pages * 4096 - before) / 1000
        #expect(before + each * 10_000 < 250_000_000)
    }

    /// The memory of the server process with a thousand clients.
    private static let python = """
        import socket, ssl, sys

        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        clients = []

        for _ in range(1000):
            raw = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
            client = context.wrap_socket(raw)
            client.sendall(b"GET /events HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n")

            received = b""
            while b"data: 1" not in received:
                received += client.recv(4096)
            clients.append(client)
        print(open(sys.argv[2]).read())
        """
}
