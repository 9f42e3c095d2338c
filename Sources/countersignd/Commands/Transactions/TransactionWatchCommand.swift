import CommandLineTool
import TransactionApproval
import Verification
import VerifierServer

/// Waits until a transaction is over.
struct TransactionWatchCommand: BankCommand {
    static let name = "transaction watch"
    static let summary = "Wait until a person has decided, and show how."
    static let discussion = """
        Ends with 0 where it was approved, and with 1 where it ended in any other way: rejected,
        expired, withdrawn, or void since the store was restored.

        \(APIEndpoint.discussion)
        """

    static let parameters: [any Parameter] =
        [AccountReference.argument, TransactionID.argument, Flag.json] + APIEndpoint.parameters

    /// Shorter than what a verifier lets anybody wait.
    private static let secondsAtOnce = 50
    private static let minimumWait = Duration.seconds(1)

    let way: APIEndpoint
    private let account: AccountReference
    private let id: TransactionID
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        way = try APIEndpoint(arguments)
        account = try arguments[AccountReference.argument]
        id = try arguments[TransactionID.argument]
        printsJSON = arguments[.json]
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        var transaction = try await state(asking: bank)
        while transaction.state == .pending {
            let asked = ContinuousClock.now
            transaction = try await state(asking: bank, within: Self.secondsAtOnce)
            // One that is about to stop tells at once how things stand.
            guard transaction.state == .pending, .now - asked < Self.minimumWait else { continue }
            // Nobody cancels it.
            try? await Task.sleep(for: Self.minimumWait)
        }
        try terminal.output.print(transaction, inJSON: printsJSON)
        guard transaction.state == .approved else {
            throw CommandFailure(.refused, "it was not approved: \(transaction.state.rawValue)")
        }
    }

    /// As it is now or, where it waits, once it is over or so many seconds are.
    private func state(
        asking bank: Bank,
        within seconds: Int = 0
    ) async throws(CommandFailure) -> TransactionResource {
        let target = "\(account.path(of: id))?wait=\(seconds)"
        return try await bank.ask(
            APIRequest(.get, target, of: "transaction"),
            for: TransactionResource.self
        )
    }
}
