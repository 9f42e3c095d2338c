import Cryptography
import PrivateFiles
import Storage
import TransactionApproval

/// The decisions whose evidence this process has verified.
///
/// A signature costs more than a read, so each process verifies it once. The memory is bounded: a
/// forgotten decision is verified again.
final class ProvenDecisions: Sendable {
    static let maximumCount = 100_000

    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var proven: Set<TransactionID> = []

    func contains(_ id: TransactionID) -> Bool { lock.locked { proven.contains(id) } }

    func insert(_ id: TransactionID) {
        lock.locked {
            if proven.count >= Self.maximumCount { proven = [] }
            proven.insert(id)
        }
    }
}

extension Ledger {
    /// Fails if a decision has no valid signature by the key of its device.
    func checkEvidence(
        of record: TransactionRecord,
        _ proven: ProvenDecisions
    ) throws(StoreFailure) {
        guard case .closed(let outcome, _) = record.state, outcome.choice != nil else { return }
        guard !proven.contains(record.id) else { return }
        guard try isProven(record) else {
            throw .forged(row: Table.transactions.description(of: [SQLValue(record.id)]))
        }
        proven.insert(record.id)
    }

    /// Whether the transaction is not decided, or has the signed evidence of its decision.
    func isProven(_ record: TransactionRecord) throws(StoreFailure) -> Bool {
        guard
            case .closed(let outcome, _) = record.state,
            let (choice, deviceID) = outcome.choice
        else { return true }
        guard
            let evidence = record.evidence,
            case .installation(let point)? = try device(deviceID)?.kind,
            // `try?`: a malformed key verifies nothing.
            let key = try? P256.PublicKey(uncompressedPoint: point.span)
        else { return false }
        return try translatingSystemFailure(
            DecisionEvidence.isProven(
                by: evidence,
                choice,
                on: TransactionHash(ofCanonicalBytes: record.canonicalBytes),
                by: deviceID,
                key
            ),
            to: StoreFailure.system
        )
    }
}

extension TransactionRecord.Outcome {
    /// Nil if no device decided.
    var choice: (DecisionExchange.Choice, DeviceID)? {
        switch self {
        case .approved(let type, let device): (.approve(type), device)
        case .rejected(let reason, let device): (.reject(reason), device)
        case .expired, .withdrawn, .void: nil
        }
    }
}
