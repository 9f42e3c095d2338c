import HTTPServer
import HardwareKeys
package import ServerOperation
import Storage
import StrictJSON
import TransactionApproval
import Verification

/// One node's open store, its endpoints, and the jobs that it runs by itself.
struct VerifierNode: Sendable {
    private let api: VerifierEndpoint
    private let bank: VerifierEndpoint?
    private let operation: VerifierEndpoint?
    let log: Log
    private let opened: OpenVerifier
    private let operationAPI: OperationAPI
    private let audit: BackgroundAudit?
    private let housekeeping: Housekeeping
    private let certificates: CertificateExpiries
    private let dispatcher: OutboxDispatcher
    private let drainLimit: Duration
    /// The HSM is that of the process, and can have later nodes.
    private let stopObserving: @Sendable () -> Void

    private typealias Failure = VerifierServer.Failure

    /// Opens everything and binds the ports; no client is accepted before `listen`.
    static func open(
        _ configuration: VerifierServer.Configuration,
        webFiles: [WebFile]
    ) async throws(VerifierServer.Failure) -> VerifierNode {
        try configuration.checkNumbers()
        // Before the store, which may take long to open.
        let web = try configuration.webContent(of: webFiles)
        let opened = try await OpenVerifier(configuration, preparesStore: true)
        do throws(VerifierServer.Failure) {
            return try VerifierNode(configuration, opened, web)
        } catch {
            await opened.close()
            throw error
        }
    }

    private init(
        _ configuration: VerifierServer.Configuration,
        _ opened: OpenVerifier,
        _ web: WebContent?
    ) throws(VerifierServer.Failure) {
        let verifier = opened.verifier
        let metrics = Metrics()
        let log = Log(
            to: configuration.logging.descriptor,
            from: configuration.logging.level.ofLog,
            metrics: metrics
        )
        let reporter = Reporter(metrics: metrics, log: log)
        let addresses = try configuration.addresses()
        let apis = try APIs(configuration, verifier, web, addresses.webPush, metrics)
        let securityModule = try configuration.securityModule()
        let certificates = CertificateExpiries(of: configuration)
        audit = configuration.backgroundAudit(of: opened)
        let operationAPI = OperationAPI(
            verifier,
            writingTo: configuration.volumes,
            using: certificates,
            keysIn: securityModule,
            auditedBy: audit,
            endingWith: configuration.integrity.forgedRows,
            metrics: metrics,
            reporter: reporter
        )
        api = try configuration.apiEndpoint(serving: apis, reporter)
        bank = try configuration.bankEndpoint(serving: apis.bank, reporter)
        operation = try configuration.operationEndpoint(serving: operationAPI, reporter)
        housekeeping = Housekeeping(
            verifier,
            certificates,
            audit.flatMap { audit in configuration.integrity.auditInterval.map { (audit, $0) } },
            keysIn: securityModule,
            metrics: metrics,
            log: log
        )
        dispatcher = OutboxDispatcher(verifier, to: addresses, metrics: metrics, log: log)
        verifier.addObservers(metrics, log)
        let observer = securityModule?.addObserver { log.write($0) }
        stopObserving = { if let observer { securityModule?.removeObserver(observer) } }
        drainLimit = configuration.limits.drain
        (self.opened, self.operationAPI, self.log) = (opened, operationAPI, log)
        self.certificates = certificates
    }
}

extension Verifier {
    fileprivate func addObservers(_ metrics: Metrics, _ log: Log) {
        notifier.addObserver { metrics.count($0) }
        outages.addObserver { log.write($0) }
        forgeries.addObserver { row in
            log.write(.error, "row not authentic", ["row": .string(row)])
        }
    }
}

// MARK: Its life

extension VerifierNode {
    func listen() async throws(VerifierServer.Failure) {
        for endpoint in endpoints { try await endpoint.start() }
    }

    func announceListening() {
        log.announce(
            "listening",
            [
                "server": api.http.addressList,
                "operation": operation?.http.addressList ?? .array([]),
                "bank": bank?.http.addressList,
                "connections": .number(JSONNumber(api.http.connections)),
                "bankConnections": bank.map { .number(JSONNumber($0.http.connections)) },
            ]
        )
    }

    /// Returns once its task is cancelled and the jobs in progress are done.
    func runJobs() async {
        async let housekeeping: Void = housekeeping.run()
        async let deliveries: Void = dispatcher.run()
        _ = await (housekeeping, deliveries)
    }

    func reloadCertificates() async {
        for endpoint in endpoints { await endpoint.reloadCertificates(certificates, log) }
        certificates.report(to: log)
    }

    /// Stops accepting connections, and returns when the requests in progress have a response.
    func drain() async {
        log.announce("stopping")
        operationAPI.stop()
        opened.verifier.notifier.end()
        async let bankStop: Void? = bank?.http.server.stop(within: drainLimit)
        await api.http.server.stop(within: drainLimit)
        await bankStop
        // Last: until then `/health/ready` reports that this node stops.
        await operation?.http.server.stop(within: .zero)
        log.announce("stopped")
    }

    /// Has the journal signed to its end, and closes the store.
    func close() async {
        defer { stopObserving() }
        do throws(JournalFailure) {
            try await opened.journal.checkpoint()
        } catch {
            // The next start signs what is missing, so nothing is lost.
            let sentence = error.sentence(about: "the journal")
            log.write(.error, "journal not signed", ["failure": .string(sentence)])
        }
        await opened.close()
    }

    var ports: [Int] { api.http.ports }
    var bankPorts: [Int] { bank?.http.ports ?? [] }
    var operationPorts: [Int] { operation?.http.ports ?? [] }

    private var endpoints: [VerifierEndpoint] { [api] + [bank, operation].compactMap { $0 } }
}

extension VerifierServer.Configuration {
    /// Nil if the configuration has no interval.
    fileprivate func backgroundAudit(of opened: OpenVerifier) -> BackgroundAudit? {
        guard integrity.auditInterval != nil else { return nil }
        return BackgroundAudit(
            for: opened.verifier,
            against: opened.journal.file
        ) { [store] () throws(StoreFailure) in
            try store.open(checksWholeFile: false, migrates: false)
        }
    }

    /// The file systems that this node writes to.
    package var volumes: [Volume] {
        let journal = Volume(of: "journal", holding: journal)
        guard case .sqlite(let path) = store else { return [journal] }
        return [Volume(of: "store", holding: path), journal]
    }
}

extension VerifierServer.Configuration {
    fileprivate func checkNumbers() throws(VerifierServer.Failure) {
        for (member, number) in [
            ("limits.connections", limits.connections),
            ("limits.connectionsPerAddress", limits.connectionsPerAddress ?? 1),
            ("push.perMinute", push.perMinute),
        ] where number < 1 {
            throw VerifierServer.Failure(.invalid(member: member, rule: "at least 1"))
        }
        guard limits.drain >= .zero else {
            throw VerifierServer.Failure(.invalid(member: "limits.drain", rule: "at least 0"))
        }
    }
}
