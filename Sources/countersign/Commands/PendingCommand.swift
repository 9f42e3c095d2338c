import AuthenticationHandler
import CommandLineTool

struct PendingCommand: Command {
    static let name = "pending"
    static let summary = "Show the pending requests, the oldest first."
    static let discussion = """
        On a terminal, a table that is wider than the screen has a paragraph for each row. All other
        output has one line for each row.

        The JSON form contains everything that countersign show prints, with deadlines in milliseconds
        since 1970.
        """

    @JSONFlag private var printsJSON: Bool
    private let vault = VaultOption()

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let pending = try await vault.openSession().pending()
        let shown = pending.map { ShownTransaction($0) }
        let heading = [
            "ID", RequestLabels.timeLeft, RequestLabels.account, RequestLabels.amount,
            RequestLabels.title,
        ].map { $0.uppercased() }
        let rows = pending.map {
            [
                $0.id, remainingTime(until: $0.deadline), $0.account.description,
                $0.amounts.map(\.formatted).joined(separator: " + "), $0.title,
            ]
        }
        let output = terminal.output
        let lines =
            output.isScreen ? Table(heading, rows).lines(on: output) : aligned([heading] + rows)
        try output.print("transactions", shown, inJSON: printsJSON, or: lines)
    }
}
