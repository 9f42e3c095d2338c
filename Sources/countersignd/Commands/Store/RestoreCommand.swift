import CommandLineTool
import ConfigurationFiles
import Storage
import Verification
import VerifierServer

struct RestoreCommand: Command {
    static let name = "restore"
    static let summary = "Make a store from a backup safe to use."
    static let discussion = """
        First stop all verifiers of the store and put the backup back. For SQLite, copy it over the \
        store and delete the files -wal and -shm next to it.

        The command replays the journal: devices stay revoked or suspended, and old PINs stay \
        replaced. Pending transactions become void, and open activations are closed. A typed code is \
        accepted again only after one approval or login with the PIN on its device. Failures and \
        temporary locks since the backup are forgotten.

        A copy of countersignd backup can be opened only by this command. Copies of PostgreSQL's tools \
        have no such mark: always run restore --from-backup before a verifier starts. --from-backup \
        continues even if the journal is not ahead of the backup, because the journal does not record \
        used codes. Several verifiers of one store have one journal each: run the command with \
        every one of them before any of them starts.

        Changes that the backup does not contain, such as a new policy, must be repeated. The command \
        lists those of the journal, and stores the list in a file next to it. The journal does not name \
        new enterprises, accounts, links and tokens, or unlocked credentials.

        The command reports which records are lost, from which time to which time, as far as the \
        journal shows. Approvals among them are gone, and must be requested again.

        If the journal is lost too, use --journal-lost. Revocations since the backup are then lost.

        The command compares each row with the audit trail of the backup. Rows that another program \
        wrote stay rejected, and the command lists them. A change of the journal to such a row must be \
        repeated. If the trail is damaged, nothing is restored. --despite-damaged-trail then trusts \
        all rows with valid tags, also rows from after the backup: use it only if no other program \
        wrote to the store.
        """

    @ConfirmationFlag private var isConfirmed: Bool
    @Flag(
        "from-backup",
        help: "The store came from a backup, even if it is not older than its journal."
    )
    private var isBackup: Bool
    @Flag("journal-lost", help: "Start a new journal.") private var journalIsLost: Bool
    @Flag(
        "despite-damaged-trail",
        help: "Trust all rows, without comparing them with the audit trail."
    )
    private var acceptsDamagedTrail: Bool
    @JSONFlag private var printsJSON: Bool
    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = try Installation(readingFileAt: path, acceptsLateClock: true)
        let restoration = StoreRestoration(
            installation: installation,
            keys: try installation.keyRing()
        )
        try installation.openPrivateKeys()
        let lock = try installation.exclusiveLock(
            hint: "stop all verifiers of this store with their sockets, put the backup back again, "
                + "and repeat"
        )
        defer { withExtendedLifetime(lock) {} }
        // Before any change: its disk can be new.
        if journalIsLost { try makeFolder(of: installation.configuration.journal) }
        if try await installation.needsMigration() {
            // A restore that would be refused must not migrate.
            if !journalIsLost {
                let journal = try installation.openJournalFile()
                _ = try installation.onJournalFile(try journal.lastCheckpoint())
            }
            try confirm(
                """
                The store has the format of an older countersignd. The restore first migrates it. \
                Older releases cannot use it after that.
                """,
                "Migrate the store?",
                on: terminal
            )
        }
        try await installation.withStore(preparesStore: true) { store throws(CommandFailure) in
            let loss = try await restoration.loss(
                of: store,
                withoutJournal: journalIsLost,
                isBackup: isBackup
            )
            let pause = try await installation.pause(of: store).map { "\n" + $0.sentence } ?? ""
            let hasOldSecrets = try await restoration.checkKeys(of: store)
            try confirm(
                """
                \(loss)\(pause)
                The restore makes pending transactions void, closes open activations, and rejects \
                earlier codes. No other verifier may use the store at the same time.
                """,
                "Restore the store?",
                on: terminal
            )
            let result = try await restoration.restore(
                store,
                withoutJournal: journalIsLost,
                comparingRows: !acceptsDamagedTrail
            )
            let file = result.needsOperator ? restoration.reportPath(of: result) : nil
            guard !printsJSON else {
                return try terminal.output.print(
                    json: ShownRestoration(result, report: file, usesOldKey: hasOldSecrets)
                )
            }
            try terminal.output.print(result.report)
            if let file {
                try terminal.output.print("This report is also in \(file), until you delete it.")
            }
            if hasOldSecrets {
                try terminal.output.print(
                    "Next: run countersignd rotate, because some secrets use an old key."
                )
            }
        }
    }

    private func confirm(
        _ consequences: String,
        _ question: String,
        on terminal: Terminal
    ) throws(CommandFailure) {
        guard !isConfirmed else { return }
        try terminal.messages.print(consequences)
        try terminal.confirm(
            question,
            refusal: "nothing was restored",
            hint: "confirm with \(confirmedCommand)"
        )
    }

    /// The complete command that does not ask for a confirmation.
    private var confirmedCommand: String {
        var words = ["countersignd", "restore"]
        if isBackup { words.append("--from-backup") }
        if journalIsLost { words.append("--journal-lost") }
        if acceptsDamagedTrail { words.append("--despite-damaged-trail") }
        words.append("--yes")
        if printsJSON { words.append("--json") }
        if path != Configuration.defaultPath { words += ["--config", path] }
        return words.map(\.shellWord).joined(separator: " ")
    }
}

extension Installation {
    fileprivate func needsMigration() async throws(CommandFailure) -> Bool {
        do throws(VerifierServer.Failure) {
            await (try configuration.verifier.openStore()).close()
            return false
        } catch {
            if case .store(let failure) = error.cause, case .older = failure.reason { return true }
            throw CommandFailure(error.cause, of: configuration)
        }
    }
}
