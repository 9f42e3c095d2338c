import CommandLineTool
import ConfigurationFiles
import Glibc
import HardwareKeys
import PrivateFiles
import Sealing
import Storage
import Verification
import VerifierServer

/// Creates the missing parts of a verifier, in an order that makes the command repeatable.
///
/// Each file exists completely or not at all. The keys come before the store, and are never created
/// for an existing store, because they could not decrypt it. The checkpoint key and the journal come
/// after the store: if one of them exists without a store, the store was lost.
struct Initialization {
    let installation: Installation
    let terminal: Terminal

    private var configuration: Configuration { installation.configuration }

    /// `joins`: the store belongs to another verifier too, and its keys were copied to this machine.
    func run(joins: Bool) async throws(CommandFailure) {
        for path in configuration.files { removeLeftovers(of: path) }
        let hasStore = try await storeExists()
        guard hasStore || !joins else {
            throw CommandFailure(
                .noInput,
                "there is no store to join",
                hint: "create it on the first verifier, with countersignd init without --join"
            )
        }
        try checkNothingIsLost(hasStore: hasStore)
        try createEncryptionKeys(hasStore)
        try createKey(configuration.keys.agreement, hasStore, for: .agreement)
        try createKey(configuration.keys.response, hasStore, for: .signing)
        // Devices and browsers must get the same keys from all nodes.
        if let next = configuration.keys.nextAgreement {
            try createKey(next, joins, for: .agreement)
        }
        if let next = configuration.keys.nextResponse {
            try createKey(next, joins, for: .signing)
        }
        if hasStore {
            try report("found", installation.storePlace.name)
        } else {
            try await createStore()
        }
        if let web = configuration.push.web { try createKey(web.key, joins, for: .signing) }
        // It signs only this verifier's own journal, so a new key is always acceptable.
        try createKey(configuration.keys.checkpoint, false, for: .signing)
        let keys = try installation.keyRing()
        try await installation.withStore { store throws(CommandFailure) in
            let journal = try await createJournal(over: KeyedStore(store, keys), joins: joins)
            _ = try await installation.verifier(over: store, keys, journal)
            try await installation.onJournal(try await journal.checkpoint())
        }
    }

    private func storeExists() async throws(CommandFailure) -> Bool {
        do throws(VerifierServer.Failure) {
            await (try configuration.verifier.openStore(checksWholeFile: true)).close()
            return true
        } catch {
            // A database without our tables can become a store; a file of another program cannot.
            switch error.cause {
            case .store(.missing): return false
            case .store(.foreign) where installation.storePlace == .postgreSQL: return false
            default: throw CommandFailure(error.cause, of: configuration)
            }
        }
    }

    private func checkNothingIsLost(hasStore: Bool) throws(CommandFailure) {
        let (key, journal) = (configuration.keys.checkpoint, configuration.journal)
        let hasKey = try exists(KeyPlace(key))
        if !hasStore, exists(journal) || hasKey {
            let rest = exists(journal) ? journal : key
            throw CommandFailure(
                .noInput,
                "\(rest) exists, but its store does not",
                hint: """
                    mount the disk of the store, or put a backup back and run countersignd restore: \
                    a new store would accept used codes again
                    """
            )
        }
        if exists(journal), !hasKey {
            throw CommandFailure(
                .noInput,
                "the journal exists, but \(key), which signs it, does not",
                hint: "restore the key from the backup of the keys"
            )
        }
    }

    private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private func exists(_ place: KeyPlace) throws(CommandFailure) -> Bool {
        switch place {
        case .file(let path): exists(path)
        case .token(let label):
            try installation.onConfiguration(try configuration.verifier.hasKey(inToken: label))
        }
    }

    private func createEncryptionKeys(_ isRequired: Bool) throws(CommandFailure) {
        let keys = configuration.keys
        if let label = keys.pkcs11?.sealingKey {
            try createKey("pkcs11:" + label, isRequired, for: .sealing)
        }
        guard !configuration.readsDescriptor else {
            return try report("found", keys.encryptionPath)
        }
        let fileKey = try installation.fileKey()
        try createKey(keys.encryptionPath, isRequired) { path throws(CommandFailure) in
            try onKeyFile(path, try KeyFile.createEncryptionKeys(at: path, sealedUnder: fileKey))
        }
    }

    private func createKey(
        _ place: String,
        _ isRequired: Bool,
        for use: SecurityModule.KeyUse
    ) throws(CommandFailure) {
        try createKey(place, isRequired) { path throws(CommandFailure) in
            switch KeyPlace(place) {
            case .file(let path): try onKeyFile(path, try KeyFile.createPrivateKey(at: path))
            case .token(let label):
                try installation.onConfiguration(
                    try configuration.verifier.createKey(inToken: label, for: use)
                )
            }
        }
    }

    private func createKey(
        _ place: String,
        _ isRequired: Bool,
        _ create: (String) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        guard try !exists(KeyPlace(place)) else { return try report("found", place) }
        guard !isRequired else {
            throw CommandFailure(
                .noInput,
                "the store exists, but its key \(place) does not",
                hint: installation.storePlace == .postgreSQL
                    ? "copy the key from a verifier that works, or restore it from the backup of the keys: "
                        + "a new key cannot replace it"
                    : "restore the key from the backup of the keys: a new key cannot replace it"
            )
        }
        if case .file(let path) = KeyPlace(place) { try makeFolder(of: path) }
        try create(place)
        try report("created", place)
    }

    private func createStore() async throws(CommandFailure) {
        if case .sqlite(let path) = configuration.store { try makeFolder(of: path) }
        try await installation.onStore(try configuration.store.create())
        try report("created", installation.storePlace.name)
    }

    private func createJournal(
        over store: KeyedStore,
        joins: Bool
    ) async throws(CommandFailure) -> Journal {
        let path = configuration.journal
        let key = try installation.checkpointKey()
        if exists(path) {
            let journal = try await installation.openJournal(over: store)
            try report("found", path)
            return journal
        }
        try makeFolder(of: path)
        let journal = try await installation.onJournal(
            joins
                ? try await Journal.join(at: path, signingWith: key, over: store)
                : try await Journal.begin(at: path, signingWith: key, over: store)
        )
        try report("created", path)
        return journal
    }

    private func report(_ action: String, _ name: String) throws(CommandFailure) {
        try terminal.output.print("\(action.padded(to: 7))  \(name.onOneLine)")
    }
}

extension VerifierServer.Configuration.Store {
    fileprivate func create() throws(StoreFailure) {
        switch self {
        case .sqlite(let path):
            try SQLiteDatabase.create(path: path, migrations: Schema.migrations)
        case .postgreSQL(let connection):
            try PostgresDatabase.create(connection, migrations: Schema.migrations)
        }
    }
}

extension String {
    /// With spaces up to a width.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
