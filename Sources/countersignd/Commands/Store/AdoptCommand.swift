import CommandLineTool
import ConfigurationFiles
import Sealing
import Storage
import Verification

/// Adds tags to a store of an earlier release.
struct AdoptCommand: Command {
    static let name = "adopt"
    static let summary = "Trust the rows of a store from an earlier release."
    static let discussion = """
        Each row that decides something has a tag, which only a holder of the encryption keys can \
        compute. A row that another program inserted or edited has no valid tag, and is rejected. \
        Stores of earlier releases have no tags, so countersignd run rejects them.

        This command first verifies the audit trail and the journal. Then it adds tags to all rows as \
        they are. It cannot know who wrote them: use it only if no other program wrote to the store. \
        Otherwise restore a backup that you trust.

        First stop all verifiers of the store. The command can be interrupted and repeated. A store \
        that had tags once cannot be adopted again.
        """

    @ConfirmationFlag private var isConfirmed: Bool
    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = try Installation(readingFileAt: path, acceptsLateClock: true)
        let keys = try installation.keyRing()
        let lock = try installation.exclusiveLock(
            hint: "stop all verifiers of this store with their sockets, and repeat the command"
        )
        defer { withExtendedLifetime(lock) {} }
        let journal = try installation.openJournalFile()
        try await installation.withStore(preparesStore: true) { store throws(CommandFailure) in
            guard try await installation.isUntagged(store) else {
                return try terminal.output.print("Nothing to do: the rows of the store have tags.")
            }
            try await installation.checkHadNoTags(store, according: journal)
            let report = try await installation.audit(store, nil, against: journal, on: terminal)
            guard report.findings.isEmpty else { throw .brokenTrail }
            let pause = try await installation.pause(of: store).map { $0.sentence + "\n" } ?? ""
            try terminal.confirm(
                "\(pause)Trust all rows of the store as they are?",
                isConfirmed: isConfirmed
            )
            let count = try await installation.adopt(store, keys, on: terminal)
            // The new line in the journal remembers that the store has tags.
            _ = try await installation.openJournal(over: store, keys)
            try terminal.output.print("Added \(counted(count, "tag")) to the rows of the store.")
        }
    }
}

extension Installation {
    /// Whether an earlier release made the rows of the store.
    func isUntagged(_ store: any Database) async throws(CommandFailure) -> Bool {
        try await read(store) { ledger throws(StoreFailure) in try !ledger.hasOwnTag() }
    }

    /// Fails if a store without tags had tags when the journal saw it.
    func checkHadNoTags(
        _ store: any Database,
        according journal: JournalFile
    ) async throws(CommandFailure) {
        guard let first = try onJournalFile(journal.firstWithTags()) else { return }
        let hadTags = try await read(store) { ledger throws(StoreFailure) in
            try ledger.reaches(first.head)
        }
        guard !hadTags else {
            throw CommandFailure(
                .malformedInput,
                "the store had tags before, and they were removed",
                hint: "another program changed the store: restore a backup that you trust"
            )
        }
    }

    /// Returns the number of new tags.
    func adopt(
        _ store: any Database,
        _ keys: KeyRing,
        on terminal: Terminal
    ) async throws(CommandFailure) -> Int {
        let bar = ProgressBar("Adding tags", on: terminal)
        defer { bar.clear() }
        let verifier = try await verifier(over: store, keys)
        return try await onVerifier(
            try await verifier.adoptStore(by: .operatorCommand) { done, count in
                bar.show(done, of: count)
            }
        )
    }
}

extension CommandFailure {
    fileprivate static let brokenTrail = CommandFailure(
        .malformedInput,
        "the store contradicts its audit trail or its journal",
        hint: "run countersignd audit verify, and restore a backup that you trust"
    )
}
