import Glibc

/// An HTTP/1.1 server, plain or over TLS.
///
/// A handler runs on the thread of its connection and must not block it. If the client leaves, the
/// handler's task is cancelled.
package actor Server {
    package typealias Handler = @Sendable (Request) async -> Response
    /// Makes the response when the server itself rejects a request.
    package typealias Explanation = @Sendable (RequestRefusal) -> Response
    /// Called on a thread of connections, which it must not block.
    package typealias RefusalObserver = @Sendable (ConnectionRefusal) -> Void

    /// In the order of the listeners.
    package nonisolated let ports: [Int]

    private enum State {
        case new, running, stopped
    }

    private let settings: [TLSSettings?]
    private let loops: [EventLoop]
    private let acceptor: Acceptor
    private var state = State.new

    /// Binds the ports; clients are accepted after `start`.
    package init(
        _ listeners: [Listener],
        limits: Limits = Limits(),
        deadlines: Deadlines = Deadlines(),
        threadCount: Int? = nil,
        explaining explanation: @escaping Explanation = { Response(status: $0.status) },
        observing observer: @escaping RefusalObserver = { _ in },
        handler: @escaping Handler
    ) throws(ServerFailure) {
        settings = listeners.map(\.tls)
        let contexts = try Self.contexts(of: settings)
        let sockets = try listeners.map { listener throws(ServerFailure) in
            try ListeningSocket(listener.place)
        }
        ports = sockets.map(\.port)
        var loops: [EventLoop] = []
        for _ in 0..<max(1, threadCount ?? processorCount) {
            loops.append(try EventLoop(checkInterval: deadlines.checkInterval))
        }
        self.loops = loops
        let service = Service(
            handler,
            explanation,
            observer,
            limits,
            deadlines,
            loopCount: loops.count
        )
        acceptor = Acceptor(sockets, contexts, loops, service)
    }

    package func start() async throws(ServerFailure) {
        guard state == .new else { return }
        try startLoops()
        state = .running
        try await acceptor.open()
    }

    /// Starts all threads or none.
    private func startLoops() throws(ServerFailure) {
        for (index, loop) in loops.enumerated() {
            do throws(ServerFailure) {
                try loop.start()
            } catch {
                state = .stopped
                for started in loops.prefix(index) {
                    started.end()
                    started.join()
                }
                throw error
            }
        }
    }

    /// Reads certificates and keys again, for new connections.
    ///
    /// If one file is unusable, all listeners keep their certificates.
    package func reloadCertificates() async throws(ServerFailure) {
        let contexts = try Self.contexts(of: settings)
        guard state == .running else { return }
        await acceptor.use(contexts)
    }

    /// Completes the requests of open connections, and then closes them.
    ///
    /// It closes the rest after `limit`. A stream does not end by itself: its writer must end it. A
    /// server that was not started cannot be started afterwards.
    package func stop(within limit: Duration) async {
        defer { state = .stopped }
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
        try settings.map { settings throws(ServerFailure) in
            try settings.map { settings throws(ServerFailure) in try TLSContext(settings) }
        }
    }
}

private var processorCount: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }

extension Deadlines {
    /// An eighth of the shortest deadline except `stop`, which bounds how late a check can be.
    fileprivate var checkInterval: Duration {
        let shortest = min(head, body, idle, write) / 8
        return min(max(shortest, .milliseconds(10)), .milliseconds(500))
    }
}
