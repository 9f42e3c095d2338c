import HTTPServer
import TestSupport
import Testing

/// A server on a free port, which is stopped when the body returns.
func withServer(
    tls: TLSSettings? = nil,
    limits: Limits = Limits(),
    deadlines: Deadlines = Deadlines(),
    explaining explanation: @escaping Server.Explanation = { Response(status: $0.status) },
    observing observer: @escaping Server.RefusalObserver = { _ in },
    handler: @escaping Server.Handler = echo,
    _ body: (Server, Int) async throws -> Void
) async throws {
    let server = try Server(
        [try Listener("127.0.0.1", port: 0, tls: tls)],
        limits: limits,
        deadlines: deadlines,
        threadCount: 2,
        explaining: explanation,
        observing: observer,
        handler: handler
    )
    try await server.start()
    do {
        try await body(server, server.ports[0])
    } catch {
        await server.stop(within: .zero)
        throw error
    }
    await server.stop(within: .zero)
}

/// Echoes the request.
@Sendable func echo(_ request: Request) async -> Response {
    let text =
        "\(request.method) \(request.target) \(String(decoding: request.body, as: UTF8.self))"
    return Response(status: 200, body: .bytes(Array(text.utf8)))
}

func get(_ target: String = "/", _ fields: String = "") -> String {
    "GET \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
}

func post(_ body: String, to target: String = "/") -> String {
    "POST \(target) HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
}

/// A counter that tests can wait for.
///
/// It is on the main actor. Otherwise a handler would run it on a loop, and the waiting test would
/// continue there and block that loop.
@MainActor
final class Tally {
    private(set) var count = 0
    private var waiting: [(count: Int, waiter: CheckedContinuation<Void, Never>)] = []

    nonisolated init() {}

    func add() {
        count += 1
        resume { $0 <= self.count }
    }

    func wait(for count: Int = 1) async {
        let alarm = Task {
            try await Task.sleep(for: maximumWait)
            Issue.record("happened \(self.count) times in \(maximumWait), and not \(count)")
            resume { _ in true }
        }
        await withCheckedContinuation { waiter in
            if self.count < count { waiting.append((count, waiter)) } else { waiter.resume() }
        }
        alarm.cancel()
    }

    private func resume(_ isDue: (Int) -> Bool) {
        for (_, waiter) in waiting.filter({ isDue($0.count) }) { waiter.resume() }
        waiting.removeAll { isDue($0.count) }
    }
}
