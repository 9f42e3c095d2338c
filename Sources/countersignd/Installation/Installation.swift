import CommandLineTool
import Cryptography
import Verification
import VerifierServer

/// The parts of one verifier, opened as they are needed.
struct Installation: Sendable {
    let configuration: Configuration

    /// For the help of commands that no route of the bank's API does.
    static let storeAlone = """
        Works in the store that the configuration names, whether or not a verifier runs beside it; not
        over the network.
        """

    var storePart: Part { Part(configuration.store) }

    /// Commands run beside a daemon, which has checked the whole of its file when it began, and are no
    /// reason to change its tables: the daemon that runs may be of the release before.
    func openStore(
        checksWholeFile: Bool = false,
        migrates: Bool = false
    ) throws(StoreFailure) -> any Database {
        try VerifierServer.Configuration.Store(configuration.store).open(
            checksWholeFile: checksWholeFile,
            migrates: migrates
        )
    }

    /// Lets `body` use the store, and closes it however that ended.
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

    /// Lets `body` change the store, which its journal follows, and has all of it written down.
    func withVerifier<Outcome>(
        checksWholeFile: Bool = false,
        migrates: Bool = false,
        _ body: (Verifier) async throws(CommandFailure) -> Outcome
    ) async throws(CommandFailure) -> Outcome {
        let key = try checkpointKey()
        let use = try inUse()
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

    /// Lets `body` read a store that is what its journal saw.
    ///
    /// Who says himself where the trail is broken reads on over that.
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
        do throws(JournalFailure) {
            return try JournalFile(configuration.journal, signedBy: key)
        } catch {
            throw CommandFailure(error, of: configuration)
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

    /// Nil where no change of the answer key is decided.
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
        Verifier(
            database: store,
            keys: try keys ?? encryptionKeys(),
            readFrom: configuration.encryptionKeys,
            agreementKey: try agreementKey(),
            journal: journal,
            clock: try await clock(of: store),
            pushesPerMinute: configuration.push.perMinute
        )
    }

    /// A clock that is no earlier than what the store saw last.
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

// MARK: Failures

extension Installation {
    func onStore<Outcome>(
        _ body: () async throws(StoreFailure) -> Outcome
    ) async throws(CommandFailure) -> Outcome {
        do throws(StoreFailure) {
            return try await body()
        } catch {
            throw CommandFailure(error, of: storePart)
        }
    }

    func onJournal<Outcome>(
        _ body: () async throws(JournalFailure) -> Outcome
    ) async throws(CommandFailure) -> Outcome {
        do throws(JournalFailure) {
            return try await body()
        } catch {
            throw CommandFailure(error, of: configuration)
        }
    }

    func onVerifier<Outcome>(
        _ body: () async throws(Verifier.Failure) -> Outcome
    ) async throws(CommandFailure) -> Outcome {
        do throws(Verifier.Failure) {
            return try await body()
        } catch {
            throw CommandFailure(error, of: configuration)
        }
    }

    func onKeyFile<Outcome: ~Copyable>(
        _ path: String,
        _ body: () throws(KeyFile.Failure) -> Outcome
    ) throws(CommandFailure) -> Outcome {
        do throws(KeyFile.Failure) {
            return try body()
        } catch {
            throw CommandFailure(error, ofFileAt: path)
        }
    }
}
