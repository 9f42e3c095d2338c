import Cryptography
import Glibc
import PrivateFiles
import Sealing
import Storage
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Verification

/// A store that can lose the responses of commits, and that counts what is read.
private struct UncertainDatabase: Database {
    let store: any Database
    let losesResponses = LockedValue(false)
    let readCount = LockedValue(0)

    func write<Outcome: Sendable>(
        reading queries: [Query],
        _ work: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        let outcome = try await store.write(reading: queries, work)
        guard !losesResponses.withLock({ $0 }) else { throw .uncertain }
        return outcome
    }

    func read<Outcome: Sendable>(
        reading queries: [Query],
        _ work: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        readCount.withLock { $0 += 1 }
        return try await store.read(reading: queries, work)
    }

    func close() async { await store.close() }
}

@Suite(.onEveryStore) struct `An uncertain commit` {
    @Test func `is in the journal before any of several callers gets its result`() async throws {
        let premises = try Premises()
        let store = UncertainDatabase(store: try premises.openStore())
        let journal = try await Journal.begin(
            at: premises.journalPath,
            signingWith: premises.auditKey,
            over: KeyedStore(store, KeyRing(premises.keys))
        )
        let bank = try Bank(premises, journal: journal, over: store)
        try await bank.populate()
        let phone = try await bank.activate()
        store.losesResponses.withLock { $0 = true }
        await #expect(throws: Verifier.Failure.store(.uncertain)) { try await bank.revoke(phone) }
        store.losesResponses.withLock { $0 = false }

        let file = try OwnedDescriptor(open(premises.journalPath, O_RDONLY | O_CLOEXEC))
        #expect(flock(file.number, LOCK_EX) == 0)
        let readBefore = store.readCount.withLock { $0 }
        let reportCount = LockedValue(0)
        let status = { @Sendable in
            let status = try await bank.verifier.status(of: phone.id)
            reportCount.withLock { $0 += 1 }
            return status
        }
        func waitUntilBlocked(after count: Int) async throws {
            try await waitUntil {
                store.readCount.withLock { $0 } == readBefore + count
                    || reportCount.withLock { $0 } > 0
            }
            #expect(reportCount.withLock { $0 } == 0)
        }
        // It reads the status, the head, and the records for the journal.
        let first = Task { try await status() }
        try await waitUntilBlocked(after: 3)
        // It shares the records.
        let second = Task { try await status() }
        try await waitUntilBlocked(after: 5)
        #expect(flock(file.number, LOCK_UN) == 0)
        for caller in [first, second] {
            #expect(try await caller.value?.status == .revoked)
        }
        var records: [AuditRecord] = []
        _ = try JournalFile(premises.journalPath, signedBy: premises.auditKey.publicKey)
            .read { records += $0.records }
        #expect(records.last?.event == Event(.deviceRevoked, of: phone.id, in: Bank.account))
        await store.close()
    }
}
