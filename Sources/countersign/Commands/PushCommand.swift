import AuthenticationHandler
import CommandLineTool

struct PushCommand: Command {
    static let name = "push"
    static var summary: String {
        localized(
            "Show the request that a notification names, and approve it.",
            german: "Zeigt den Auftrag einer Benachrichtigung und gibt ihn frei."
        )
    }
    static var discussion: String {
        localized(
            """
            A notification proves nothing. The command fetches the request from the bank, and
            rejects a notification that does not match it. Without a terminal, it only shows the
            request.
            """,
            german: """
                Eine Benachrichtigung beweist nichts. Der Befehl holt den Auftrag von der Bank.
                Passt die Benachrichtigung nicht dazu, weist er sie zurück. Ohne Terminal zeigt er
                den Auftrag nur.
                """
        )
    }

    @Argument(
        help: localized(
            "The notification; - reads standard input.",
            german: "Die Benachrichtigung; - liest die Standardeingabe."
        )
    )
    private var payload: FilePath
    @MethodOption private var method: Method?
    private let secrets = SecretOption()
    @JSONFlag private var printsJSON: Bool
    private let vault = VaultOption()

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let payload = try payload.contents(atMost: 1 << 20)
        let session = try await vault.openSession()
        let transaction = try await session.pending(push: payload)
        guard terminal.isInteractive else {
            return try terminal.output.print(transaction, inJSON: printsJSON)
        }
        let secrets = secrets.source(in: session, or: terminal)
        let approval = session.approval(of: transaction, by: secrets)
        let type = try await approval.run(with: method)
        try terminal.output.print(.approved(type), on: transaction, inJSON: printsJSON)
    }
}
