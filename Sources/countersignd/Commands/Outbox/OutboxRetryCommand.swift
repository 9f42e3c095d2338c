import CommandLineTool
import VerifierServer

struct OutboxRetryCommand: BankCommand {
    static let name = "outbox retry"
    static let summary = "Retry deliveries that have not succeeded, now."
    static let discussion = """
        The command retries dead letters, and makes waiting deliveries due. A delivery that waits for \
        an earlier one keeps its place: retry the record that countersignd outbox list names. A \
        delivery that is being sent at the same time can arrive twice. If a second person must confirm \
        the retry, name the record and --target: each delivery has a call of its own.

        \(EndpointOptions.discussion)
        """

    @Argument("RECORD", help: "The audit record of the delivery.") private var record: UInt64?
    @Flag("all", help: "Retry the deliveries of all records.") private var retriesAll: Bool
    @Option("target", help: "Retry only webhooks or only pushes.")
    private var target: UnfinishedDelivery.Target?
    @Flag("dead", help: "Retry only dead letters.") private var retriesOnlyDead: Bool
    let endpoint = EndpointOptions()

    func validateArguments() throws(CommandFailure) {
        guard (record == nil) == retriesAll else {
            throw CommandFailure(.usage, "give either a record or --all")
        }
        guard record ?? 0 <= UInt64(Int64.max) else {
            throw CommandFailure(.usage, "RECORD is too large")
        }
        guard !endpoint.isConfirming || record != nil && target != nil else {
            throw CommandFailure(.usage, "--confirms needs RECORD and --target")
        }
    }

    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        let targets = target.map { [$0] } ?? UnfinishedDelivery.Target.allCases
        let names = targets.map(\.rawValue)
        let states: [UnfinishedDelivery.State] = retriesOnlyDead ? [.dead] : [.dead, .waiting]
        let found = try await client.deliveries(states, ofRecord: record).filter {
            names.contains($0.delivery.target)
        }
        let count = try await retry(found.filter { !$0.isBehind }, by: client)
        guard count > 0 else { throw failure(after: found) }
        try terminal.output.print("Scheduled for a retry: \(deliveries(count)).")
    }

    /// Returns how many were retried.
    private func retry(
        _ found: [UnfinishedDelivery],
        by client: BankAPIClient
    ) async throws(CommandFailure) -> Int {
        var count = 0
        // One request retries the pushes of a record to all devices.
        var left = found[...]
        while let first = left.first {
            let same = left.prefix { $0.retryPath == first.retryPath }
            left = left.dropFirst(same.count)
            let isRetried = try await client.retry(first, only: retriesOnlyDead ? .dead : nil)
            if isRetried { count += same.count }
        }
        return count
    }

    private func deliveries(_ count: Int) -> String {
        count == 1 ? "1 delivery" : "\(count) deliveries"
    }

    private func failure(after found: [UnfinishedDelivery]) -> CommandFailure {
        guard let delivery = found.first?.delivery, let first = delivery.waitsFor else {
            let kind = retriesOnlyDead ? "dead letter" : "delivery"
            return CommandFailure(.nothingPending, "there is no such \(kind)")
                .suggesting("countersignd outbox list lists the deliveries")
        }
        let words = ["countersignd", "outbox", "retry", "\(first)"] + endpoint.words
        return CommandFailure(
            .nothingPending,
            "the delivery of record \(delivery.sequence) waits for record \(first)",
            hint: "run \(words.map(\.shellWord).joined(separator: " "))"
        )
    }
}
