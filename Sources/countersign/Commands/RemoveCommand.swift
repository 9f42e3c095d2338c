import AuthenticationHandler
import CommandLineTool

struct RemoveCommand: Command {
    static let name = "remove"
    static var summary: String {
        localized(
            "Remove an account from this machine.",
            german: "Entfernt einen Zugang von diesem Rechner."
        )
    }
    static var discussion: String {
        localized(
            """
            The next use of the account needs a new activation.
            """,
            german: """
                Um den Zugang wieder zu nutzen, brauchen Sie eine neue Aktivierung.
                """
        )
    }

    @Argument(
        help: localized(
            """
            The account, as countersign accounts shows it, or the name of a damaged file, as \
            countersign doctor shows it.
            """,
            german: """
                Der Zugang, wie countersign accounts ihn zeigt, oder der Name einer beschädigten \
                Datei, wie countersign doctor ihn zeigt.
                """
        )
    )
    private var account: RemovableAccount
    @Flag(
        "yes",
        help: localized(
            "Do not ask for confirmation.",
            german: "Fragt nicht nach einer Bestätigung."
        )
    )
    private var isConfirmed: Bool
    private let vault = VaultOption()

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let handler = try await vault.openSession().handler
        try confirm(on: terminal)
        let deletion = try await delete(by: handler)
        let printing = Result { () throws(CommandFailure) in
            try terminal.output.print(
                localized("removed \(account)", german: "entfernt: \(account)")
            )
        }
        // More important than a failed write.
        if case .localOnly(let error) = deletion {
            let reason = CommandFailure(error)
            throw CommandFailure(
                reason.exitCode,
                localized(
                    "the account may still list this machine: \(reason.message)",
                    german: "der Zugang nennt vielleicht noch diesen Rechner: \(reason.message)"
                ),
                hint: localized(
                    "ask the bank to revoke this device",
                    german: "bitten Sie die Bank, dieses Gerät dauerhaft zu entfernen"
                )
            )
        }
        try printing.get()
    }

    private func delete(
        by handler: AuthenticationHandler
    ) async throws(CommandFailure) -> Deletion {
        switch account {
        case .named(let account):
            return try await delete(account, by: handler)
        case .file(let name):
            let unusable = try await reportingErrors(try await handler.unusableAccounts())
            guard let found = unusable.first(where: { $0.fileName == name }) else {
                throw CommandFailure(.noAccountActivated)
            }
            return try await reportingErrors(try await handler.deleteAccount(found))
        }
    }

    private func delete(
        _ account: Account,
        by handler: AuthenticationHandler
    ) async throws(CommandFailure) -> Deletion {
        do throws(AuthenticationError) {
            return try await handler.deleteAccount(account)
        } catch {
            // The first error is the one to report: `try?`.
            let others = (try? await handler.accounts()) ?? []
            guard !error.isOfUnknownAccount || others.isEmpty else { throw .unknownAccount }
            throw CommandFailure(ofRepeatable: error)
        }
    }

    private func confirm(on terminal: Terminal) throws(CommandFailure) {
        guard !isConfirmed else { return }
        guard terminal.isInteractive else {
            let message = localized(
                "there is no terminal to confirm",
                german: "es gibt kein Terminal für die Bestätigung"
            )
            let hint = localized("use --yes", german: "nutzen Sie --yes")
            throw CommandFailure(.usage, message, hint: hint)
        }
        let question = localized("Remove \(account)?", german: "\(account) entfernen?")
        guard try terminal.agrees(to: question) else {
            let message = localized(
                "the account was not removed",
                german: "der Zugang wurde nicht entfernt"
            )
            throw CommandFailure(.refused, message)
        }
    }
}
