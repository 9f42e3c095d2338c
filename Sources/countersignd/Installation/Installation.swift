import CommandLineTool
import Cryptography
import Sealing
import Storage
import Verification
import VerifierServer

/// The parts of one verifier, which commands open when they need them.
struct Installation: Sendable {
    let configuration: Configuration

    /// For the help of commands that have no route in the bank's API.
    static let storeOnly = """
        The command uses the local store, also while a verifier is running. It does not work over the \
        network.
        """

    var storePart: Part { Part(configuration.store) }

    /// By default, neither checks the whole file nor migrates it: a running daemon has checked it, and
    /// can be of an older release.
    func openStore(
        checksWholeFile: Bool = false,
        migrates: Bool = false
    ) throws(StoreFailure) -> any Database {
        try VerifierServer.Configuration.Store(configuration.store).open(
            checksWholeFile: checksWholeFile,
            migrates: migrates
        )
    }

    /// Closes the store after `body`, also if it throws.
    func withStore<Outcome>(
        checksWholeFile: Bool = false,
        migrates: Bool = false,
        _ body: (any Database) async throws(CommandFailure) -> Outcome
    ) async throws(CommandFailure) -> Outcome {
        let store = try await onStore { () throws(StoreFailure) in
            try openStore(checksWholeFile: checksWholeFile, migrates: migrates)
        }
        do throws(CommandFailure) {
            let outcome = try await body(store)
            await store.close()
            return outcome
        } catch {
            await store.close()
            throw error
        }
    }

    /// Runs `body` with a verifier that can change the store, and then signs the journal.
    func withVerifier<Outcome>(
        checksWholeFile: Bool = false,
        migrates: Bool = false,
        _ body: (Verifier) async throws(CommandFailure) -> Outcome
    ) async throws(CommandFailure) -> Outcome {
        let key = try checkpointKey()
        let use = try sharedUse()
        defer { withExtendedLifetime(use) {} }
        return try await withStore(checksWholeFile: checksWholeFile, migrates: migrates) {
            store throws(CommandFailure) in
            let journal = try await onJournal { () throws(JournalFailure) in
                try await Journal.open(
                    at: configuration.journal,
                    signingWith: key,
                    over: store
                )
            }
            let verifier = try await verifier(over: store, journal)
            try await onVerifier { () throws(Verifier.Failure) in try await verifier.checkKeys() }
            let outcome = try await body(verifier)
            try await onJournal { () throws(JournalFailure) in try await journal.checkpoint() }
            return outcome
        }
    }

    /// Runs `body` with a store that matches its journal.
    ///
    /// A `body` that reports a broken trail itself can ignore the break.
    func withCheckedStore<Outcome>(
        evenIfBroken: Bool = false,
        _ body: (any Database) async throws(CommandFailure) -> Outcome
    ) async throws(CommandFailure) -> Outcome {
        let journal = try openJournalFile()
        return try await withStore { store throws(CommandFailure) in
            try await onJournal { () throws(JournalFailure) in
                do throws(JournalFailure) {
                    try await Journal.check(journal, over: store)
                } catch .brokenTrail where evenIfBroken {
                }
            }
            return try await body(store)
        }
    }

    func openJournalFile() throws(CommandFailure) -> JournalFile {
        let key = try checkpointKey().publicKey
        return try onJournalFile { () throws(JournalFailure) in
            try JournalFile(configuration.journal, signedBy: key)
        }
    }

    func createStore() throws(StoreFailure) {
        switch configuration.store {
        case .sqlite(let path):
            try SQLiteDatabase.create(path: path, migrations: Schema.migrations)
        case .postgreSQL(let connection):
            try PostgresDatabase.create(connection, migrations: Schema.migrations)
        }
    }

    func encryptionKeys() throws(CommandFailure) -> KeyEncryptionKeys {
        try onKeyFile(configuration.encryptionKeys) { () throws(KeyFile.Failure) in
            try KeyFile.encryptionKeys(in: configuration.keySource)
        }
    }

    func agreementKey() throws(CommandFailure) -> P256.PrivateKey {
        try privateKey(configuration.agreementKey)
    }

    func responseKey() throws(CommandFailure) -> P256.PrivateKey {
        try privateKey(configuration.responseKey)
    }

    func nextResponseKey() throws(CommandFailure) -> P256.PrivateKey? {
        try configuration.nextResponseKey.map { path throws(CommandFailure) in
            try privateKey(path)
        }
    }

    func checkpointKey() throws(CommandFailure) -> P256.PrivateKey {
        try privateKey(configuration.checkpointKey)
    }

    private func privateKey(_ path: String) throws(CommandFailure) -> P256.PrivateKey {
        try onKeyFile(path) { () throws(KeyFile.Failure) in
            try KeyFile.privateKey(in: .file(path))
        }
    }

    /// Reads the encryption keys unless the caller did: a descriptor can be read only once.
    func verifier(
        over store: any Database,
        _ journal: Journal?,
        keys: KeyEncryptionKeys? = nil
    ) async throws(CommandFailure) -> Verifier {
        let readKeys = if let keys { keys } else { try encryptionKeys() }
        return Verifier(
            database: store,
            keys: readKeys,
            readFrom: configuration.encryptionKeys,
            agreementKey: try agreementKey(),
            journal: journal,
            clock: try await clock(of: store),
            pushesPerMinute: configuration.push.perMinute
        )
    }

    /// A clock that never returns a time before the last audit record.
    func clock(of store: any Database) async throws(CommandFailure) -> VerifierClock {
        .system(notBefore: try await state(of: store).audit.moment)
    }

    func state(of store: any Database) async throws(CommandFailure) -> StoreState {
        try await read(store) { ledger throws(StoreFailure) in try ledger.state() }
    }

    func read<Outcome: Sendable>(
        _ store: any Database,
        _ work: @escaping @Sendable (Ledger) throws(StoreFailure) -> Outcome
    ) async throws(CommandFailure) -> Outcome {
        try await onStore { () throws(StoreFailure) in
            try await store.read { connection throws(StoreFailure) in
                try work(Ledger(connection))
            }
        }
    }
}
