package import HTTPServer
package import HardwareKeys
import PrivateFiles
package import ServerOperation
import TransactionApproval
package import Verification

/// Health checks and metrics for operators and load balancers.
///
/// It has an endpoint of its own, because a client's address does not show its rights. Behind a
/// proxy on this machine, every client has a loopback address. It also responds while the API
/// endpoint is full or stopping.
package final class OperationAPI: Sendable {
    private let verifier: Verifier
    private let readiness: StoreProbe<Readiness>
    private let storeReadings: StoreProbe<[MetricsText.Reading]>
    private let volumes: [Volume]
    private let certificates: CertificateExpiries
    /// Nil if this node does not audit the store.
    private let audit: BackgroundAudit?
    private let reaction: VerifierServer.Configuration.Integrity.Reaction
    private let metrics: Metrics
    private let reporter: Reporter
    private let isStopping = LockedValue(false)

    /// Longer queues are reported as this: counting takes time in proportion.
    private static let maximumQueue = 10_000

    package init(
        _ verifier: Verifier,
        writingTo volumes: [Volume] = [],
        using certificates: CertificateExpiries = CertificateExpiries(),
        keysIn securityModule: SecurityModule? = nil,
        auditedBy audit: BackgroundAudit? = nil,
        endingWith reaction: VerifierServer.Configuration.Integrity.Reaction = .report,
        metrics: Metrics,
        reporter: Reporter
    ) {
        self.verifier = verifier
        readiness = StoreProbe(freshness: .seconds(1)) { () async -> Readiness in
            if await securityModule?.check() != nil { return .keysUnavailable }
            do throws(Verifier.Failure) {
                try await verifier.reachStore()
                return .reachable
            } catch {
                metrics.count(error)
                return .failed(error)
            }
        }
        storeReadings = StoreProbe(freshness: .zero) {
            await Self.storeReadings(of: verifier, metrics)
        }
        (self.volumes, self.certificates, self.reaction) = (volumes, certificates, reaction)
        self.audit = audit
        self.metrics = metrics
        self.reporter = reporter
    }

    /// Whether keys work and the store accepts writes.
    private enum Readiness {
        case reachable
        case failed(Verifier.Failure)
        /// The HSM cannot use a key.
        case keysUnavailable
    }

    /// From now on `/health/ready` returns 503, so that a load balancer uses other nodes.
    package func stop() {
        isStopping.withLock { $0 = true }
    }

    package func respond(to request: Request) async -> Response {
        await reporter.report(.operation) { await reportedResponse(to: request) }
    }

    private enum Route: String {
        case live = "/health/live"
        case ready = "/health/ready"
        case metrics = "/metrics"

        var name: String { "GET \(rawValue)" }
    }

    private func reportedResponse(to request: Request) async -> ReportedResponse {
        guard let route = Route(rawValue: request.target) else {
            let code = BankErrorCode.notFound
            return ReportedResponse(Response(status: code.status), by: nil, outcome: code.rawValue)
        }
        guard request.isReading else {
            return ReportedResponse(
                Response(status: 405, fields: [.allowReading]),
                by: nil,
                outcome: BankErrorCode.methodNotAllowed.rawValue
            )
        }
        return switch route {
        case .live: ReportedResponse(.text("live\n"), by: route.name)
        case .ready: await readiness(by: route)
        case .metrics: ReportedResponse(await counts(), by: route.name)
        }
    }

    private func readiness(by route: Route) async -> ReportedResponse {
        guard !isStopping.withLock({ $0 }) else {
            return notReady("stopping", by: route)
        }
        if reaction == .notReady, verifier.forgeries.count > 0 {
            return notReady("store.forged", by: route)
        }
        // SQLite still has room for the probe's small write when a decision has none left.
        for volume in volumes {
            if let problem = volume.problem {
                return notReady("\(volume.name).\(problem)", by: route)
            }
        }
        // The same for PostgreSQL, whose disk this node cannot see.
        if verifier.outages.isFull { return notReady("store.full", by: route) }
        return switch await readiness.reading() {
        case .reachable: ReportedResponse(.text("ready\n" + warnings), by: route.name)
        case .keysUnavailable: notReady("keys.unavailable", by: route)
        case .failed(let failure): notReady(failure.name, by: route)
        case nil: notReady("store.timedOut", by: route)
        }
    }

    private func notReady(_ reason: String, by route: Route) -> ReportedResponse {
        let response = Response.text(reason + "\n" + warnings, status: 503)
        return ReportedResponse(response, by: route.name, outcome: reason)
    }

    /// Lines that do not change the status: a node with an expired certificate may be the only one.
    private var warnings: String {
        certificates.warnings(at: .ofWallClock).map { "warning: \($0)\n" }.joined()
    }

    private func counts() async -> Response {
        var readings = [Self.reading(of: volumes), Self.reading(of: certificates)]
        readings.append(Self.reading(of: verifier.forgeries))
        if let audit { readings.append(Self.reading(of: audit)) }
        readings.append(Self.reading(of: verifier.wrongCodes.counts))
        // The metrics of this process do not need the store.
        readings += await storeReadings.reading() ?? []
        return .text(metrics.text(with: readings), type: MetricsText.contentType)
    }

    /// Omits numbers that cannot be read.
    private static func storeReadings(
        of verifier: Verifier,
        _ metrics: Metrics
    ) async -> [MetricsText.Reading] {
        var readings: [MetricsText.Reading] = []
        do throws(Verifier.Failure) {
            let undelivered = try await verifier.undelivered(countedTo: maximumQueue)
            readings.append(reading(of: undelivered))
            readings.append(reading(of: try await verifier.countAlarms()))
        } catch {
            metrics.count(error)
        }
        return readings
    }

    private static func reading(of volumes: [Volume]) -> MetricsText.Reading {
        MetricsText.Reading(
            "countersign_free_bytes",
            "Free space where the verifier writes; below \(Volume.minimumBytes) it is not ready.",
            by: "volume",
            volumes.compactMap { volume in volume.freeBytes.map { (volume.name, $0) } }
        )
    }

    private static func reading(of certificates: CertificateExpiries) -> MetricsText.Reading {
        let now = Timestamp.ofWallClock
        return MetricsText.Reading(
            "countersign_certificate_expiry_seconds",
            "Time until the file is of no use, because a certificate expired; negative afterwards.",
            by: "file",
            certificates.all.map { ($0.file, Int($0.end.elapsed(since: now).components.seconds)) }
        )
    }

    private static func reading(of forgeries: ForgeryMonitor) -> MetricsText.Reading {
        MetricsText.Reading(
            "countersign_forged_rows",
            "Rows that this node rejected because another program wrote them.",
            by: "store",
            [("database", forgeries.count)]
        )
    }

    private static func reading(of audit: BackgroundAudit) -> MetricsText.Reading {
        MetricsText.Reading(
            "countersign_audit_age_seconds",
            "Time since this node completed an audit of the whole store, or since its start.",
            by: "store",
            [("database", Int(audit.age.components.seconds))]
        )
    }

    private static func reading(of wrongCodes: WrongCodeMonitor.Counts) -> MetricsText.Reading {
        MetricsText.Reading(
            "countersign_wrong_activation_codes_total",
            as: .counter,
            "Wrong activation codes of open activations, and of unknown or closed ones.",
            by: "activation",
            [("open", wrongCodes.open), ("unknown", wrongCodes.unknown)]
        )
    }

    private static func reading(of alarms: [Event.Kind: Int]) -> MetricsText.Reading {
        MetricsText.Reading(
            "countersign_alarms_total",
            as: .counter,
            "Alarms on the audit trail since this node started, of all nodes and commands.",
            by: "event",
            alarms.sorted { $0.key.rawValue < $1.key.rawValue }
                .map { ($0.key.rawValue, $0.value) }
        )
    }

    private static func reading(of queues: UndeliveredCount) -> MetricsText.Reading {
        MetricsText.Reading(
            "countersign_deliveries",
            "Waiting and dead-letter deliveries, at most \(maximumQueue) of each.",
            by: "state",
            [("waiting", queues.waiting), ("dead", queues.dead)]
        )
    }
}
