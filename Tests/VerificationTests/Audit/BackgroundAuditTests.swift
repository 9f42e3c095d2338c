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
        let report = try await AuditVerification.run(over: store, bank.verifier.keyRing) { _ in
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
        let report = try await AuditVerification.run(over: bank.database, bank.verifier.keyRing) {
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
        let audit = try premises.backgroundAudit(of: bank)
        let first = audit.age
        try await audit.run()
        try premises.tamper("DELETE FROM audit WHERE sequence = 1")
        let second = audit.age
        await audit.close()
        // The store of this audit is closed.
        await #expect(throws: Verifier.Failure.self) { try await audit.run() }
        #expect(audit.age > second)
        #expect(first >= .zero)
    }

    /// Otherwise PostgreSQL would end its connection after a slow step.
    @Test func `pauses as long as its last step took, but at most one second`() {
        #expect(BackgroundAudit.pause(after: .milliseconds(3)) == .milliseconds(3))
        #expect(BackgroundAudit.pause(after: .seconds(1)) == .seconds(1))
        #expect(BackgroundAudit.pause(after: .seconds(600)) == .seconds(1))
    }
}
