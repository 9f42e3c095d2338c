import FailureTranslation
import Glibc
import HTTPServer
import StrictJSON

/// A server with the addresses at which it listens.
struct HTTPEndpoint: Sendable {
    let server: Server
    /// The maximum number of connections.
    let connections: Int
    private let name: VerifierServer.Failure.Endpoint
    private let configuration: VerifierServer.Configuration.Endpoint

    private typealias Failure = VerifierServer.Failure

    init(
        _ name: VerifierServer.Failure.Endpoint,
        _ configuration: VerifierServer.Configuration.Endpoint,
        _ limits: VerifierServer.Configuration.Limits,
        _ reporter: Reporter,
        share: Int = 1,
        threadCount: Int? = nil,
        observing observer: @escaping Server.RefusalObserver = { _ in },
        handler: @escaping Server.Handler
    ) throws(VerifierServer.Failure) {
        (self.name, self.configuration) = (name, configuration)
        let listeners = try configuration.listeners(name)
        let limits = HTTPServer.Limits(
            limits,
            limitsEachAddress: configuration.tls != nil && name != .bank,
            share: share
        )
        connections = limits.connections
        server = try translating(
            Server(
                listeners,
                limits: limits,
                threadCount: threadCount,
                explaining: { reporter.response(to: $0) },
                observing: observer,
                handler: handler
            )
        ) { Failure(.listener($0, name)) }
    }

    var ports: [Int] { server.ports }

    func start() async throws(VerifierServer.Failure) {
        try await translatingAsync(await server.start()) { Failure(.listener($0, name)) }
    }

    func reloadCertificates(_ certificates: CertificateExpiries, _ log: Log) async {
        guard let tls = configuration.tls else { return }
        let endpoint = JSONValue.string(name == .api ? "server" : name.rawValue)
        do throws(VerifierServer.Failure) {
            try tls.checkKey()
            try await translatingAsync(await server.reloadCertificates()) {
                Failure(.listener($0, name))
            }
            certificates.noteLoading(of: tls)
            log.write(.info, "certificates reloaded", ["endpoint": endpoint])
        } catch {
            log.write(
                .error,
                "certificates not reloaded",
                ["endpoint": endpoint, "failure": .string(error.message)]
            )
        }
    }

    /// For the log.
    ///
    /// Only the port of an inherited socket is known.
    var addressList: JSONValue {
        let texts =
            configuration.inheritedSockets.isEmpty
            ? zip(configuration.addresses, ports).map { $0.text(port: $1) }
            : ports.map { "*:\($0)" }
        return .array(texts.map { .string($0) })
    }
}

extension VerifierServer.Configuration.Endpoint {
    fileprivate func listeners(
        _ name: VerifierServer.Failure.Endpoint
    ) throws(VerifierServer.Failure) -> [Listener] {
        let settings = try tls.map { tls throws(VerifierServer.Failure) in
            try tls.checkKey()
            return tls.settings
        }
        let listeners = try translating(
            inheritedSockets.isEmpty
                ? addresses.map { address throws(ServerFailure) in
                    try Listener(address.host, port: address.port, tls: settings)
                }
                : inheritedSockets.map { socket throws(ServerFailure) in
                    try Listener(inherited: socket, tls: settings)
                }
        ) { VerifierServer.Failure(.listener($0, name)) }
        guard !listeners.isEmpty else { throw .init(.noAddress(name)) }
        guard tls != nil || listeners.allSatisfy(\.isLoopback) else {
            throw .init(.plainHTTP(name))
        }
        return listeners
    }
}

extension VerifierServer.Configuration.Address {
    /// As it is written in a URL, with the port that the system chose instead of 0.
    package func text(port: Int) -> String {
        "\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}

extension VerifierServer.Configuration.TLS {
    fileprivate var settings: TLSSettings {
        TLSSettings(
            certificateFile: certificate,
            keyFile: key,
            clientAuthoritiesFile: clientAuthorities
        )
    }

    /// Checks both files as the start of a server does.
    package func check(
        for endpoint: VerifierServer.Failure.Endpoint
    ) throws(VerifierServer.Failure) {
        try checkKey()
        try translating(settings.check()) { VerifierServer.Failure(.listener($0, endpoint)) }
    }

    /// Rejects a key that every user of the machine may read.
    ///
    /// Its group may read it: certificates are often renewed by another user.
    package func checkKey() throws(VerifierServer.Failure) {
        var status = stat()
        guard stat(key, &status) == 0 else { throw .init(.unreadableFile(path: key, errno)) }
        guard status.st_mode & (S_IRWXO | S_IWGRP) == 0 else {
            throw .init(.keyOpenToOthers(path: key))
        }
    }
}

extension HTTPServer.Limits {
    /// For the store, the journal, threads, key files and the operation endpoint.
    private static let reservedDescriptors =
        256 + VerifierServer.Configuration.Limits.ofOperation.connections

    /// At most as many connections as the process may have descriptors, after raising that limit;
    /// `share` endpoints have equal parts.
    ///
    /// Behind a proxy all clients have the proxy's address, and the bank's programs have few. So
    /// these addresses get no limit of their own.
    fileprivate init(
        _ limits: VerifierServer.Configuration.Limits,
        limitsEachAddress: Bool,
        share: Int
    ) {
        self.init()
        let available = (Self.raisedDescriptorLimit() - Self.reservedDescriptors) / share
        connections = min(limits.connections, max(64, available))
        if !limitsEachAddress { connectionsPerAddress = connections }
        connectionsPerAddress = limits.connectionsPerAddress ?? connectionsPerAddress
    }

    private static func raisedDescriptorLimit() -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 1024 }
        var raised = limit
        raised.rlim_cur = limit.rlim_max
        let isRaised = setrlimit(resource, &raised) == 0
        return Int(clamping: isRaised ? raised.rlim_cur : limit.rlim_cur)
    }
}
