import AuthenticationHandler
import CommandLineTool

struct AccountsCommand: Command {
    static let name = "accounts"
    static var summary: String {
        localized(
            "Show the activated accounts of this machine.",
            german: "Zeigt die eingerichteten Zugänge dieses Rechners."
        )
    }

    static var discussion: String {
        localized(
            """
            With --changes: new activation codes, new and revoked devices, linked and replaced
            accounts, changed PINs and locks since this machine was activated, the newest first. At
            most 20 for each account. Call your bank at once if you do not know a change.
            """,
            german: """
                Mit --changes: neue Aktivierungscodes, neue und dauerhaft entfernte Geräte,
                verknüpfte und ersetzte Zugänge, geänderte PINs und Sperren seit der Einrichtung
                dieses Rechners, die neuesten zuerst. Höchstens 20 für jeden Zugang. Rufen Sie
                sofort Ihre Bank an, wenn Sie eine Änderung nicht kennen.
                """
        )
    }

    @Flag(
        "changes",
        help: localized(
            "Show how the bank and other devices changed the accounts.",
            german: "Zeigt Änderungen der Zugänge durch die Bank und andere Geräte."
        )
    )
    private var showsChanges: Bool
    @JSONFlag private var printsJSON: Bool
    private let vault = VaultOption()

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let session = try await vault.openSession()
        guard !showsChanges else { return try await showChanges(of: session, on: terminal) }
        let accounts = try await session.accounts()
        let shown = accounts.map { ShownAccount($0) }
        let lines = accounts.map(\.description)
        try terminal.output.print("accounts", shown, inJSON: printsJSON, or: lines)
    }

    private func showChanges(
        of session: Session,
        on terminal: Terminal
    ) async throws(CommandFailure) {
        let found = try await reportingErrorsOfReading(try await session.handler.accountChanges())
        let changes = found.changes
        let shown = changes.map { ShownAccountChange($0) }
        let isNone = changes.isEmpty && found.failures.isEmpty
        let lines = isNone ? [AccountChange.none] : changes.map(\.line)
        try terminal.output.print("changes", shown, inJSON: printsJSON, or: lines)
        if !changes.isEmpty, terminal.isInteractive {
            try terminal.messages.print(AccountChange.advice)
        }
        try found.reportFailures(on: terminal)
    }
}
