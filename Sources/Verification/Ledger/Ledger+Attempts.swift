package import Storage
package import TransactionApproval

/// The stored verdict of a decision, returned again if the decision is sent again.
package struct AttemptRecord: Equatable, Sendable {
    package let device: DeviceID
    package let id: AttemptID
    package let made: Timestamp
    /// SHA-256 of the attempt, without the code.
    package let fingerprint: [UInt8]
    package let verdict: AttemptVerdict
}

extension Ledger {
    package func attempt(
        _ id: AttemptID,
        by device: DeviceID
    ) throws(StoreFailure) -> AttemptRecord? {
        guard let row = try row(Self.query(of: id, by: device)) else { return nil }
        try check(.attempt, in: row, key: [SQLValue(device), SQLValue(id)])
        guard let verdict = AttemptVerdict(stored: try row.text(.verdict)) else { throw .damaged }
        return AttemptRecord(
            device: device,
            id: id,
            made: try row.moment(.created),
            fingerprint: try row.bytes(.fingerprint),
            verdict: verdict
        )
    }

    static func query(of id: AttemptID, by device: DeviceID) -> Query {
        Query(selectAttempt, [SQLValue(device), SQLValue(id)])
    }

    package func add(_ attempt: AttemptRecord) throws(StoreFailure) {
        let values: NamedValues = [
            .device: SQLValue(attempt.device), .id: SQLValue(attempt.id),
            .created: SQLValue(attempt.made), .fingerprint: .bytes(attempt.fingerprint),
            .verdict: .text(attempt.verdict.stored),
        ]
        // An attempt that changed nothing has no audit record.
        let traced: [TracedPart] = attempt.verdict == .unchanged ? [] : [.attempt]
        try add(values, .attempt, tracing: traced)
    }

    private static let selectAttempt = Statement(
        "SELECT \(Table.attempts.values) FROM attempts WHERE \(match: Table.attempts.key)"
    )
}
