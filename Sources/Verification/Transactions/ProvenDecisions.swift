import Cryptography
import PrivateFiles
import Storage
import TransactionApproval

/// The decisions whose evidence this process has verified.
///
/// A signature costs more than a read, so each process verifies it once. The memory is bounded: a
/// forgotten decision is verified again. A decision is known by a hash of everything that its evidence
/// is about: the key of `Hasher` is random for each process.
final class ProvenDecisions: Sendable {
    static let maximumCount = 100_000

    private let proven = LockedValue<[TransactionID: Int]>([:])

    func contains(_ record: TransactionRecord) -> Bool {
        let hash = record.decisionHash
        return proven.withLock { $0[record.id] == hash }
    }

    func insert(_ record: TransactionRecord) {
        let hash = record.decisionHash
        proven.withLock { proven in
            if proven.count >= Self.maximumCount { proven = [:] }
            proven[record.id] = hash
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
        guard !proven.contains(record) else { return }
        guard try isProven(record) else {
            throw .forged(row: Table.transactions.description(of: [SQLValue(record.id)]))
        }
        proven.insert(record)
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

extension TransactionRecord {
    /// Of the data that were shown, the decision, its device and its evidence.
    fileprivate var decisionHash: Int {
        var hasher = Hasher()
        canonicalBytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        evidence?.withUnsafeBytes { hasher.combine(bytes: $0) }
        if case .closed(let outcome, _) = state, let (choice, device) = outcome.choice {
            hasher.combine(device)
            switch choice {
            case .approve(let type): hasher.combine(type)
            case .reject(let reason): hasher.combine(reason)
            }
        }
        return hasher.finalize()
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
