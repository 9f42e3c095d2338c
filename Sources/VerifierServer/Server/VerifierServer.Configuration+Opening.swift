import FailureTranslation
import HardwareKeys
import PrivateFiles
package import Sealing
package import ServerOperation
package import Storage
import TransactionApproval
package import Verification

// The one path that opens the parts of a verifier, for a server and for commands.

/// An open verifier with its store and journal, which keeps a restore out.
package struct OpenVerifier: Sendable {
    package let store: any Database
    package let journal: Journal
    package let verifier: Verifier
    private let lock: InstallationLock

    /// `preparesStore`: checks the whole store and migrates it first.
    package init(
        _ configuration: VerifierServer.Configuration,
        preparesStore: Bool
    ) async throws(VerifierServer.Failure) {
        let key = try configuration.privateKey(configuration.keys.checkpoint, for: .signing)
        lock = try configuration.lock()
        let keys = try configuration.keyRing()
        let store = try configuration.openStore(
            checksWholeFile: preparesStore,
            migrates: preparesStore
        )
        do throws(VerifierServer.Failure) {
            journal = try await translatingAsync(
                await Journal.open(
                    at: configuration.journal,
                    signingWith: key,
                    over: KeyedStore(store, keys)
                )
            ) { VerifierServer.Failure(.journal($0)) }
            verifier = try await configuration.verifier(over: store, keys, journal)
        } catch {
            await store.close()
            throw error
        }
        self.store = store
    }

    /// Closes the store, and then lets a restore in.
    package func close() async {
        await journal.close()
        await store.close()
        withExtendedLifetime(lock) {}
    }
}

extension VerifierServer.Configuration {
    private typealias Failure = VerifierServer.Failure

    /// The key that signs the journal; if it is in an HSM, an empty file next to the store.
    ///
    /// The path of the journal can change, after the loss of its disk. Only a verifier with PostgreSQL
    /// has no other file.
    package var lockFile: LockFile {
        switch (KeyPlace(keys.checkpoint), store) {
        case (.file(let path), _): LockFile(path: path, isCreated: false)
        case (.token, .sqlite(let path)): LockFile(path: path + ".lock", isCreated: true)
        case (.token, .postgreSQL): LockFile(path: journal + ".lock", isCreated: true)
        }
    }

    /// Fails while a restore has the lock.
    fileprivate func lock() throws(VerifierServer.Failure) -> InstallationLock {
        let file = lockFile
        let lock = try translating(InstallationLock(sharing: file)) { (failure: FileFailure) in
            Failure(.keyFile(.file(failure), path: file.path))
        }
        guard let lock else { throw Failure(.restoring) }
        return lock
    }

    package func openStore(
        checksWholeFile: Bool = false,
        migrates: Bool = false
    ) throws(VerifierServer.Failure) -> any Database {
        try translating(store.open(checksWholeFile: checksWholeFile, migrates: migrates)) {
            (failure: StoreFailure) in Failure(.store(failure))
        }
    }

    /// A clock that never returns a time before the last audit record.
    ///
    /// A wall clock that is far ahead of it may be wrong, and needs an operator's word. The tag of
    /// that time is checked with the first change.
    package func clock(
        of store: any Database
    ) async throws(VerifierServer.Failure) -> VerifierClock {
        let state = try await translatingAsync(
            await KeyedStore(store).read { ledger throws(StoreFailure) in try ledger.state() }
        ) { Failure(.store($0)) }
        let last = state.audit
        let isLate = Timestamp.ofWallClock.elapsed(since: last.moment) > VerifierClock.maximumPause
        guard acceptsLateClock || last.sequence == 0 || !isLate else {
            throw Failure(.lateClock(lastRecord: last.moment))
        }
        return .system(notBefore: last.moment)
    }

    /// A verifier whose keys decrypt the store.
    package func verifier(
        over store: any Database,
        _ ring: KeyRing,
        _ journal: Journal?
    ) async throws(VerifierServer.Failure) -> Verifier {
        let verifier = Verifier(
            database: store,
            keys: ring,
            agreementKey: try privateKey(keys.agreement, for: .agreement),
            nextAgreementKey: try keys.nextAgreement.map { next throws(VerifierServer.Failure) in
                try privateKey(next, for: .agreement)
            },
            journal: journal,
            clock: try await clock(of: store),
            pushesPerMinute: push.perMinute
        )
        try await translatingAsync(await verifier.checkKeys()) { Failure(.verifier($0)) }
        return verifier
    }
}

extension VerifierServer.Configuration.Store {
    func open(checksWholeFile: Bool, migrates: Bool) throws(StoreFailure) -> any Database {
        switch self {
        case .sqlite(let path):
            try SQLiteDatabase(
                path: path,
                migrations: Schema.migrations,
                migrates: migrates,
                checksWholeFile: checksWholeFile
            )
        case .postgreSQL(let connection):
            try PostgresDatabase(
                connection,
                migrations: Schema.migrations,
                migrates: migrates
            )
        }
    }
}
