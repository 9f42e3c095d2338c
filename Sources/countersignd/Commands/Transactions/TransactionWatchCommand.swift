import CommandLineTool
import TransactionApproval
import VerifierServer

struct TransactionWatchCommand: BankCommand {
    static let name = "transaction watch"
    static let summary = "Wait until a transaction is decided, and show the result."
    static let discussion = """
        Exits with 0 if the transaction was approved. Exits with 1 if it was rejected, expired, \
        withdrawn, or made void by a restore.

        \(EndpointOptions.discussion)
        """

    @Argument(help: AccountPath.help) private var account: AccountPath
    @Argument(help: TransactionID.help) private var id: TransactionID
    @JSONFlag private var printsJSON: Bool
    let endpoint = EndpointOptions()

    /// Less than the API's maximum.
    private static let timeoutSeconds = 50
    private static let minimumInterval = Duration.seconds(1)

    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        var transaction = try await client.transaction(id, of: account)
        while transaction.state == .pending {
            let start = ContinuousClock.now
            transaction = try await client.transaction(
                id,
                of: account,
                timeoutSeconds: Self.timeoutSeconds
            )
            // A server that is shutting down responds at once.
            let isEarly = .now - start < Self.minimumInterval
            guard transaction.state == .pending, isEarly else { continue }
            // The task is never cancelled, so sleep does not throw.
            try? await Task.sleep(for: Self.minimumInterval)
        }
        try terminal.output.print(transaction, inJSON: printsJSON)
        guard transaction.state == .approved else {
            throw CommandFailure(
                .refused,
                "the transaction was not approved: \(transaction.state.rawValue)"
            )
        }
    }
}
