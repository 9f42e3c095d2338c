package import Cryptography
import Foundation
package import Sealing
package import Storage
package import TestSupport
package import Verification

/// The files of a bank: its store, its journal and its keys.
package struct Premises: Sendable {
    package let path: String
    package let store: StoreAddress
    /// That of one node; a copy of this value can be another node.
    package var journalPath: String
    package let clock = TestClock()
    package let keys: KeyEncryptionKeys
    package let agreementKey: P256.PrivateKey
    package let auditKey: P256.PrivateKey
    /// Nil if another process created the files and removes them.
    private let folder: TemporaryFolder?

    /// New files; on the given server, if any.
    package init(on kind: StoreKind = .current, server: PostgresServer? = nil) throws {
        let folder = try TemporaryFolder()
        try KeyFile.createEncryptionKeys(at: folder.path + Self.keys)
        try KeyFile.createPrivateKey(at: folder.path + Self.agreementKey)
        try KeyFile.createPrivateKey(at: folder.path + Self.auditKey)
        try self.init(folder.path, kind.newStore(in: folder, on: server), folder)
    }

    /// The files that another process created.
    package init(at path: String, store: StoreAddress) throws {
        try self.init(path, store, nil)
    }

    /// A copy of all files; the store must be closed.
    package func copied() throws -> Premises {
        let copy = try TemporaryFolder()
        for name in Self.copiedFiles {
            try FileManager.default.copyItem(atPath: path + name, toPath: copy.path + name)
        }
        return try Premises(copy.path, store.copied(to: copy), copy)
    }

    private init(_ path: String, _ store: StoreAddress, _ folder: TemporaryFolder?) throws {
        self.path = path
        self.store = store
        self.folder = folder
        journalPath = path + Self.journal
        keys = try KeyFile.encryptionKeys(in: .file(path + Self.keys))
        agreementKey = try KeyFile.privateKey(in: .file(path + Self.agreementKey))
        auditKey = try KeyFile.privateKey(in: .file(path + Self.auditKey))
    }

    private static let keys = "/keys"
    private static let agreementKey = "/agreement-key"
    private static let auditKey = "/audit-key"
    private static let journal = "/journal"
    private static let copiedFiles = [keys, agreementKey, auditKey, journal, journal + ".head"]

    package var keysPath: String { path + Self.keys }

    /// With a timeout that covers a restart of the server.
    package func openStore() throws -> any Database {
        try store.open(migrations: Schema.migrations, timeout: .seconds(60))
    }

    /// A new bank with a journal.
    package func begin(policy: String = "{}") async throws -> Bank {
        let store = try openStore()
        let journal = try await Journal.begin(
            at: journalPath,
            signingWith: auditKey,
            over: KeyedStore(store, KeyRing(keys))
        )
        let bank = try Bank(self, journal: journal, over: store)
        try await bank.populate(policy: policy)
        return bank
    }

    /// The bank after a restart.
    package func open() async throws -> Bank {
        let store = try openStore()
        do {
            let journal = try await Journal.open(
                at: journalPath,
                signingWith: auditKey,
                over: KeyedStore(store, KeyRing(keys))
            )
            let bank = try Bank(self, journal: journal, over: store)
            try await bank.catchUp()
            return bank
        } catch {
            await store.close()
            throw error
        }
    }

    package func restore(
        comparingRows comparesRows: Bool = true,
        keeping keep: @escaping @Sendable (Restoration) throws(JournalFailure) -> Void = { _ in },
        through wrap: (any Database) -> any Database = { $0 }
    ) async throws -> Restoration {
        let store = try openStore()
        do throws(JournalFailure) {
            let restoration = try await Journal.restore(
                KeyedStore(wrap(store), KeyRing(keys)),
                journalAt: journalPath,
                signingWith: auditKey,
                clock: clock.verifierClock,
                comparingRows: comparesRows,
                keeping: keep
            )
            await store.close()
            return restoration
        } catch {
            await store.close()
            throw error
        }
    }

    package func audit(
        againstJournal: Bool = false,
        withKeys: Bool = false
    ) async throws -> AuditReport {
        let store = try openStore()
        let journal =
            againstJournal ? try JournalFile(journalPath, signedBy: auditKey.publicKey) : nil
        let ring = withKeys ? KeyRing(keys) : nil
        let report = try await AuditVerification.run(
            over: KeyedStore(store, ring),
            against: journal
        )
        await store.close()
        return report
    }
}

// MARK: Customers

extension Premises {
    private var phonesPath: String { path + "/phones" }

    /// Writes the phones for other processes, in this order.
    package func keep(_ phones: [Phone]) throws {
        let lines = try phones.map { try $0.line + "\n" }.joined()
        try lines.write(toFile: phonesPath, atomically: true, encoding: .utf8)
    }

    package func phones() throws -> [Phone] {
        try String(contentsOfFile: phonesPath, encoding: .utf8).split(separator: "\n").map {
            try Phone(line: $0, agreeingWith: agreementKey.publicKey).unwrapped()
        }
    }
}

extension KeyEncryptionKeys.Key {
    package static func random(version: UInt32) throws -> KeyEncryptionKeys.Key {
        let bytes = try SecureBytes.random(count: 32)
        return try KeyEncryptionKeys.Key(version: version, bytes: bytes).unwrapped()
    }
}

// MARK: Export to files of a repository

extension Premises {
    /// Stores before version 6 have no file of the last head.
    private static let files = [
        keys, agreementKey, auditKey, journal, journal + ".head", "/phones",
    ]
    private static let statements = "/store.sql"

    /// Exports everything; the store must be closed.
    package func export(to folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        for name in Self.files {
            try FileManager.default.copyItem(atPath: path + name, toPath: folder + name)
        }
        try store.dump().write(toFile: folder + Self.statements, atomically: true, encoding: .utf8)
    }

    /// Imports exported files into the owner's folder.
    package init(exportedAt source: String, to folder: TemporaryFolder, on kind: StoreKind) throws {
        for name in Self.files where FileManager.default.fileExists(atPath: source + name) {
            // A repository does not keep file permissions.
            let file = folder.path + name
            try FileManager.default.copyItem(atPath: source + name, toPath: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        }
        let statements = source + Self.statements
        try self.init(at: folder.path, store: kind.newAddress(in: folder).filled(by: statements))
    }
}
