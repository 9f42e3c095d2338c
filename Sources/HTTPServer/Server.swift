import Glibc

/// A server for HTTP/1.1, plain or over TLS.
///
/// Each request goes to the handler, which runs on the thread of its connection and so must not
/// block it. When the client leaves, the handler's task is cancelled.
package actor Server {
    package typealias Handler = @Sendable (Request) async -> Response
    /// The answer where no handler is asked.
    package typealias Explanation = @Sendable (Rejection) -> Response

    /// Of each listener, in their order.
    package nonisolated let ports: [Int]

    private enum State {
        case new, running, stopped
    }

    private let settings: [TLSSettings?]
    private let loops: [EventLoop]
    private let acceptor: Acceptor
    private var state = State.new

    /// Has the listeners' ports from now on, but takes nobody in before it is started.
    package init(
        _ listeners: [Listener],
        limits: Limits = Limits(),
        deadlines: Deadlines = Deadlines(),
        threadCount: Int? = nil,
        explaining explanation: @escaping Explanation = { Response(status: $0.status) },
        handler: @escaping Handler
    ) throws(ServerFailure) {
        settings = listeners.map(\.tls)
        let contexts = try Self.contexts(of: settings)
        var sockets: [ListeningSocket] = []
        for listener in listeners { sockets.append(try ListeningSocket(listener.place)) }
        ports = sockets.map(\.port)
        var loops: [EventLoop] = []
        for _ in 0..<max(1, threadCount ?? processorCount) {
            loops.append(try EventLoop(checkInterval: deadlines.checkInterval))
        }
        self.loops = loops
        let service = Service(handler, explanation, limits, deadlines, loopCount: loops.count)
        acceptor = Acceptor(sockets, contexts, loops, service)
    }

    package func start() async throws(ServerFailure) {
        guard state == .new else { return }
        state = .running
        for loop in loops { try loop.start() }
        try await acceptor.open()
    }

    /// Reads the files of certificates and keys again, for connections from now on.
    ///
    /// Where one of them is of no use, all connections get what they got before.
    package func reloadCertificates() async throws(ServerFailure) {
        let contexts = try Self.contexts(of: settings)
        guard state == .running else { return }
        await acceptor.use(contexts)
    }

    /// Answers what was asked or still comes over connections that are there, and then closes them.
    ///
    /// After `limit` it closes what is left. A stream has no end that could be waited for: whoever
    /// writes one is to end it before.
    package func stop(within limit: Duration) async {
        guard state == .running else { return }
        state = .stopped
        await acceptor.close()
        end(.graceful)
        let isEmpty = await acceptor.isEmpty(within: limit)
        end(.atOnce)
        for loop in loops {
            loop.end()
            isEmpty ? loop.join() : loop.detach()
        }
    }

    private func end(_ ending: Ending) {
        for loop in loops {
            loop.call { for source in loop.everySource { source.end(ending) } }
        }
    }

    private static func contexts(
        of settings: [TLSSettings?]
    ) throws(ServerFailure) -> [TLSContext?] {
        var contexts: [TLSContext?] = []
        for settings in settings {
            guard let settings else {
                contexts.append(nil)
                continue
            }
            contexts.append(try TLSContext(settings))
        }
        return contexts
    }
}

private var processorCount: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }

extension Deadlines {
    /// How often they are looked at: an eighth of the shortest is how late one may be.
    fileprivate var checkInterval: Duration {
        let shortest = min(head, body, idle, write) / 8
        return min(max(shortest, .milliseconds(10)), .milliseconds(500))
    }
}
