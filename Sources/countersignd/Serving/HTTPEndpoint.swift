import CommandLineTool
import HTTPServer
import StrictJSON
import VerifierServer

/// A server, and where it listens.
struct HTTPEndpoint: Sendable {
    let server: Server
    /// As many as may be connected.
    let connections: Int
    private let listening: Configuration.Listening
    private let isInherited: Bool

    init(
        _ listening: Configuration.Listening,
        inheriting sockets: [ServiceManager.Descriptor],
        atMost connections: Configuration.Connections,
        _ reporter: Reporter,
        threadCount: Int? = nil,
        handler: @escaping Server.Handler
    ) throws(CommandFailure) {
        let listeners = try listening.listeners(inheriting: sockets.map(\.number))
        self.listening = listening
        isInherited = !sockets.isEmpty
        let limits = Limits(connections, isForProxy: listening.tls == nil)
        self.connections = limits.connections
        do throws(ServerFailure) {
            server = try Server(
                listeners,
                limits: limits,
                threadCount: threadCount,
                explaining: { reporter.answer($0) },
                handler: handler
            )
        } catch {
            throw CommandFailure(error, of: listening)
        }
    }

    func start() async throws(CommandFailure) {
        do throws(ServerFailure) {
            try await server.start()
        } catch {
            throw CommandFailure(error, of: listening)
        }
    }

    func reloadCertificates(_ log: Log) async {
        guard listening.tls != nil else { return }
        let name = JSONValue.string(listening.name)
        do throws(ServerFailure) {
            try await server.reloadCertificates()
            log.write(.info, "certificates read again", ["of": name])
        } catch {
            let reason = CommandFailure(error, of: listening).message
            log.write(.error, "certificates kept", ["of": name, "failure": .string(reason)])
        }
    }

    /// Of sockets that were handed over only the port is ours to tell.
    var addresses: JSONValue {
        let texts =
            isInherited
            ? server.ports.map { "*:\($0)" }
            : zip(listening.addresses, server.ports).map { $0.text(port: $1) }
        return .array(texts.map { .string($0) })
    }
}
