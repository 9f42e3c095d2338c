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
    static let parameters: [any Parameter] = [dead, Flag.json, Configuration.option]

    private let path: String
    private let states: [Delivery.State]
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        path = try Configuration.path(in: arguments)
        states = arguments[Self.dead] ? [.dead] : [.dead, .waiting]
        printsJSON = arguments[.json]
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = Installation(configuration: try Configuration(readingFileAt: path))
        var deliveries: [Delivery] = []
        try await installation.withVerifier { verifier throws(CommandFailure) in
            for state in states {
                try await installation.eachDelivery(state, of: verifier) {
                    deliveries.append($0)
                }
            }
        }
        if printsJSON {
            let list = ShownDeliveryList(deliveries: deliveries.map { ShownDelivery($0) })
            return try terminal.output.print(json: list)
        }
        guard !deliveries.isEmpty else {
            throw CommandFailure(.nothingPending, "nothing waits to be delivered")
        }
        let now = VerifierClock.system(notBefore: .earliest).now
        try terminal.output.print(Table(heading, deliveries.map { $0.columns(at: now) }))
    }
}

private let heading = ["RECORD", "TO", "STATE", "TRIES", "NEXT TRY", "ACCOUNT"]

extension Delivery {
    fileprivate func columns(at now: Timestamp) -> [String] {
        ["\(sequence)", "\(target)", "\(state)", "\(tries)", nextTry(at: now), account.text]
    }

    private func nextTry(at now: Timestamp) -> String {
        guard state != .dead else { return "never" }
        guard let due else { return "after another" }
        return "in \(max(0, due.elapsed(since: now).wholeMilliseconds / 1000)) s"
    }
}

private struct ShownDeliveryList: Encodable {
    let deliveries: [ShownDelivery]
}

/// With the names that it has in the bank's API.
private struct ShownDelivery: Encodable {
    let sequence: UInt64
    let target: String
    let device: DeviceID?
    let enterprise: EnterpriseID
    let account: AccountKey
    let subject: String
    let state: String
    let tries: Int
    let due: Timestamp?

    init(_ delivery: Delivery) {
        sequence = delivery.sequence
        (target, state) = ("\(delivery.target)", "\(delivery.state)")
        device = delivery.device
        (enterprise, account) = (delivery.account.enterprise, delivery.account.key)
        (subject, tries, due) = (delivery.subject, delivery.tries, delivery.due)
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
