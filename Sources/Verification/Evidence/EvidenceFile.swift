import Storage
package import StrictJSON
import TransactionApproval

/// A file that proves the decision of a device, without the store.
///
/// It contains the transaction as the device showed it and the device's signature. The audit records
/// of the enrolment and of the decision follow, each with its chain up to a signed checkpoint.
package struct EvidenceFile: Codable, Equatable, Sendable {
    static let format = "countersign evidence 1"
    /// Far above the largest file: two chains of `maximumFollowing` digests, and a transaction.
    package static let maximumByteCount = 1 << 20
    /// No chain up to a checkpoint is longer, unless the journal began after the record.
    static let maximumFollowing = 1000

    let format: String
    /// The transaction's canonical bytes.
    let transaction: Hexadecimal
    let decision: SignedMessage
    let outcome: Outcome
    let device: EnrolledDevice
    let enrolment: AuditProof
    let verdict: AuditProof

    struct SignedMessage: Codable, Equatable, Sendable {
        let message: Hexadecimal
        let signature: Hexadecimal

        /// The form in the store.
        var stored: [UInt8] { signature.bytes + message.bytes }
    }

    /// The columns that a decision writes.
    struct Outcome: Codable, Equatable, Sendable {
        let state: UInt8
        let closed: UInt64
        let detail: String

        /// Nil if the values are not those of a device's decision.
        var choice: DecisionExchange.Choice? {
            switch StoredState(rawValue: state) {
            case .approved: AuthenticationType(rawValue: detail).map { .approve($0) }
            case .rejected: RejectionReason(rawValue: detail).map { .reject($0) }
            default: nil
            }
        }
    }

    /// The device as it was enrolled.
    struct EnrolledDevice: Codable, Equatable, Sendable {
        let id: Hexadecimal
        let enterprise: EnterpriseID
        let accountType: AccountType
        let accountID: AccountID
        let publicKey: Hexadecimal
        let name: String
        let activated: UInt64
    }
}

extension EvidenceFile {
    package var json: [UInt8] {
        get throws(StrictJSON.Unwritable) { try StrictJSON.encode(self) }
    }

    /// Fails if the bytes are not such a file; it checks no signature.
    package init(json: [UInt8]) throws(StrictJSON.Failure) {
        self = try StrictJSON.decode(
            from: json,
            limits: StrictJSON.Limits(
                byteCount: Self.maximumByteCount,
                depth: 6,
                valueCount: 4 * Self.maximumFollowing
            )
        )
    }
}

// MARK: The rows whose digests are in the records

extension EvidenceFile {
    static func outcomeRow(of transaction: TransactionID) -> TracedRow {
        TracedRow(.outcome, [SQLValue(transaction)])
    }

    static func digest(
        of outcome: Outcome,
        by device: [UInt8],
        evidence: [UInt8]
    ) throws(StoreFailure) -> [UInt8] {
        try [
            .integer(Int64(outcome.state)), .integer(Int64(clamping: outcome.closed)),
            .bytes(device), .text(outcome.detail), .bytes(evidence), .integer(0),
        ].traceDigest()
    }
}

extension EvidenceFile.EnrolledDevice {
    var row: TracedRow { TracedRow(.device, [.bytes(id.bytes)]) }

    var account: AccountReference {
        AccountReference(enterprise: enterprise, key: AccountKey(type: accountType, id: accountID))
    }

    /// The digest of an active device with these values.
    func digest() throws(StoreFailure) -> [UInt8] {
        try
            ([SQLValue].account(account) + [
                .bytes(publicKey.bytes), .null, .text(name), SQLValue(Device.Status.active),
                .integer(Int64(clamping: activated)),
            ]).traceDigest()
    }
}
