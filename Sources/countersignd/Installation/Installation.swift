import CommandLineTool
import ConfigurationFiles
import Cryptography
import FailureTranslation
import HardwareKeys
import PrivateFiles
import Sealing
import ServerOperation
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

    var storePlace: StorePlace { configuration.store.place }

    /// Closes the store after `body`, also if it throws.
    ///
    /// By default, neither checks the whole file nor migrates it: a running daemon has checked it, and
    /// can be of an older release.
    func withStore<Outcome>(
        preparesStore: Bool = false,
        checksWholeFile: Bool = false,
        _ body: (any Database) async throws(CommandFailure) -> Outcome
    ) async throws(CommandFailure) -> Outcome {
        let store = try onConfiguration(
            try configuration.verifier.openStore(
                checksWholeFile: preparesStore || checksWholeFile,
                migrates: preparesStore
            )
        )
        return try await closing(store.close) { () throws(CommandFailure) in try await body(store) }
    }

    /// Runs `body` with a verifier that can change the store, and then signs the journal.
    func withVerifier<Outcome>(
        _ body: (Verifier) async throws(CommandFailure) -> Outcome
    ) async throws(CommandFailure) -> Outcome {
        let opened = try await onServer(
            try await OpenVerifier(configuration.verifier, preparesStore: false)
        )
        return try await closing(opened.close) { () throws(CommandFailure) in
            let outcome = try await body(opened.verifier)
            try await translatingAsync(await opened.journal.checkpoint()) {
                (failure: JournalFailure) in CommandFailure(signing: failure, of: configuration)
            }
            return outcome
        }
    }

    private func closing<Outcome>(
        _ close: () async -> Void,
        after body: () async throws(CommandFailure) -> Outcome
    ) async throws(CommandFailure) -> Outcome {
        do throws(CommandFailure) {
            let outcome = try await body()
            await close()
            return outcome
        } catch {
            await close()
            throw error
        }
    }

    /// Runs `body` with a store that matches its journal.
    func withCheckedStore<Outcome>(
        _ body: (any Database) async throws(CommandFailure) -> Outcome
    ) async throws(CommandFailure) -> Outcome {
        try await withComparedStore { store, _, difference throws(CommandFailure) in
            if let difference { throw difference }
            return try await body(store)
        }
    }

    /// Runs `body` also if the records of the store are broken, or differ from the journal.
    func withComparedStore<Outcome>(
        _ body: (
            _ store: any Database,
            _ journal: JournalFile,
            _ difference: CommandFailure?
        ) async throws(CommandFailure) -> Outcome
    ) async throws(CommandFailure) -> Outcome {
        let journal = try openJournalFile()
        return try await withStore { store throws(CommandFailure) in
            var difference: CommandFailure?
            do throws(JournalFailure) {
                try await Journal.check(journal, over: KeyedStore(store))
            } catch {
                let failure = CommandFailure(error, of: configuration)
                switch error {
                case .brokenTrail, .forked, .behind: difference = failure
                default: throw failure
                }
            }
            return try await body(store, journal, difference)
        }
    }

    /// Opens the journal, which adds the records that it lacks.
    func openJournal(
        over store: KeyedStore
    ) async throws(CommandFailure) -> Journal {
        let (path, key) = (configuration.journal, try checkpointKey())
        return try await onJournal(
            try await Journal.open(at: path, signingWith: key, over: store)
        )
    }

    /// Prevents all verifiers and all commands that change the store.
    func exclusiveLock(hint: String) throws(CommandFailure) -> InstallationLock {
        let file = configuration.verifier.lockFile
        // The disk of the journal may be new.
        if file.isCreated { try makeFolder(of: file.path) }
        let lock = try translating(InstallationLock(aloneWith: file)) { (failure: FileFailure) in
            CommandFailure(.keyFile(.file(failure), path: file.path), of: configuration)
        }
        guard let lock else {
            throw CommandFailure(.tryLater, "a verifier or another command uses the store")
                .suggesting(hint)
        }
        return lock
    }

    func openJournalFile() throws(CommandFailure) -> JournalFile {
        try openJournalFile(signedBy: try checkpointKey().publicKey, for: .writing)
    }

    func openJournalFile(
        signedBy key: P256.PublicKey,
        for access: PrivateFile.Access
    ) throws(CommandFailure) -> JournalFile {
        try onJournalFile(try JournalFile(configuration.journal, signedBy: key, for: access))
    }

    func encryptionKeys() throws(CommandFailure) -> KeyEncryptionKeys {
        try onConfiguration(try configuration.verifier.encryptionKeys())
    }

    /// The encryption keys for a verifier; a descriptor can be read only once.
    func keyRing() throws(CommandFailure) -> KeyRing {
        try onConfiguration(try configuration.verifier.keyRing())
    }

    /// The keys for a command that can also work without them: nil if they are in a descriptor.
    func availableKeys() throws(CommandFailure) -> KeyRing? {
        configuration.readsDescriptor ? nil : try keyRing()
    }

    /// The key that seals the file of encryption keys; nil if it is not sealed.
    func fileKey() throws(CommandFailure) -> KeyEncryptionKeys? {
        try onConfiguration(try configuration.verifier.fileKey())
    }

    func agreementKey() throws(CommandFailure) -> P256.PrivateKey {
        try privateKey(configuration.keys.agreement, for: .agreement)
    }

    func nextAgreementKey() throws(CommandFailure) -> P256.PrivateKey? {
        try configuration.keys.nextAgreement.map { next throws(CommandFailure) in
            try privateKey(next, for: .agreement)
        }
    }

    func responseKey() throws(CommandFailure) -> P256.PrivateKey {
        try privateKey(configuration.keys.response, for: .signing)
    }

    func nextResponseKey() throws(CommandFailure) -> P256.PrivateKey? {
        try configuration.keys.nextResponse.map { next throws(CommandFailure) in
            try privateKey(next, for: .signing)
        }
    }

    func checkpointKey() throws(CommandFailure) -> P256.PrivateKey {
        try privateKey(configuration.keys.checkpoint, for: .signing)
    }

    /// Fails if a key is missing, before a command changes anything.
    func openPrivateKeys() throws(CommandFailure) {
        _ = try (agreementKey(), nextAgreementKey(), responseKey(), nextResponseKey())
        _ = try checkpointKey()
    }

    private func privateKey(
        _ place: String,
        for use: SecurityModule.KeyUse
    ) throws(CommandFailure) -> P256.PrivateKey {
        try onConfiguration(try configuration.verifier.privateKey(place, for: use))
    }

    /// The receivers that the configuration names, with their secrets.
    func addresses() throws(CommandFailure) -> Addresses {
        try onConfiguration(try configuration.verifier.addresses())
    }

    /// A verifier whose keys decrypt the store.
    func verifier(
        over store: any Database,
        _ keys: KeyRing,
        _ journal: Journal? = nil
    ) async throws(CommandFailure) -> Verifier {
        try await onServer(
            try await configuration.verifier.verifier(over: store, keys, journal)
        )
    }

    func state(of store: any Database) async throws(CommandFailure) -> StoreState {
        try await read(store) { ledger throws(StoreFailure) in try ledger.state() }
    }

    func read<Outcome: Sendable>(
        _ store: any Database,
        _ work: @escaping @Sendable (Ledger) throws(StoreFailure) -> Outcome
    ) async throws(CommandFailure) -> Outcome {
        try await onStore(try await KeyedStore(store).read(work))
    }
}

extension Installation {
    /// `acceptsLateClock`: the command reports a long pause itself.
    init(readingFileAt path: String, acceptsLateClock: Bool = false) throws(CommandFailure) {
        var configuration = try Configuration(readingFileAt: path)
        configuration.acceptsLateClock = acceptsLateClock
        self.init(configuration: configuration)
    }
}
