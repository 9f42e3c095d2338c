import BankIntegration
import CommandLineTool
import TransactionApproval
import VerifierServer

struct OutboxListCommand: BankCommand {
    static let name = "outbox list"
    static let summary = "List the webhook and push deliveries that have not succeeded."
    static let discussion = """
        A delivery that failed for too long is a dead letter. It is retried only after countersignd \
        outbox retry.

        Webhooks of an account are delivered in order. "after 41" means: the delivery waits until the \
        webhook of record 41 is delivered or dead. To find out why, look at that record.

        \(EndpointOptions.discussion)
        """

    @Flag("dead", help: "List only dead letters.") private var showsOnlyDead: Bool
    @JSONFlag private var printsJSON: Bool
    let endpoint = EndpointOptions()

    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        var deliveries: [UnfinishedDelivery] = []
        let states: [UnfinishedDelivery.State] = showsOnlyDead ? [.dead] : [.dead, .waiting]
        for state in states { deliveries += try await client.deliveries(state) }
        guard !deliveries.isEmpty else {
            throw CommandFailure(.nothingPending, "there are no such deliveries")
        }
        let now = Timestamp.now
        try terminal.output.print(
            NamedValue("deliveries", deliveries),
            inJSON: printsJSON,
            or: Table(heading, deliveries.map { $0.columns(at: now) })
        )
    }
}

private let heading = ["RECORD", "TARGET", "STATE", "ATTEMPTS", "NEXT ATTEMPT", "ACCOUNT"]

extension UnfinishedDelivery {
    fileprivate func columns(at now: Timestamp) -> [String] {
        [
            "\(delivery.sequence)", delivery.target, delivery.state, "\(delivery.tries)",
            nextAttempt(at: now), delivery.account.map { "\(enterprise)/\($0)" } ?? "\(enterprise)",
        ]
    }

    private func nextAttempt(at now: Timestamp) -> String {
        guard !isDead else { return "never" }
        if let first = delivery.waitsFor { return "after \(first)" }
        guard let due = delivery.due?.moment else { return "after an earlier one" }
        return "in \(max(0, due.elapsed(since: now).wholeMilliseconds / 1000)) s"
    }
}

/// A delivery with the member names of the bank's API, and its enterprise.
extension UnfinishedDelivery: Encodable {
    private enum CodingKeys: CodingKey {
        case enterprise
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(enterprise, forKey: .enterprise)
        try delivery.encode(to: encoder)
    }
}
