import CommandLineTool
import Verifier

/// Has what was given up delivered after all.
struct OutboxRetryCommand: Command {
    static let name = "outbox retry"
    static let summary = "Have a delivery that was given up tried again."

    static let record = Argument<UInt64?>("RECORD", help: "The record that it is about.")
    static let target = Argument<Target?>(help: "Which of its two; without it, both.")
    static let all = Flag("all", help: "Every delivery that was given up.")
    static let parameters: [any Parameter] = [record, target, all, Configuration.option]

    enum Target: String, CaseIterable, ArgumentValue {
        case webhook, push

        var delivery: Delivery.Target {
            switch self {
            case .webhook: .webhook
            case .push: .push
            }
        }
    }

    private let path: String
    /// Nil for all.
    private let record: UInt64?
    private let targets: [Delivery.Target]

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        path = try Configuration.path(in: arguments)
        record = try arguments[Self.record]
        targets = try arguments[Self.target].map { [$0.delivery] } ?? Delivery.Target.allCases
        guard (record == nil) == arguments[Self.all] else {
            throw CommandFailure(.usage, "either a record or --all must be given")
        }
        guard record ?? 0 <= AuditRecord.largestSequence else {
            throw CommandFailure(.usage, "no record has so large a number")
        }
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = Installation(configuration: try Configuration(readingFileAt: path))
        let count = try await installation.withVerifier { verifier throws(CommandFailure) in
            var count = 0
            for (sequence, target) in try await chosen(in: verifier, of: installation) {
                count += try await installation.onVerifier { () throws(Verifier.Failure) in
                    try await verifier.retry(sequence, to: target)
                }
            }
            return count
        }
        guard count > 0 else {
            throw CommandFailure(
                .nothingPending,
                "no such delivery was given up",
                hint: "countersignd outbox list --dead shows those that were"
            )
        }
        let deliveries = count == 1 ? "1 delivery" : "\(count) deliveries"
        try terminal.output.print("To be tried again: \(deliveries).")
    }

    private func chosen(
        in verifier: Verifier,
        of installation: Installation
    ) async throws(CommandFailure) -> [(UInt64, Delivery.Target)] {
        if let record { return targets.map { (record, $0) } }
        var all: [(UInt64, Delivery.Target)] = []
        try await installation.eachDelivery(.dead, of: verifier) { delivery in
            all.append((delivery.sequence, delivery.target))
        }
        return all
    }
}
