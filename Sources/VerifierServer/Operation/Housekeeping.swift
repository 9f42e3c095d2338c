import HTTPServer
package import HardwareKeys
import PrivateFiles
package import ServerOperation
import StrictJSON
package import Verification

/// The periodic jobs of a verifier: it expires and deletes records, has its journal signed, and
/// reports certificates that expire soon.
///
/// It also uses the keys in an HSM, so that a loss is reported.
///
/// Several nodes over one store may all run them.
package struct Housekeeping: Sendable {
    /// A job that runs every `interval`, and again at once if more work is left.
    struct Job: Sendable {
        let name: String
        let interval: Duration
        /// Whether the messages about an outage are also about this failure of the job.
        var isPartOfOutage: @Sendable (Verifier.Failure) -> Bool = { $0.isOutage }
        /// Returns whether more work is left.
        let run: @Sendable () async throws(Verifier.Failure) -> Bool
    }

    private static let batch = 500

    private let jobs: [Job]
    private let metrics: Metrics
    private let log: Log
    private let sleep: @Sendable (Duration) async throws -> Void

    package init(
        _ verifier: Verifier,
        _ certificates: CertificateExpiries,
        _ audits: (audit: BackgroundAudit, interval: Duration)? = nil,
        keysIn securityModule: SecurityModule? = nil,
        metrics: Metrics,
        log: Log
    ) {
        var jobs = Self.jobs(of: verifier) + [Self.report(of: certificates, to: log)]
        if let securityModule { jobs.append(Self.check(of: securityModule)) }
        if let (audit, interval) = audits {
            jobs += Self.jobs(of: audit, every: interval, loggingTo: log)
        }
        self.init(jobs, metrics: metrics, log: log) { try await Task.sleep(for: $0) }
    }

    init(
        _ jobs: [Job],
        metrics: Metrics,
        log: Log,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.jobs = jobs
        self.metrics = metrics
        self.log = log
        self.sleep = sleep
    }

    /// Returns when its task is cancelled and the jobs in progress are complete.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for job in jobs { group.addTask { await repeatedly(job) } }
        }
    }

    static func jobs(of verifier: Verifier) -> [Job] {
        [
            expiry(of: verifier, batch: batch),
            Job(name: "tidy", interval: .seconds(60)) { () throws(Verifier.Failure) in
                try await verifier.applyRetention(batch: batch) > 0
            },
            // No call fails with it, so no outage begins with a failure of the journal alone.
            Job(
                name: "checkpoint",
                interval: .seconds(60),
                isPartOfOutage: { $0.isOutageOfStore }
            ) { () throws(Verifier.Failure) in
                try await verifier.checkpoint()
                return false
            },
            // Each on its own: a row that stops one of them must not stop the others.
            Job(name: "forgeries", interval: .seconds(1)) { () throws(Verifier.Failure) in
                try await verifier.recordForgeries()
                return false
            },
            Job(name: "wrongCodes", interval: .seconds(1)) { () throws(Verifier.Failure) in
                try await verifier.reportWrongCodes()
                return false
            },
            Job(name: "alarms", interval: .seconds(1)) { () throws(Verifier.Failure) in
                try await verifier.countAlarms()
                return false
            },
            Job(name: "time", interval: .seconds(10 * 60)) { () throws(Verifier.Failure) in
                try await verifier.recordTimeIfQuiet()
                return false
            },
            // Without other changes, nothing would show that an outage is over.
            Job(name: "recover", interval: OutageMonitor.quietTime) {
                () throws(Verifier.Failure) in
                if verifier.outages.isOutage { try await verifier.reachStore() }
                return false
            },
        ]
    }

    /// Each run continues where the last one ended, so that forged rows never stop it.
    static func expiry(of verifier: Verifier, batch: Int) -> Job {
        let place = LockedValue(ExpiryPlace())
        return Job(name: "expire", interval: .seconds(1)) { () throws(Verifier.Failure) in
            let next = try await verifier.expire(
                atMost: batch,
                after: place.withLock { $0 }
            ).next
            place.withLock { $0 = next ?? ExpiryPlace() }
            return next != nil
        }
    }

    static func report(of certificates: CertificateExpiries, to log: Log) -> Job {
        Job(name: "certificates", interval: .seconds(24 * 60 * 60)) {
            () throws(Verifier.Failure) in
            certificates.report(to: log)
            return false
        }
    }

    /// Its observers get each change, also if no request and no health check uses a key.
    private static func check(of securityModule: SecurityModule) -> Job {
        Job(name: "keys", interval: .seconds(10)) { () throws(Verifier.Failure) in
            _ = await securityModule.check()
            return false
        }
    }

    static func jobs(
        of audit: BackgroundAudit,
        every interval: Duration,
        loggingTo log: Log,
        overdueAfter limit: Duration = .seconds(24 * 60 * 60)
    ) -> [Job] {
        [
            // It has a connection of its own, and no decision waits for it.
            Job(name: "audit", interval: interval, isPartOfOutage: { _ in false }) {
                () throws(Verifier.Failure) in
                // The first audit follows the start, which needed memory too.
                defer { returnFreeMemory() }
                try await audit.run()
                return false
            },
            Job(name: "auditAge", interval: .seconds(60 * 60)) { () throws(Verifier.Failure) in
                let age = audit.age
                if age > max(limit, interval * 2) {
                    let seconds = JSONNumber(age.components.seconds)
                    log.write(.error, "audit overdue", ["seconds": .number(seconds)])
                }
                return false
            },
        ]
    }

    private func repeatedly(_ job: Job) async {
        var isFailing = false
        while !Task.isCancelled {
            do throws(Verifier.Failure) {
                let isMoreLeft = try await job.run()
                if isFailing { log.write(.info, "job recovered", ["job": .string(job.name)]) }
                isFailing = false
                if isMoreLeft { continue }
            } catch {
                metrics.count(error)
                // An outage has messages of its own.
                let isPartOfOutage = job.isPartOfOutage(error)
                if !isFailing, !isPartOfOutage {
                    log.write(
                        .error,
                        "job failed",
                        [
                            "job": .string(job.name),
                            "failure": .string(error.name),
                            "reason": .string(error.text),
                        ]
                    )
                }
                isFailing = isFailing || !isPartOfOutage
            }
            // A sleep ends early only if the task is cancelled, which the loop checks.
            try? await sleep(job.interval)
        }
    }
}
