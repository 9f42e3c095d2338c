import CommandLineTool
import Cryptography
import Verifier

/// The parts of one verifier, opened as they are needed.
struct Installation: Sendable {
    let configuration: Configuration

    var storePart: Part { Part(configuration.store) }

    /// Commands run beside a daemon, which has checked the whole of its file when it began.
    func openStore(checksWholeFile: Bool = false) throws(StoreFailure) -> any Database {
        switch configuration.store {
        case .sqlite(let path):
            try SQLiteDatabase(
                path: path,
                migrations: Schema.migrations,
                checksWholeFile: checksWholeFile
            )
        case .postgreSQL(let connection):
            try PostgresDatabase(connection, migrations: Schema.migrations)
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
        let path = configuration.encryptionKeys
        return try onKeyFile(path) { () throws(KeyFile.Failure) in
            try KeyFile.encryptionKeys(in: .file(path))
        }
    }

    func agreementKey() throws(CommandFailure) -> P256.PrivateKey {
        try privateKey(configuration.agreementKey)
    }

    func checkpointKey() throws(CommandFailure) -> P256.PrivateKey {
        try privateKey(configuration.checkpointKey)
    }

    private func privateKey(_ path: String) throws(CommandFailure) -> P256.PrivateKey {
        try onKeyFile(path) { () throws(KeyFile.Failure) in
            try KeyFile.privateKey(in: .file(path))
        }
    }

    func verifier(
        over store: any Database,
        _ journal: Journal
    ) async throws(CommandFailure) -> Verifier {
        Verifier(
            database: store,
            keys: try encryptionKeys(),
            agreementKey: try agreementKey(),
            journal: journal,
            clock: try await clock(of: store)
        )
    }

    /// A clock that is no earlier than what the store saw last.
    func clock(of store: any Database) async throws(CommandFailure) -> VerifierClock {
        let state = try await onStore { () throws(StoreFailure) in
            try await store.read { connection throws(StoreFailure) in
                try Ledger(connection).state()
            }
        }
        return .system(notBefore: state.audit.moment)
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

    func onKeyFile<Outcome>(
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
