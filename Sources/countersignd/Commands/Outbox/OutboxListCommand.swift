import CommandLineTool
import TransactionApproval
import Verification
import VerifierServer

/// Shows what has not reached the bank or a device yet.
struct OutboxListCommand: BankCommand {
    static let name = "outbox list"
    static let summary = "Show what has not been delivered yet."
    static let discussion = """
        A delivery that failed too often is dead: it is not tried again until somebody says so
        by countersignd outbox retry.

        \(APIEndpoint.discussion)
        """

    static let dead = Flag("dead", help: "Only what was given up.")
    static let parameters: [any Parameter] = [dead, Flag.json] + APIEndpoint.parameters

    let way: APIEndpoint
    private let states: [Delivery.Unfinished]
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        way = try APIEndpoint(arguments)
        states = arguments[Self.dead] ? [.dead] : [.dead, .waiting]
        printsJSON = arguments[.json]
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        var deliveries: [OwedDelivery] = []
        for state in states { deliveries += try await bank.deliveries(state) }
        guard !deliveries.isEmpty else {
            throw CommandFailure(.nothingPending, "nothing waits to be delivered")
        }
        if printsJSON {
            let list = ShownDeliveryList(deliveries: deliveries.map { ShownDelivery($0) })
            return try terminal.output.print(json: list)
        }
        let now = VerifierClock.system(notBefore: .earliest).now
        try terminal.output.print(Table(heading, deliveries.map { $0.columns(at: now) }))
    }
}

private let heading = ["RECORD", "TO", "STATE", "TRIES", "NEXT TRY", "ACCOUNT"]

extension OwedDelivery {
    fileprivate func columns(at now: Timestamp) -> [String] {
        [
            "\(delivery.sequence)", delivery.target, delivery.state, "\(delivery.tries)",
            nextTry(at: now), "\(enterprise)/\(delivery.account)",
        ]
    }

    private func nextTry(at now: Timestamp) -> String {
        guard delivery.state != Delivery.Unfinished.dead.rawValue else { return "never" }
        guard let due = delivery.due else { return "after another" }
        return "in \(max(0, due.elapsed(since: now).wholeMilliseconds / 1000)) s"
    }
}

private struct ShownDeliveryList: Encodable {
    let deliveries: [ShownDelivery]
}

/// With the names that it has in the bank's API, and whose it is.
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

    init(_ owed: OwedDelivery) {
        let delivery = owed.delivery
        (sequence, target) = (delivery.sequence, delivery.target)
        device = delivery.device
        (enterprise, account) = (owed.enterprise, delivery.account)
        (subject, state) = (delivery.subject, delivery.state)
        (tries, due) = (delivery.tries, delivery.due)
    }
}
