import CommandLineTool
import Verification

/// Makes a store that came back from a backup one that may be decided over again.
struct RestoreCommand: Command {
    static let name = "restore"
    static let summary = "Make a store from a backup safe to use, after it was put back."
    static let discussion = """
        First stop every verifier of the store, and put the backup in its place: for SQLite, copy
        it over the store and remove the files -wal and -shm beside it.

        The journal knows what happened since the backup. What ended stays ended: revoked devices,
        blocked credentials, PINs that were changed. What was pending is void, and what was not
        yet used of activations is closed. A typed code counts again once its device has made one
        approval in the app. Wrong codes and locks since the backup are forgotten.

        A copy that countersignd backup made opens through restore alone. Other tools mark none:
        after those of PostgreSQL, always run restore --from-backup, before any verifier starts.
        It goes on where the journal has seen no more than the backup holds, too: typed codes that
        were used since are in no journal. Each verifier of a store in PostgreSQL has a journal of
        its own; run it with every one of them before any of them starts.

        What the backup knows nothing of must be done again by hand, such as a policy that was set
        since: it is shown, and kept in a file beside the journal.

        Where the journal is lost too, nobody knows what ended: --journal-lost begins a new one.
        """

    static let fromBackup = Flag(
        "from-backup",
        help: "Go on although the store is not behind its journal."
    )
    static let journalLost = Flag("journal-lost", help: "Go on without the journal that was.")
    static let parameters: [any Parameter] = [
        Flag.yes, fromBackup, journalLost, Configuration.option,
    ]

    private let path: String
    private let isAgreed: Bool
    private let isBackup: Bool
    private let journalIsLost: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        path = try Configuration.path(in: arguments)
        isAgreed = arguments[.yes]
        isBackup = arguments[Self.fromBackup]
        journalIsLost = arguments[Self.journalLost]
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let configuration = try Configuration(readingFileAt: path)
        let installation = Installation(configuration: configuration)
        let restoring = StoreRestoration(installation: installation)
        let alone = try installation.alone()
        defer { withExtendedLifetime(alone) {} }
        if try await isOlder(installation), !isAgreed { try agreeToMoving(on: terminal) }
        try await installation.withStore(checksWholeFile: true, migrates: true) {
            store throws(CommandFailure) in
            let loss = try await restoring.loss(
                of: store,
                withoutJournal: journalIsLost,
                isBackup: isBackup
            )
            let hasOldSecrets = try await restoring.checkKeys(of: store)
            if !isAgreed { try agree(to: loss, on: terminal) }
            let restoration = try await restoring.restore(store, withoutJournal: journalIsLost)
            try terminal.output.print(restoration.report)
            if !restoration.unreplayed.isEmpty {
                let file = restoring.reportPath(of: restoration)
                try terminal.output.print("This is in \(file) too, until you remove it.")
            }
            if hasOldSecrets {
                try terminal.output.print(
                    "Next: countersignd rotate, since some is under an old key."
                )
            }
        }
    }

    /// Whether the release before could still use the store.
    private func isOlder(_ installation: Installation) async throws(CommandFailure) -> Bool {
        do throws(StoreFailure) {
            await (try installation.openStore()).close()
            return false
        } catch .older {
            return true
        } catch {
            throw CommandFailure(error, of: installation.storePart)
        }
    }

    private func agreeToMoving(on terminal: Terminal) throws(CommandFailure) {
        try agree(
            to: """
                The store is as an earlier countersignd left it. To restore it, it is moved on
                first, and no earlier one can use it from then on.

                """,
            "Move it on?",
            on: terminal
        )
    }

    private func agree(to loss: String, on terminal: Terminal) throws(CommandFailure) {
        try agree(
            to: """
                \(loss)
                Restoring voids what is pending, closes open activations, and makes codes from
                before count for nothing. No other verifier may use the store meanwhile.

                """,
            "Restore?",
            on: terminal
        )
    }

    private func agree(
        to consequences: String,
        _ request: String,
        on terminal: Terminal
    ) throws(CommandFailure) {
        try terminal.messages.write(consequences)
        switch try terminal.confirms(request) {
        case true?: return
        case false?: throw CommandFailure(.refused, "nothing was restored")
        case nil:
            throw CommandFailure(
                .usage,
                "this must be agreed to, and nobody is at the terminal",
                hint: "\(agreement) agrees"
            )
        }
    }

    /// The whole command that goes on without asking.
    private var agreement: String {
        var words = ["countersignd restore"]
        if isBackup { words.append("--from-backup") }
        if journalIsLost { words.append("--journal-lost") }
        words.append("--yes")
        if path != Configuration.standardPath { words += ["--config", path] }
        return words.joined(separator: " ")
    }
}
