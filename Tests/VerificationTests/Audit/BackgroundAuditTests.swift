import Dispatch
import PrivateFiles
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

@Suite(.onEveryStore) struct `A background audit` {
    @Test func `lets decisions go on while it reads`() async throws {
        let bank = try await Premises().begin()
        let phone = try await bank.activate()
        let store = try bank.openAgain()
        let results = LockedValue<[AttemptResult]>([])
        let report = try await AuditVerification.run(over: KeyedStore(store, bank.verifier.keyRing))
        { _ in
            guard results.withLock({ $0.isEmpty }) else { return }
            // The audit waits within its transaction until the decision is committed.
            let decided = DispatchSemaphore(value: 0)
            Task {
                let result = try await phone.checkPIN(in: bank)
                results.withLock { $0.append(result) }
                decided.signal()
            }
            #expect(decided.wait(timeout: .now() + 60) == .success)
        }
        await store.close()
        #expect(results.withLock { $0 } == [.accepted(nil)])
        #expect(report.findings == [])
    }

    /// Otherwise PostgreSQL would end its connection in the middle.
    @Test func `reports progress in every part`() async throws {
        let premises = try Premises()
        let bank = try await premises.begin()
        try await bank.activate().decide(on: try await bank.pay(), in: bank)
        let parts = LockedValue<[String: Int]>([:])
        let report = try await AuditVerification.run(
            over: KeyedStore(bank.database, bank.verifier.keyRing)
        ) {
            let name = String("\($0)".prefix { $0 != "(" })
            parts.withLock { $0[name, default: 0] += 1 }
        }
        #expect(report.findings == [])
        let counts = parts.withLock { $0 }
        // One page of each table, of the last traces and of the deliveries.
        #expect(counts["rows", default: 0] >= 9, "\(counts)")
        // One page of each table with tags, and of each with secrets.
        #expect(counts["tags", default: 0] >= 9, "\(counts)")
    }

    @Test func `has an age that only a complete audit ends`() async throws {
        let premises = try Premises()
        let bank = try await premises.begin()
        let isAvailable = LockedValue(true)
        let audit = try premises.backgroundAudit(of: bank) { store throws(StoreFailure) in
            guard isAvailable.withLock({ $0 }) else { throw .unavailable }
            return store
        }
        let first = audit.age
        try await audit.run()
        let second = audit.age
        isAvailable.withLock { $0 = false }
        await #expect(throws: Verifier.Failure.store(.unavailable)) { try await audit.run() }
        #expect(audit.age > second)
        #expect(first >= .zero)
    }

    /// A server that does not respond must not block the threads that run all tasks.
    @Test func `opens its store on a thread of its own`() async throws {
        let premises = try Premises()
        let bank = try await premises.begin()
        let isInTask = LockedValue<Bool?>(nil)
        let audit = try premises.backgroundAudit(of: bank) { store in
            isInTask.withLock { $0 = withUnsafeCurrentTask { $0 != nil } }
            return store
        }
        try await audit.run()
        #expect(isInTask.withLock { $0 } == false)
    }

    /// Open connections and their threads would take memory until the next audit.
    @Test func `closes the store after each audit, complete or not`() async throws {
        let premises = try Premises()
        let bank = try await premises.begin()
        let (opened, closed) = (LockedValue(0), LockedValue(0))
        let audit = try premises.backgroundAudit(of: bank) { store in
            opened.withLock { $0 += 1 }
            return ClosingDatabase(store: store) { closed.withLock { $0 += 1 } }
        }
        try await audit.run()
        try premises.tamper("DELETE FROM audit WHERE sequence = 1")
        try await audit.run()
        #expect(opened.withLock { $0 } == 2)
        #expect(closed.withLock { $0 } == 2)
    }

    /// Otherwise PostgreSQL would end its connection after a slow step.
    @Test func `pauses as long as its last step took, but at most one second`() {
        #expect(BackgroundAudit.pause(after: .milliseconds(3)) == .milliseconds(3))
        #expect(BackgroundAudit.pause(after: .seconds(1)) == .seconds(1))
        #expect(BackgroundAudit.pause(after: .seconds(600)) == .seconds(1))
    }
}

/// A store that reports that it was closed.
private struct ClosingDatabase: Database {
    let store: any Database
    let report: @Sendable () -> Void

    func write<Outcome: Sendable>(
        reading queries: [Query],
        _ work: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await store.write(reading: queries, work)
    }

    func read<Outcome: Sendable>(
        reading queries: [Query],
        _ work: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await store.read(reading: queries, work)
    }

    func close() async {
        await store.close()
        report()
    }
}
