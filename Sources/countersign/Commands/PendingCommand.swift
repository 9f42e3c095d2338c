import AuthenticationHandler
import CommandLineTool

struct PendingCommand: Command {
    static let name = "pending"
    static var summary: String {
        localized(
            "Show the pending requests, the oldest first.",
            german: "Zeigt die offenen Aufträge, den ältesten zuerst."
        )
    }
    static var discussion: String {
        localized(
            """
            On a terminal, a table that is wider than the screen has a paragraph for each row. All
            other output has one line for each row.

            The JSON form contains everything that countersign show prints, with deadlines in
            milliseconds since 1970.
            """,
            german: """
                Ist die Tabelle breiter als das Terminal, wird jede Zeile dort zu einem Absatz. Jede
                andere Ausgabe hat eine Zeile für jeden Auftrag.

                Die Ausgabe in JSON enthält alles, was countersign show zeigt. Fristen stehen darin
                in Millisekunden seit 1970.
                """
        )
    }

    @JSONFlag private var printsJSON: Bool
    private let vault = VaultOption()

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let found = try await vault.openSession().pending()
        try found.requireRequest(reportingOn: terminal)
        let pending = found.transactions
        let shown = pending.map { ShownTransaction($0) }
        let heading = [
            "ID", RequestLabels.timeLeft, RequestLabels.account, RequestLabels.amount,
            RequestLabels.title,
        ].map { $0.uppercased() }
        let rows = pending.map {
            [
                $0.id, $0.timeLeft, $0.account.description,
                $0.amounts.map(\.formatted).joined(separator: " + "), $0.title,
            ]
        }
        let output = terminal.output
        let lines =
            output.isScreen ? Table(heading, rows).lines(on: output) : aligned([heading] + rows)
        try output.print("transactions", shown, inJSON: printsJSON, or: lines)
        try found.reportFailures(on: terminal)
    }
}
