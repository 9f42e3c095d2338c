import FailureTranslation
import HTTPServer
package import ServerOperation

/// One of the endpoints of a verifier.
struct VerifierEndpoint: Sendable {
    let http: HTTPEndpoint
    private let name: VerifierServer.Failure.Endpoint

    init(
        _ name: VerifierServer.Failure.Endpoint,
        _ configuration: VerifierServer.Configuration.Endpoint,
        _ limits: EndpointLimits,
        _ reporter: Reporter,
        threadCount: Int? = nil,
        handler: @escaping Server.Handler
    ) throws(VerifierServer.Failure) {
        self.name = name
        http = try translating(
            HTTPEndpoint(
                configuration.settings,
                limits,
                threadCount: threadCount,
                explaining: { reporter.response(to: $0) },
                observing: { reporter.report($0, at: name.section) },
                handler: handler
            )
        ) { VerifierServer.Failure(.listener($0, name)) }
    }

    func start() async throws(VerifierServer.Failure) {
        try await translatingAsync(await http.start()) {
            VerifierServer.Failure(.listener($0, name))
        }
    }

    func reloadCertificates(_ certificates: CertificateExpiries, _ log: Log) async {
        guard let tls = await http.reload(named: name.section, log) else { return }
        certificates.noteLoading(of: tls)
    }
}

// MARK: Settings

extension VerifierServer.Configuration.Endpoint {
    package var settings: ListenerSettings {
        ListenerSettings(
            addresses: addresses.map { ListenerAddress(host: $0.host, port: $0.port) },
            inheritedSockets: inheritedSockets,
            tls: tls?.files
        )
    }
}

extension VerifierServer.Configuration.TLS {
    package var files: TLSFiles {
        TLSFiles(certificate: certificate, key: key, clientAuthorities: clientAuthorities)
    }
}

extension VerifierServer.Configuration.Limits {
    /// `share`: the number of endpoints that share the descriptors of the process.
    ///
    /// Without TLS, all clients have the address of a proxy.
    func ofAPI(hasTLS: Bool, share: Int) -> EndpointLimits {
        EndpointLimits(
            connections: connections,
            connectionsPerAddress: connectionsPerAddress,
            limitsEachAddress: hasTLS,
            share: share
        )
    }

    /// The programs of a bank have few addresses.
    func ofBank(share: Int) -> EndpointLimits {
        EndpointLimits(connections: connections, limitsEachAddress: false, share: share)
    }
}
