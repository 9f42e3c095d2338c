import TransactionApproval
import VerifierServer

extension VerifierServer.Configuration {
    /// The configuration of the file, with the sockets of the service manager.
    init(
        _ configuration: Configuration,
        _ server: Configuration.Server,
        for manager: ServiceManager
    ) {
        // The descriptor of the encryption keys is read before sockets are used.
        let sockets = manager.descriptors.filter { $0.number != configuration.keyDescriptor }
        let operationName = "operation"
        self.init(
            origin: server.origin.text,
            store: Store(configuration.store),
            journal: configuration.journal,
            keys: Keys(configuration),
            api: Endpoint(server.listening, sockets.filter { $0.name != operationName }),
            operation: configuration.operation.map {
                Endpoint($0, sockets.filter { $0.name == operationName })
            }
        )
        limits.connections = server.connections.inAll
        limits.connectionsPerAddress = server.connections.perAddress
        limits.drain = server.drain
        webhooks = configuration.webhooks.map { Webhook($0) }
        push = Push(configuration.push)
        logging.level = configuration.logLevel
    }
}

extension VerifierServer.Configuration.Store {
    init(_ store: Configuration.Store) {
        self =
            switch store {
            case .sqlite(let path): .sqlite(path: path)
            case .postgreSQL(let connection): .postgreSQL(connection)
            }
    }
}

extension VerifierServer.Configuration.Keys {
    fileprivate init(_ configuration: Configuration) {
        self.init(
            encryption: configuration.keyDescriptor.map { .descriptor($0) }
                ?? .file(configuration.encryptionKeys),
            encryptionPath: configuration.encryptionKeys,
            agreement: configuration.agreementKey,
            response: configuration.responseKey,
            nextResponse: configuration.nextResponseKey,
            checkpoint: configuration.checkpointKey
        )
    }
}

extension VerifierServer.Configuration.Endpoint {
    fileprivate init(
        _ listening: Configuration.Listening,
        _ sockets: [ServiceManager.Descriptor]
    ) {
        self.init(
            addresses: listening.addresses.map { .init(host: $0.host, port: $0.port) },
            inheritedSockets: sockets.map(\.number),
            tls: listening.tls.map { .init($0) }
        )
    }
}

extension VerifierServer.Configuration.TLS {
    init(_ tls: Configuration.TLS) {
        self.init(certificate: tls.certificate, key: tls.key)
    }
}

extension VerifierServer.Configuration.Webhook {
    init(_ webhook: Configuration.Webhook) {
        let topic: Topic =
            switch webhook.purpose.events {
            case .accounts: .events
            case .pushes: .pushes
            }
        self.init(
            enterprise: webhook.purpose.enterprise.text,
            topic: topic,
            url: webhook.url,
            secrets: webhook.secrets,
            authorities: webhook.caCertificates
        )
    }
}

extension VerifierServer.Configuration.Push {
    init(_ push: Configuration.Push) {
        self.init()
        perMinute = push.perMinute
        fcm = push.fcm.map { .init(serviceAccount: $0.serviceAccount, endpoint: $0.endpoint) }
    }
}
