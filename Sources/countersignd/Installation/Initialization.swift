import CommandLineTool
import Glibc
import Verification

/// Makes what is not there yet, in an order in which a repeated run goes on where one stopped.
///
/// Each file is there as a whole or not at all. Keys come before the store that they are for, and
/// are never made for a store that is there: they would not open it. The checkpoint key comes after
/// the store and before the journal, so that where either is without a store, one was lost.
struct Initialization {
    let installation: Installation
    let terminal: Terminal

    private var configuration: Configuration { installation.configuration }

    /// With `joins`, the store is another verifier's too, and its keys were copied here.
    func run(joins: Bool) async throws(CommandFailure) {
        let isThere = try await storeIsThere()
        guard isThere || !joins else {
            throw CommandFailure(
                .noInput,
                "there is no store to join yet",
                hint: "its first verifier makes it by countersignd init without --join"
            )
        }
        try checkNothingIsLost(storeIsThere: isThere)
        if configuration.keyDescriptor == nil {
            try makeKey(configuration.encryptionKeys, isThere, KeyFile.createEncryptionKeys)
        } else {
            try say("found", configuration.encryptionKeys)
        }
        try makeKey(configuration.agreementKey, isThere, KeyFile.createPrivateKey)
        try makeKey(configuration.responseKey, isThere, KeyFile.createPrivateKey)
        if let next = configuration.nextResponseKey {
            try makeKey(next, false, KeyFile.createPrivateKey)
        }
        if isThere {
            try say("found", installation.storePart.name)
        } else {
            try await makeStore()
        }
        // It signs this verifier's own journal, and nothing that another one made.
        try makeKey(configuration.checkpointKey, false, KeyFile.createPrivateKey)
        try await installation.withStore { store throws(CommandFailure) in
            let journal = try await makeJournal(over: store, joins: joins)
            let verifier = try await installation.verifier(over: store, journal)
            try await installation.onVerifier { () throws(Verifier.Failure) in
                try await verifier.checkKeys()
            }
            try await installation.onJournal { () throws(JournalFailure) in
                try await journal.checkpoint()
            }
        }
    }

    private func storeIsThere() async throws(CommandFailure) -> Bool {
        let part = installation.storePart
        do throws(StoreFailure) {
            await (try installation.openStore(checksWholeFile: true)).close()
            return true
        } catch {
            // A database without our tables may become a store; a foreign file never.
            if error == .missing || error == .foreign && part == .postgreSQL { return false }
            throw CommandFailure(error, of: part)
        }
    }

    private func checkNothingIsLost(storeIsThere: Bool) throws(CommandFailure) {
        let (key, journal) = (configuration.checkpointKey, configuration.journal)
        if !storeIsThere, let rest = [journal, key].first(where: isThere) {
            throw CommandFailure(
                .noInput,
                "\(rest) is there, but the store that it was made for is not",
                hint: """
                    mount the store's disk, or put a backup in its place and run countersignd \
                    restore: in a new store, codes that were used would count again
                    """
            )
        }
        if isThere(journal), !isThere(key) {
            throw CommandFailure(
                .noInput,
                "the journal is there, but \(key), which signs it, is not",
                hint: "copy the key to there: a new one did not sign what is in the journal"
            )
        }
    }

    private func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private func makeKey(
        _ path: String,
        _ isNeededAsItWas: Bool,
        _ create: (String) throws(KeyFile.Failure) -> Void
    ) throws(CommandFailure) {
        guard !isThere(path) else { return try say("found", path) }
        guard !isNeededAsItWas else {
            throw CommandFailure(
                .noInput,
                "the store is there, but its key \(path) is not",
                hint: "copy the key to there: a new one would open nothing, and no app trusts it"
            )
        }
        try makeFolder(of: path)
        try installation.onKeyFile(path) { () throws(KeyFile.Failure) in try create(path) }
        try say("made", path)
    }

    private func makeStore() async throws(CommandFailure) {
        if case .sqlite(let path) = configuration.store { try makeFolder(of: path) }
        try await installation.onStore { () throws(StoreFailure) in try installation.createStore() }
        try say("made", installation.storePart.name)
    }

    private func makeJournal(
        over store: any Database,
        joins: Bool
    ) async throws(CommandFailure) -> Journal {
        let path = configuration.journal
        let key = try installation.checkpointKey()
        if isThere(path) {
            let journal = try await installation.onJournal { () throws(JournalFailure) in
                try await Journal.open(at: path, signingWith: key, over: store)
            }
            try say("found", path)
            return journal
        }
        try makeFolder(of: path)
        let journal = try await installation.onJournal { () throws(JournalFailure) in
            joins
                ? try await Journal.join(at: path, signingWith: key, over: store)
                : try await Journal.begin(at: path, signingWith: key, over: store)
        }
        try say("made", path)
        return journal
    }

    private func say(_ what: String, _ name: String) throws(CommandFailure) {
        try terminal.output.print("\(what.padded(to: 5))  \(name)")
    }
}

extension String {
    /// With spaces up to a width.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
