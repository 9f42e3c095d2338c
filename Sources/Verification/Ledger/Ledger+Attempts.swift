package import TransactionApproval

/// A decision that was made before: asked for again, it is told again.
package struct AttemptRecord: Equatable, Sendable {
    package let device: DeviceID
    package let id: AttemptID
    package let made: Timestamp
    /// SHA-256 of what was attempted, without the code.
    package let fingerprint: [UInt8]
    package let verdict: AttemptVerdict

    package init(
        device: DeviceID,
        id: AttemptID,
        made: Timestamp,
        fingerprint: [UInt8],
        verdict: AttemptVerdict
    ) {
        self.device = device
        self.id = id
        self.made = made
        self.fingerprint = fingerprint
        self.verdict = verdict
    }
}

extension Ledger {
    package func attempt(
        _ id: AttemptID,
        by device: DeviceID
    ) throws(StoreFailure) -> AttemptRecord? {
        guard let row = try row(Self.selectAttempt, [SQLValue(device), SQLValue(id)]) else {
            return nil
        }
        guard let verdict = AttemptVerdict(stored: try row.text(2)) else { throw .damaged }
        return AttemptRecord(
            device: device,
            id: id,
            made: try row.moment(0),
            fingerprint: try row.bytes(1),
            verdict: verdict
        )
    }

    package func add(_ attempt: AttemptRecord) throws(StoreFailure) {
        let values: [SQLValue] = [
            SQLValue(attempt.device), SQLValue(attempt.id),
            SQLValue(attempt.made), .bytes(attempt.fingerprint), .text(attempt.verdict.stored),
        ]
        try change(Self.insertAttempt, values)
        // That nothing was done is no change of state: no record tells of it.
        guard attempt.verdict != .unchanged else { return }
        try trace(.attempt, values.prefix(2), holds: values.dropFirst(2))
    }

    private static let selectAttempt = Statement(
        "SELECT made, fingerprint, verdict FROM attempts WHERE device = $1 AND id = $2"
    )
    private static let insertAttempt = Statement(
        """
        INSERT INTO attempts (device, id, made, fingerprint, verdict)
        VALUES ($1, $2, $3, $4, $5)
        """
    )
}
