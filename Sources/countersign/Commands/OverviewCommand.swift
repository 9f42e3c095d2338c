import AuthenticationHandler
import CommandLineTool

/// `countersign` alone: the pending requests with the commands that decide them, or the first steps.
struct OverviewCommand: Command {
    static let name = "overview"
    static var summary: String {
        localized(
            "Show the pending requests, or how to begin.",
            german: "Zeigt die offenen Aufträge oder die ersten Schritte."
        )
    }

    private let vault = VaultOption()

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let session = try await vault.openSession()
        let accounts = try await session.accountsIfAny()
        guard !accounts.isEmpty else {
            let hasServer = !session.settings.servers.isEmpty
            return try terminal.output.print(RequestSentences.beginning(withServer: hasServer))
        }
        let found = try await session.pending()
        let pending = found.transactions
        guard !pending.isEmpty else {
            try found.reportFailures(on: terminal)
            return try terminal.output.print(RequestSentences.nothingPending)
        }
        try terminal.output.print(RequestSentences.pending(pending.count))
        for request in pending { try show(request, among: pending, on: terminal) }
        try found.reportFailures(on: terminal)
    }

    private func show(
        _ request: PendingTransaction,
        among pending: [PendingTransaction],
        on terminal: Terminal
    ) throws(CommandFailure) {
        let end = pending.end(of: request)
        let fact = Fact(end, request.summary, isComposed: true)
        for line in terminal.output.lines(of: [fact], indent: 2) {
            try terminal.output.print(line)
        }
        try terminal.output.print("      countersign approve \(end)")
        try terminal.output.print("      countersign reject \(end)")
    }
}
