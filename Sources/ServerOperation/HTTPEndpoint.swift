import FailureTranslation
package import HTTPServer
package import StrictJSON

/// A server with the addresses at which it listens.
package struct HTTPEndpoint: Sendable {
    package let server: Server
    /// The maximum number of connections.
    package let connections: Int
    private let settings: ListenerSettings

    package init(
        _ settings: ListenerSettings,
        _ limits: EndpointLimits,
        threadCount: Int? = nil,
        explaining explain: @escaping Server.Explanation,
        observing observer: @escaping Server.RefusalObserver,
        handler: @escaping Server.Handler
    ) throws(ListenerFailure) {
        self.settings = settings
        let listeners = try settings.listeners()
        let limits = try HTTPServer.Limits(limits)
        connections = limits.connections
        server = try translating(
            Server(
                listeners,
                limits: limits,
                threadCount: threadCount,
                explaining: explain,
                observing: observer,
                handler: handler
            ),
            to: ListenerFailure.server
        )
    }

    package var ports: [Int] { server.ports }

    package func start() async throws(ListenerFailure) {
        try await translatingAsync(await server.start(), to: ListenerFailure.server)
    }

    /// Reads certificate and key again, and logs the outcome; returns the files that it loaded.
    ///
    /// Nil without TLS, or if the old certificate stays in use.
    package func reload(named section: String, _ log: Log) async -> TLSFiles? {
        let endpoint = JSONValue.string(section)
        do throws(ListenerFailure) {
            guard let tls = try await reloadCertificates() else { return nil }
            log.write(.info, "certificates reloaded", ["endpoint": endpoint])
            return tls
        } catch {
            let failure = JSONValue.string(error.message(about: section))
            log.write(
                .error,
                "certificates not reloaded",
                ["endpoint": endpoint, "failure": failure]
            )
            return nil
        }
    }

    private func reloadCertificates() async throws(ListenerFailure) -> TLSFiles? {
        guard let tls = settings.tls else { return nil }
        try tls.checkAccess()
        try await translatingAsync(await server.reloadCertificates(), to: ListenerFailure.server)
        return tls
    }

    /// For the log.
    ///
    /// Only the port of an inherited socket is known.
    package var addressList: JSONValue {
        let texts =
            settings.inheritedSockets.isEmpty
            ? zip(settings.addresses, ports).map { $0.text(port: $1) }
            : ports.map { "*:\($0)" }
        return .array(texts.map { .string($0) })
    }
}
