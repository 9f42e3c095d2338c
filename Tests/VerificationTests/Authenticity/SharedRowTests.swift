import PrivateFiles
import Sealing
import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

/// The jobs of one commit read the state of the store and the policy once.
@Suite(.onEveryStore) struct `Rows that the jobs of one commit share` {
    private let bank: Bank

    init() async throws {
        bank = try await Bank(policy: #"{"devicesPerAccount": 2}"#)
    }

    /// Runs two jobs in one group; the first one fails.
    private func run<Outcome: Sendable>(
        _ job: @escaping Job<Outcome>,
        after failing: @escaping Job<Void>
    ) async throws -> Outcome {
        let database = try (bank.database as? any QueuedDatabase).unwrapped()
        let (groups, point) = (database.commits.groups, StopPoint())
        let failure = LockedValue<StoreFailure?>(nil)
        let held = Task { try await database.write { _ in point.stop() } }
        await point.waitUntilReached()
        let result: Result<Outcome, StoreFailure> = await withCheckedContinuation { caller in
            let queue = database.writing
            let first = SubmittedJob(failing) { result in failure.withLock { $0 = result.failure } }
            let second = SubmittedJob(job) { caller.resume(returning: $0) }
            let isOpen = queue.append(first) && queue.append(second)
            #expect(isOpen)
            point.resume()
        }
        try await held.value
        #expect(database.commits.groups == groups + 2)
        #expect(failure.withLock { $0 } == .conflict)
        return try result.get()
    }

    @Test func `SEC-50: do not contain the state of a job that failed`() async throws {
        let (ring, clock) = (bank.verifier.keyRing, bank.clock)
        let before = try await bank.read { ledger throws(StoreFailure) in try ledger.state() }
        let event = Event(.timeRecorded, of: "", in: nil)
        let found = try await run { connection throws(StoreFailure) in
            let ledger = Ledger(connection, ring)
            let state = try ledger.state()
            try ledger.record([event], by: .verifier, at: clock.now, after: state.audit)
            return state
        } after: { connection throws(StoreFailure) in
            let ledger = Ledger(connection, ring)
            let audit = try ledger.state().audit
            try ledger.record([event, event], by: .verifier, at: clock.now, after: audit)
            throw .conflict
        }
        #expect(found == before)
        #expect(try await bank.count(of: .timeRecorded) == 1)
        #expect(
            try await AuditVerification.run(over: KeyedStore(bank.database, ring)).findings == []
        )
    }

    @Test func `SEC-101: do not contain the policy of a job that failed`() async throws {
        let (ring, policies) = (bank.verifier.keyRing, bank.verifier.policies)
        let found = try await run { connection throws(StoreFailure) in
            try policies.policy(of: Bank.enterprise, Ledger(connection, ring)).devicesPerAccount
        } after: { connection throws(StoreFailure) in
            let ledger = Ledger(connection, ring)
            guard try ledger.setPolicy(#"{"devicesPerAccount": 9}"#, of: Bank.enterprise) else {
                throw .misuse
            }
            let changed = try policies.policy(of: Bank.enterprise, ledger)
            throw changed.devicesPerAccount == 9 ? .conflict : .misuse
        }
        #expect(found == 2)
    }

    /// A job that succeeds changes the shared rows for the next one.
    @Test func `contain the policy and the state of an earlier job`() async throws {
        let (ring, policies) = (bank.verifier.keyRing, bank.verifier.policies)
        let (head, seen, policy) = try await bank.database.write {
            connection throws(StoreFailure) in
            let first = Ledger(connection, ring)
            _ = try policies.policy(of: Bank.enterprise, first)
            let audit = try first.state().audit
            _ = try first.setPolicy(#"{"devicesPerAccount": 9}"#, of: Bank.enterprise)
            let event = Event(.policyChanged, of: Bank.enterprise, in: nil)
            let head = try first.record([event], by: .verifier, at: audit.moment, after: audit)
            let second = Ledger(connection, ring)
            let seen = try second.state().audit
            let policy = try policies.policy(of: Bank.enterprise, second)
            return (head, seen, policy.devicesPerAccount)
        }
        #expect(seen == head)
        #expect(policy == 9)
    }

    @Test func `contain a head that the commit writes once`() async throws {
        let (ring, watched) = (bank.verifier.keyRing, WatchedDatabase(bank.database))
        let head = try await watched.write { connection throws(StoreFailure) in
            _ = try Ledger(connection, ring).recordTime()
            return try Ledger(connection, ring).recordTime()
        }
        #expect(watched.statements.count { $0 == "INSERT" } == 2)
        #expect(!watched.statements.contains("UPDATE"))
        let stored = try await bank.read { ledger throws(StoreFailure) in try ledger.state() }
        #expect(stored.audit == head)
    }

    /// No program has two sets of keys; a restore reads some rows without keys.
    @Test func `SEC-50: are written before a reader with other keys, or none, reads`() async throws
    {
        let (first, second) = (bank.verifier.keyRing, KeyRing(bank.verifier.keys))
        let (heads, seen) = try await bank.database.write { connection throws(StoreFailure) in
            var heads = [try Ledger(connection, first).recordTime()]
            var seen = [try Ledger(connection, nil).state().audit]
            heads.append(try Ledger(connection, first).recordTime())
            seen.append(try Ledger(connection, second).state().audit)
            heads.append(try Ledger(connection, second).recordTime())
            seen.append(try Ledger(connection, first).state().audit)
            return (heads, seen)
        }
        #expect(seen == heads)
        #expect(try await bank.count(of: .timeRecorded) == 3)
        #expect(
            try await AuditVerification.run(over: KeyedStore(bank.database, first)).findings == []
        )
    }

    @Test(arguments: [0, 1] as [UInt64])
    func `SEC-101: are compared with the memory of this process`(_ lost: UInt64) async throws {
        let ring = bank.verifier.keyRing
        let failure = try await bank.database.write {
            connection throws(StoreFailure) -> StoreFailure? in
            let first = Ledger(connection, ring)
            _ = try first.state()
            let name = RowName(.verifier, [.integer(1)])
            guard let known = first.recorded.rows[name] else { throw .misuse }
            let memory = StoreMemory()
            let later = KnownRow(version: known.version + lost, digests: known.digests)
            memory.remember([(name, later)])
            do throws(StoreFailure) {
                _ = try Ledger(connection, ring, memory.view()).state()
                return nil
            } catch {
                return error
            }
        }
        #expect(failure == (lost == 0 ? nil : .rolledBack))
    }
}

extension Ledger {
    fileprivate func recordTime() throws(StoreFailure) -> AuditHead {
        let audit = try state().audit
        let event = Event(.timeRecorded, of: "", in: nil)
        return try record([event], by: .verifier, at: audit.moment, after: audit)
    }
}

extension Result {
    var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
