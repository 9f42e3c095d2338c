import CommandLineTool

/// Shows one transaction as a whole.
struct ShowCommand: Command {
    static let name = "show"
    static let summary = "Show all of what an approval would sign."

    static let id = Argument<String?>(
        "ID",
        help: "Its id or the end of it; without it, the only one that waits."
    )
    static let parameters: [any Parameter] = [id, Flag.json, Session.vault]

    private let id: String?
    private let printsJSON: Bool
    private let vault: FilePath?

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        id = try arguments[Self.id]
        printsJSON = arguments[.json]
        vault = try arguments[Session.vault]
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let transaction = try await Session(in: vault).pending(id)
        try terminal.output.print(transaction, inJSON: printsJSON)
    }
}
