import AuthenticationHandler
import CommandLineTool

/// Shows what waits for a decision.
struct PendingCommand: Command {
    static let name = "pending"
    static let summary = "Show what waits for your decision, the oldest first."
    static let discussion = """
        In JSON it is all that countersign show tells, with deadlines in milliseconds since 1970.
        """

    static let parameters: [any Parameter] = [Flag.json, Session.vault]

    private let printsJSON: Bool
    private let vault: FilePath?

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        printsJSON = arguments[.json]
        vault = try arguments[Session.vault]
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let pending = try await Session(in: vault).pending()
        if printsJSON {
            let answer = Answer(transactions: pending.map { ShownTransaction($0) })
            return try terminal.output.print(json: answer)
        }
        let rows =
            [["ID", "TIME LEFT", "ACCOUNT", "AMOUNT", "TITLE"]]
            + pending.map {
                [
                    $0.id, remainingTime(until: $0.deadline), $0.account.description,
                    $0.amounts.map(\.formatted).joined(separator: " + "), $0.title,
                ]
            }
        for line in aligned(rows) { try terminal.output.print(line) }
    }

    private struct Answer: Encodable {
        let transactions: [ShownTransaction]
    }
}
