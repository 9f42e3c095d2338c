import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite struct `A listener` {
    @Test(arguments: [("localhost", 80), ("", 80), ("127.0.0.1", -1), ("127.0.0.1", 65_536)])
    func `needs a numeric address and a port`(_ host: String, _ port: Int) {
        #expect(throws: ServerFailure.malformedAddress("\(host):\(port)")) {
            try Listener(host, port: port)
        }
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.1.2.3", true), ("::1", true), ("::ffff:127.0.0.1", true),
        ("0.0.0.0", false), ("::", false), ("192.0.2.1", false), ("2001:db8::1", false),
        ("128.0.0.1", false), ("::ffff:192.0.2.1", false),
    ])
    func `detects loopback addresses`(_ host: String, _ isLoopback: Bool) throws {
        #expect(try Listener(host, port: 80).isLoopback == isLoopback)
    }

    @Test func `can be inherited, and knows its port`() async throws {
        // The server closes it.
        let descriptor = try LoopbackSocket(.listening).descriptor.handOver()
        let listener = try Listener(inherited: descriptor)
        #expect(listener.isLoopback)
        let server = try Server([listener], handler: echo)
        try await server.start()
        let newcomer = try RawClient(server.ports[0])
        #expect(try newcomer.exchange(get()).status == 200)
        await server.stop(within: .zero)
    }

    /// A phone that loses its network sends nothing; the system would wait for 15 minutes.
    @Test func `limits how long sent data may be without an acknowledgement`() throws {
        let socket = try LoopbackSocket(.listening)
        let port = socket.port
        let own = dup(socket.descriptor.number)
        defer { close(own) }
        let server = try Server(
            [try Listener(inherited: socket.descriptor.handOver())],
            handler: echo
        )
        // The server has not started, so the connection is left for the test.
        let client = try RawClient(port)
        let accepted = accept(own, nil, nil)
        defer { close(accepted) }
        var (milliseconds, size) = (CInt(0), socklen_t(MemoryLayout<CInt>.size))
        getsockopt(accepted, CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, &size)
        #expect(milliseconds == 45_000)
        _ = (client, server)
    }

    @Test func `rejects a descriptor that does not listen`() throws {
        let pipe = try TestPipe()
        let descriptor = pipe.reading.number
        #expect(throws: ServerFailure.notListening(descriptor)) {
            try Listener(inherited: descriptor)
        }
        #expect(throws: ServerFailure.notListening(-1)) { try Listener(inherited: -1) }
    }

    @Test func `does not share its port`() async throws {
        try await withServer { _, port in
            #expect(throws: ServerFailure.errorNumber(EADDRINUSE)) {
                try Server([try Listener("127.0.0.1", port: port)], handler: echo)
            }
        }
    }

    @Test func `can be one of several`() async throws {
        let listeners = [try Listener("127.0.0.1", port: 0), try Listener("::1", port: 0)]
        let server = try Server(listeners, handler: echo)
        try await server.start()
        let neighbour = try RawClient(server.ports[0])
        #expect(try neighbour.exchange(get()).status == 200)
        let run = try FinishedProcess.run("curl", ["-s", "http://[::1]:\(server.ports[1])/"])
        #expect(run.output == "GET / ")
        await server.stop(within: .zero)
    }
}
