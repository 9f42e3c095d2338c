import Foundation
import PrivateFiles
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

/// An earlier copy replaces the content of the store while a node runs.
///
/// The lost records are those of a command: another process, with the same journal.
@Suite(.onEveryStore) struct `A running node, and the records of a command` {
    private let premises: Premises
    private let copy: String

    init() throws {
        premises = try Premises()
        copy = premises.path + "/copy"
    }

    /// The numbers of records that are lost, and that the node adds in one transaction.
    private static let counts = [(1, 1), (1, 3), (3, 1), (3, 3)]

    @Test(arguments: counts)
    func `SEC-102: the node stops with the first transaction if they are lost`(
        _ lost: Int,
        _ new: Int
    ) async throws {
        let node = try await premises.begin()
        let command = try await premises.open()
        _ = try await node.addAccount("4713")
        try await premises.store.backUp(to: copy)
        try await command.record(lost, of: "lost")
        try premises.store.rollBack(to: copy)
        let outages = LockedValue<[OutageMonitor.Change]>([])
        node.verifier.outages.addObserver { change in outages.withLock { $0.append(change) } }
        for _ in 1...2 {
            await #expect(throws: Verifier.Failure.store(.rolledBack)) {
                try await node.record(new)
            }
        }
        #expect(outages.withLock { $0 } == [.began(.store(.rolledBack))])
        await command.database.close()
        await node.database.close()
        // The journal's file still has the lost head.
        await #expect(throws: JournalFailure.self) { _ = try await premises.open() }
    }

    @Test func `SEC-102: no revoked device approves after the revocation is lost`() async throws {
        let node = try await premises.begin()
        let phone = try await node.activate()
        let payment = try await node.pay()
        let command = try await premises.open()
        try await premises.store.backUp(to: copy)
        try await command.revoke(phone)
        try premises.store.rollBack(to: copy)
        await #expect(throws: Verifier.Failure.store(.rolledBack)) {
            _ = try await phone.decide(on: payment, in: node)
        }
        await #expect(throws: Verifier.Failure.store(.rolledBack)) {
            _ = try await node.verifier.overview(of: payment.id, of: Bank.account)
        }
        await command.database.close()
        await node.database.close()
    }

    @Test func `SEC-102: a node stops with its first transaction if a record of before is lost`()
        async throws
    {
        let before = try await premises.begin()
        try await premises.store.backUp(to: copy)
        try await before.record(1, of: "lost")
        await before.database.close()
        let node = try await premises.open()
        try premises.store.rollBack(to: copy)
        await #expect(throws: Verifier.Failure.store(.rolledBack)) { try await node.record(3) }
        await node.database.close()
    }

    @Test func `the node continues after them, whichever process writes first`() async throws {
        let node = try await premises.begin()
        let command = try await premises.open()
        for count in [1, 3, 600] {
            try await command.record(count)
            try await node.record(1)
            try await node.record(count)
            try await command.record(1)
        }
        let path = premises.journalPath + ".head"
        let file = try OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC))
        for banks in [[node, command], [command, node]] {
            let first = try await node.lastSequence()
            #expect(flock(file.number, LOCK_EX) == 0)
            var tasks: [Task<Void, any Error>] = []
            for (index, bank) in banks.enumerated() {
                tasks.append(Task { try await bank.record(1) })
                try await waitUntil { try await node.lastSequence() == first + UInt64(index) + 1 }
            }
            #expect(flock(file.number, LOCK_UN) == 0)
            for task in tasks { try await task.value }
        }
        try await node.record(1)
        try await command.record(1)
        let last = try #require(try HeadFile(ofJournal: premises.journalPath)).last()
        #expect(try await node.lastSequence() == last.head.sequence)
        await command.database.close()
        await node.database.close()
    }

    @Test func `a known head rejects another one with its number only`() throws {
        let committed = CommittedHead(after: .empty)
        func events(_ sequence: UInt64, _ byte: UInt8) -> CommittedEvents {
            let hash = [UInt8](repeating: byte, count: 32)
            let head = AuditHead(sequence: sequence, moment: .earliest, hash: hash)
            return CommittedEvents(checkpoint: Checkpoint(store: [], epoch: Epoch(0), head: head))
        }
        for (sequence, byte) in [(5, 5), (5, 5), (4, 4), (7, 7)] as [(UInt64, UInt8)] {
            try committed.commit(events(sequence, byte))
        }
        #expect(throws: StoreFailure.rolledBack) { try committed.commit(events(7, 8)) }
    }
}

extension Bank {
    /// Adds records that the journal need not contain, in one transaction.
    ///
    /// The clock does not move, so records of the same subject are the same.
    fileprivate func record(_ count: Int, of subject: String = "device") async throws {
        try await verifier.change(by: .verifier) { context in
            for _ in 1...count {
                context.events.append(Event(.deviceCopied, of: subject, in: nil))
            }
        }
    }

    fileprivate func lastSequence() async throws -> UInt64 {
        try await read { ledger throws(StoreFailure) in try ledger.state().audit.sequence }
    }
}

extension StoreAddress {
    /// Puts the rows of a backup back, while verifiers have the store open.
    fileprivate func rollBack(to backup: String) throws {
        guard case .file = self else { return try putBack(backup) }
        let tables = try output(
            of: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        ).split(separator: "\n")
        let changes = tables.map {
            "DELETE FROM main.\($0); INSERT INTO main.\($0) SELECT * FROM kept.\($0);"
        }
        let script =
            "ATTACH '\(backup)' AS kept; BEGIN IMMEDIATE; \(changes.joined(separator: " ")) COMMIT"
        guard try output(of: script).isEmpty else { throw Bank.Unexpected() }
    }
}
