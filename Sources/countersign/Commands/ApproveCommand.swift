import AuthenticationHandler
import CommandLineTool

struct ApproveCommand: Command {
    static let name = "approve"
    static var summary: String {
        localized(
            "Show a request, and approve it after you confirm.",
            german: "Zeigt einen Auftrag und gibt ihn nach Ihrer Bestätigung frei."
        )
    }
    static var discussion: String {
        localized(
            """
            Shows the whole content of the request, and prompts for your confirmation and
            the PIN. If the bank shows a number, you type it first. If the request accepts several
            authentication methods, you choose one. After a wrong PIN you can try again while
            attempts are left. If you are not recognized, you can use the PIN.

            Without a terminal, give the whole ID, --yes, the authentication method, and the PIN on a
            file descriptor:
                countersign show ID
                countersign approve ID --yes --with pin --pin-fd 3 3<pin
            """,
            german: """
                Zeigt alles, was Sie freigeben sollen, und fragt nach Ihrer
                Bestätigung und der PIN. Zeigt die Bank eine Zahl, geben Sie zuerst diese Zahl ein.
                Erlaubt der Auftrag mehrere Arten der Bestätigung, wählen Sie eine davon. Nach einer
                falschen PIN können Sie es erneut versuchen, solange Versuche bleiben. Erkennt die
                Biometrie Sie nicht, können Sie die PIN eingeben.

                Ohne Terminal brauchen Sie die ganze ID, --yes, die Art der Bestätigung und die PIN
                in einem Dateideskriptor:
                    countersign show ID
                    countersign approve ID --yes --with pin --pin-fd 3 3<pin
                """
        )
    }

    @RequestID private var id: String?
    @MethodOption private var method: Method?
    @Flag(
        "yes",
        help: localized(
            "Approve without a prompt; requires the whole ID.",
            german: "Gibt ohne Nachfrage frei; verlangt die ganze ID."
        )
    )
    private var isConfirmed: Bool
    private let secrets = SecretOption()
    @JSONFlag private var printsJSON: Bool
    private let returning = ReturnOption()
    private let vault = VaultOption()

    func validate(for program: Program) throws(CommandFailure) {
        guard !isConfirmed || id != nil else {
            throw CommandFailure(
                .usage,
                localized(
                    "--yes needs the ID of the request",
                    german: "--yes verlangt die ID des Auftrags"
                ),
                hint: localized(
                    "check the request first: countersign show",
                    german: "prüfen Sie zuerst den Auftrag: countersign show"
                )
            )
        }
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        if !isConfirmed { try Approval.checkPerson(at: terminal) }
        let session = try await vault.openSession()
        let transaction = try await session.pending(
            id,
            requiringWholeID: isConfirmed,
            on: terminal
        )
        let secrets = secrets.source(in: session, or: terminal)
        let approval = session.approval(of: transaction, by: secrets)
        // Nothing may fail after the decision.
        let redirect = try await session.redirect(after: transaction)
        let type = try await approval.run(with: method, isConfirmed: isConfirmed)
        // A failed write is reported last: the return also belongs to the decision.
        let printing = Result { () throws(CommandFailure) in
            try terminal.output.print(.approved(type), on: transaction, inJSON: printsJSON)
        }
        try returning.open(redirect, on: terminal)
        try printing.get()
    }
}
