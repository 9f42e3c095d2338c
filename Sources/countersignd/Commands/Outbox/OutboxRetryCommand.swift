import CommandLineTool
import VerifierServer

struct OutboxRetryCommand: BankCommand {
    static let name = "outbox retry"
    static let summary = "Retry dead letters."
    static let discussion = EndpointOptions.discussion

    @Argument("RECORD", help: "The audit record of the delivery.") private var record: UInt64?
    @Argument(help: "Retry only webhooks or only pushes.")
    private var target: UnfinishedDelivery.Target?
    @Flag("all", help: "Retry all dead letters.") private var retriesAll: Bool
    let endpoint = EndpointOptions()

    func validateArguments() throws(CommandFailure) {
        guard (record == nil) == retriesAll else {
            throw CommandFailure(.usage, "give either a record or --all")
        }
        guard record ?? 0 <= UInt64(Int64.max) else {
            throw CommandFailure(.usage, "RECORD is too large")
        }
    }

    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        let targets = target.map { [$0] } ?? UnfinishedDelivery.Target.allCases
        let names = targets.map(\.rawValue)
        let dead = try await client.deliveries(.dead, ofRecord: record).filter {
            names.contains($0.delivery.target)
        }
        var count = 0
        // One request retries the pushes of a record to all devices.
        var left = dead[...]
        while let first = left.first {
            let same = left.prefix { $0.retryPath == first.retryPath }
            left = left.dropFirst(same.count)
            if try await client.retry(first) { count += same.count }
        }
        guard count > 0 else {
            throw CommandFailure(.nothingPending, "there is no such dead letter")
                .suggesting("countersignd outbox list --dead lists the dead letters")
        }
        let deliveries = count == 1 ? "1 delivery" : "\(count) deliveries"
        try terminal.output.print("Scheduled for a retry: \(deliveries).")
    }
}
