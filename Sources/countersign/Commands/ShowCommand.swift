import CommandLineTool

struct ShowCommand: Command {
    static let name = "show"
    static var summary: String {
        localized(
            "Show all data that an approval would sign.",
            german: "Zeigt alle Daten, die Sie mit einer Freigabe signieren."
        )
    }

    @RequestID private var id: String?
    @JSONFlag private var printsJSON: Bool
    private let vault = VaultOption()

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let session = try await vault.openSession()
        let transaction = try await session.pending(id, listingOn: terminal.messages)
        try terminal.output.print(transaction, inJSON: printsJSON)
    }
}
