import CommandLineTool

struct ShowCommand: Command {
    static let name = "show"
    static let summary = "Show all data that an approval would sign."

    @RequestID private var id: String?
    @JSONFlag private var printsJSON: Bool
    private let vault = VaultOption()

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let session = try await vault.openSession()
        let transaction = try await session.pending(id, listingOn: terminal.messages)
        try terminal.output.print(transaction, inJSON: printsJSON)
    }
}
