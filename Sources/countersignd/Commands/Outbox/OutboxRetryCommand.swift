import CommandLineTool
import Verification
import VerifierServer

/// Has what was given up delivered after all.
struct OutboxRetryCommand: BankCommand {
    static let name = "outbox retry"
    static let summary = "Have a delivery that was given up tried again."
    static let discussion = APIEndpoint.discussion

    static let record = Argument<UInt64?>("RECORD", help: "The record that it is about.")
    static let target = Argument<Target?>(help: "Only to the bank, or only to the devices.")
    static let all = Flag("all", help: "Every delivery that was given up.")
    static let parameters: [any Parameter] = [record, target, all] + APIEndpoint.parameters

    enum Target: String, CaseIterable, ArgumentValue {
        case webhook, push
    }

    let way: APIEndpoint
    /// Nil for all.
    private let record: UInt64?
    private let targets: [String]

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        way = try APIEndpoint(arguments)
        record = try arguments[Self.record]
        targets =
            try arguments[Self.target]
            .map { [$0.rawValue] } ?? Target.allCases.map(\.rawValue)
        guard (record == nil) == arguments[Self.all] else {
            throw CommandFailure(.usage, "either a record or --all must be given")
        }
        guard record ?? 0 <= AuditRecord.maximumSequence else {
            throw CommandFailure(.usage, "no record has so large a number")
        }
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        let dead = try await bank.deliveries(.dead, ofRecord: record).filter {
            targets.contains($0.delivery.target)
        }
        var count = 0
        // One call is for all devices that were to be woken, and what came first is tried first.
        var left = dead[...]
        while let path = left.first?.retryPath {
            let owed = left.prefix { $0.retryPath == path }
            left = left.dropFirst(owed.count)
            if try await isRetried(path, by: bank) { count += owed.count }
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

    /// False where somebody else had it tried again meanwhile.
    private func isRetried(_ path: String, by bank: Bank) async throws(CommandFailure) -> Bool {
        do throws(CommandFailure) {
            try await bank.ask(APIRequest(.put, path, of: "delivery"))
            return true
        } catch  where error.exitCode == .noInput {
            return false
        } catch {
            throw error
        }
    }
}

extension OwedDelivery {
    fileprivate var retryPath: String {
        "\(enterprise.path)/outbox/\(delivery.sequence)/\(delivery.target)/retry"
    }
}
