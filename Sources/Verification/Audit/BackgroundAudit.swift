import FailureTranslation
import Glibc
import PrivateFiles
import Sealing
package import Storage

/// Audits the whole store while decisions go on.
///
/// It finds rows that an attacker deleted or put back, which a check of one row cannot find. The verifier
/// rejects the rows that still exist from then on, until an audit finds no fault with them. After each
/// step it pauses as long as the step took, so it uses at most half of one processor.
package struct BackgroundAudit: Sendable {
    private let openStore: @Sendable () throws(StoreFailure) -> any Database
    private let keys: KeyRing
    private let journal: JournalFile
    private let forgeries: ForgeryMonitor
    private let memory: StoreMemory
    /// The end of the last complete audit, at first the start.
    private let completed = LockedValue(ContinuousClock.now)

    /// Each audit opens the store for itself, because it is one long read.
    package init(
        for verifier: Verifier,
        against journal: JournalFile,
        opening openStore: @escaping @Sendable () throws(StoreFailure) -> any Database
    ) {
        self.openStore = openStore
        keys = verifier.keyRing
        forgeries = verifier.forgeries
        memory = verifier.memory
        self.journal = journal
    }

    /// The time since the end of the last complete audit, or since the start.
    package var age: Duration { completed.withLock { .now - $0 } }

    /// Returns at the end of the audit, or soon after its task is cancelled.
    ///
    /// An audit of a broken trail is not complete: it does not find rows that were deleted.
    package func run() async throws(Verifier.Failure) {
        let isCancelled = LockedValue(false)
        let result = await withTaskCancellationHandler {
            await audit(until: isCancelled)
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
        switch result {
        case .success(let report):
            for finding in report.findings { forgeries.note(.forged(row: finding.row)) }
            if report.furtherCount > 0 { forgeries.note(.forged(row: NamedRows.furtherRows)) }
            guard report.isComplete else { return }
            memory.distrust(report.rowsToReject)
            completed.withLock { $0 = .now }
        case .failure(let failure):
            guard !isCancelled.withLock({ $0 }) else { return }
            if case .store(let failure) = failure { forgeries.note(failure) }
            throw Verifier.Failure(failure)
        }
    }

    private func audit(
        until isCancelled: LockedValue<Bool>
    ) async -> Result<AuditReport, JournalFailure> {
        let store: any Database
        do throws(StoreFailure) {
            store = try await opened()
        } catch {
            return .failure(.store(error))
        }
        let result = await audit(store, until: isCancelled)
        await store.close()
        return result
    }

    /// Opens the store on a thread of its own, because it can wait for a server.
    private func opened() async throws(StoreFailure) -> any Database {
        try await translatingAsync(await Thread.run(openStore)) { (failure: ThreadUnavailable) in
            StoreFailure(.unavailable, .errorNumber(failure.errorNumber))
        }.get()
    }

    private func audit(
        _ store: any Database,
        until isCancelled: LockedValue<Bool>
    ) async -> Result<AuditReport, JournalFailure> {
        let last = LockedValue(ContinuousClock.now)
        // A rotation can end while the audit still reads values under the old keys.
        let keys = keys.copied()
        do throws(JournalFailure) {
            let report = try await AuditVerification.run(
                over: KeyedStore(store, keys),
                against: journal,
                by: .verifier
            ) { _ throws(StoreFailure) in
                guard !isCancelled.withLock({ $0 }) else { throw .unavailable }
                let step = last.withLock { last in ContinuousClock.now - last }
                Self.sleep(for: Self.pause(after: step))
                last.withLock { $0 = .now }
            }
            return .success(report)
        } catch {
            return .failure(error)
        }
    }

    /// As long as the step took, but at most one second.
    ///
    /// PostgreSQL ends a connection that is idle within a transaction for much longer.
    static func pause(after step: Duration) -> Duration { min(step, .seconds(1)) }

    /// Blocks the thread of the store's connection.
    private static func sleep(for duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        nanosleep(&time, nil)
    }
}

extension AuditProgress {
    /// A failure ends the audit.
    package typealias Observer = @Sendable (AuditProgress) throws(StoreFailure) -> Void
}

extension AuditFinding {
    /// The table and key of the row, or of the audit record.
    fileprivate var row: String { kind.row ?? "audit sequence=\(sequence)" }
}

extension Verifier.Failure {
    fileprivate init(_ failure: JournalFailure) {
        if case .store(let failure) = failure {
            self = .store(failure)
        } else {
            self = .journal(failure)
        }
    }
}
