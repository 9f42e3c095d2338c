import Cryptography
import Foundation
import TestSupport
import Testing
import Verifier

/// Where a bank keeps its store, its journal and its keys, whichever of them is open.
struct Premises: Sendable {
    let folder: TemporaryFolder
    let clock = TestClock()
    let agreementKey: P256.PrivateKey
    let auditKey: P256.PrivateKey
    let key: KeyEncryptionKeys.Key
    let keys: KeyEncryptionKeys

    init() throws {
        folder = try TemporaryFolder()
        agreementKey = try P256.PrivateKey()
        auditKey = try P256.PrivateKey()
        key = try .random(version: 1)
        keys = try #require(KeyEncryptionKeys([key]))
    }

    var storePath: String { folder.path + "/store" }
    var journalPath: String { folder.path + "/journal" }

    func createStore() throws {
        try SQLiteDatabase.create(path: storePath, migrations: Schema.migrations)
    }

    func openStore() throws -> SQLiteDatabase {
        try SQLiteDatabase(path: storePath, migrations: Schema.migrations)
    }

    /// A new bank with a journal.
    func begin(policy: String = "{}") async throws -> Bank {
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
    func open() async throws -> Bank {
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
    func putBack(_ backup: String) throws {
        for suffix in ["", "-wal", "-shm"] {
            unlink(storePath + suffix)
        }
        try FileManager.default.copyItem(atPath: backup, toPath: storePath)
    }

    func restore() async throws -> Restoration {
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

    /// Does with the closed store what nobody should.
    func tamper(_ statements: String) throws {
        #expect(try sqlite3(storePath, statements) == "")
    }

    func audit(againstJournal: Bool = false) async throws -> AuditReport {
        let store = try openStore()
        let journal =
            againstJournal ? try JournalFile(journalPath, signedBy: auditKey.publicKey) : nil
        let report = try await AuditVerification.run(over: store, against: journal)
        await store.close()
        return report
    }
}

extension KeyEncryptionKeys.Key {
    static func random(version: UInt32) throws -> KeyEncryptionKeys.Key {
        let bytes = try SecureBytes.random(count: 32)
        return try KeyEncryptionKeys.Key(version: version, bytes: bytes).unwrapped()
    }
}
