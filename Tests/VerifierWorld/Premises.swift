package import Cryptography
import Foundation
package import TestSupport
package import Verifier

/// Where a bank keeps its store, its journal and its keys, whichever of them is open.
package struct Premises: Sendable {
    package let folder: TemporaryFolder
    package let clock = TestClock()
    package let agreementKey: P256.PrivateKey
    package let auditKey: P256.PrivateKey
    package let key: KeyEncryptionKeys.Key
    package let keys: KeyEncryptionKeys

    package init() throws {
        folder = try TemporaryFolder()
        agreementKey = try P256.PrivateKey()
        auditKey = try P256.PrivateKey()
        key = try .random(version: 1)
        keys = try KeyEncryptionKeys([key]).unwrapped()
    }

    package var storePath: String { folder.path + "/store" }
    package var journalPath: String { folder.path + "/journal" }

    package func createStore() throws {
        try SQLiteDatabase.create(path: storePath, migrations: Schema.migrations)
    }

    package func openStore() throws -> SQLiteDatabase {
        try SQLiteDatabase(path: storePath, migrations: Schema.migrations)
    }

    /// A new bank with a journal.
    package func begin(policy: String = "{}") async throws -> Bank {
        try createStore()
        let store = try openStore()
        let journal = try await Journal.begin(
            at: journalPath,
            signingWith: auditKey,
            over: store
        )
        let bank = try Bank(self, journal: journal, over: store)
        try await bank.furnish(policy: policy)
        return bank
    }

    /// The bank as it starts again.
    package func open() async throws -> Bank {
        let store = try openStore()
        do {
            let journal = try await Journal.open(
                at: journalPath,
                signingWith: auditKey,
                over: store
            )
            return try Bank(self, journal: journal, over: store)
        } catch {
            await store.close()
            throw error
        }
    }

    /// Puts a backup in the place of the closed store.
    package func putBack(_ backup: String) throws {
        for suffix in ["", "-wal", "-shm"] {
            unlink(storePath + suffix)
        }
        try FileManager.default.copyItem(atPath: backup, toPath: storePath)
    }

    package func restore() async throws -> Restoration {
        let store = try openStore()
        let restoration = try await Journal.restore(
            store,
            journalAt: journalPath,
            signingWith: auditKey,
            clock: clock.verifierClock
        )
        await store.close()
        return restoration
    }

    package func audit(againstJournal: Bool = false) async throws -> AuditReport {
        let store = try openStore()
        let journal =
            againstJournal ? try JournalFile(journalPath, signedBy: auditKey.publicKey) : nil
        let report = try await AuditVerification.run(over: store, against: journal)
        await store.close()
        return report
    }
}

extension KeyEncryptionKeys.Key {
    package static func random(version: UInt32) throws -> KeyEncryptionKeys.Key {
        let bytes = try SecureBytes.random(count: 32)
        return try KeyEncryptionKeys.Key(version: version, bytes: bytes).unwrapped()
    }
}
