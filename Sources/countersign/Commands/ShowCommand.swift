import CommandLineTool

struct ShowCommand: Command {
    static let name = "show"
    static var summary: String {
        localized(
            "Show the whole content of a request.",
            german: "Zeigt alles, was Sie freigeben sollen."
        )
    }
    static var discussion: String {
        localized(
            """
            If you give the whole ID of a request that is no longer pending, the command reports its
            result, and the exit code is 1.
            """,
            german: """
                Ist ein Auftrag nicht mehr offen, meldet der Befehl mit der ganzen ID sein Ergebnis.
                Der Rückgabewert ist dann 1.
                """
        )
    }

    @RequestID private var id: String?
    @JSONFlag private var printsJSON: Bool
    private let vault = VaultOption()

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let session = try await vault.openSession()
        let transaction = try await session.pending(id, on: terminal)
        try terminal.output.print(transaction, inJSON: printsJSON)
    }
}
