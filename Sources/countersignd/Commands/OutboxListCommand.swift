import CommandLineTool
import TransactionApproval
import Verifier

/// Shows what has not reached the bank or a device yet.
struct OutboxListCommand: Command {
    static let name = "outbox list"
    static let summary = "Show what has not been delivered yet."
    static let discussion = """
        A delivery that failed too often is dead: it is not tried again until somebody says so
        by countersignd outbox retry.
        """

    static let dead = Flag("dead", help: "Only what was given up.")
    static let parameters: [any Parameter] = [dead, Configuration.option]

    private let path: String
    private let states: [Delivery.State]

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        path = try Configuration.path(in: arguments)
        states = arguments[Self.dead] ? [.dead] : [.dead, .waiting]
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = Installation(configuration: try Configuration(readingFileAt: path))
        let now = VerifierClock.system(notBefore: .earliest).now
        try await installation.withVerifier { verifier throws(CommandFailure) in
            var isEmpty = true
            for state in states {
                try await installation.eachDelivery(state, of: verifier) {
                    delivery throws(CommandFailure) in
                    if isEmpty { try terminal.output.print(heading) }
                    isEmpty = false
                    try terminal.output.print(delivery.line(at: now))
                }
            }
            if isEmpty { throw CommandFailure(.nothingPending, "nothing waits to be delivered") }
        }
    }
}

private let heading = "RECORD      TO       STATE    TRIES  NEXT TRY  ACCOUNT"

extension Delivery {
    fileprivate func line(at now: Timestamp) -> String {
        let wait = max(0, due.elapsed(since: now).wholeMilliseconds / 1000)
        let account = "\(account.enterprise)/\(account.key.type)/\(account.key.id)"
        let columns = [
            ("\(sequence)", 10), ("\(target)", 7), ("\(state)", 7), ("\(tries)", 5),
            (state == .dead ? "never" : "in \(wait) s", 8),
        ]
        return columns.map { $0.padded(to: $1) + "  " }.joined() + account
    }
}

extension Installation {
    private static let deliveriesAtOnce = 500

    /// Shows `body` all deliveries of a state, in their order.
    func eachDelivery(
        _ state: Delivery.State,
        of verifier: Verifier,
        _ body: (Delivery) throws(CommandFailure) -> Void
    ) async throws(CommandFailure) {
        var last: UInt64 = 0
        while true {
            let batch = try await onVerifier { [last] () throws(Verifier.Failure) in
                try await verifier.deliveries(state, after: last, limit: Self.deliveriesAtOnce)
            }
            // Of two deliveries of the last record the second may not have fitted.
            let end = batch.count == Self.deliveriesAtOnce ? batch.last?.sequence : nil
            for delivery in batch where delivery.sequence != end { try body(delivery) }
            guard let end else { return }
            last = end - 1
        }
    }
}
