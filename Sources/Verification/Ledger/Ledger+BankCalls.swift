import TransactionApproval

/// Calls of the bank, for as long as one may be sent again.
extension Ledger {
    /// Nil where the call is new, or has no name to be known again by.
    func earlier(_ call: BankCall?) throws(StoreFailure) -> EarlierCall? {
        guard let call, let row = try row(Self.selectCall, call.rowKey) else { return nil }
        guard let outcome = CallOutcome(stored: try row.text(1)) else { throw .damaged }
        // Who did it may have told nobody, and may be another verifier of this store.
        recorded.events.owed = try state().audit.sequence
        return try row.bytes(0) == call.fingerprint ? .repeated(outcome) : .keyReused
    }

    /// Keeps what came of a call, with the record of it.
    func keep(
        _ outcome: CallOutcome,
        of call: BankCall?,
        at now: Timestamp
    ) throws(StoreFailure) {
        guard let call else { return }
        let values: [SQLValue] = [
            SQLValue(now), .bytes(call.fingerprint), .text(outcome.stored),
        ]
        try change(Self.insertCall, call.rowKey + values)
        try trace(.call, call.rowKey, holds: values)
    }

    func deleteCalls(before end: Timestamp, limit: Int) throws(StoreFailure) -> Int {
        try connection.run(Self.deleteCalls, [SQLValue(end), .integer(Int64(limit))])
    }

    private static let selectCall = Statement(
        "SELECT fingerprint, outcome FROM bank_calls WHERE enterprise = $1 AND name = $2"
    )
    private static let insertCall = Statement(
        """
        INSERT INTO bank_calls (enterprise, name, made, fingerprint, outcome)
        VALUES ($1, $2, $3, $4, $5)
        """
    )
    private static let deleteCalls = Statement(
        """
        DELETE FROM bank_calls WHERE (enterprise, name) IN
            (SELECT enterprise, name FROM bank_calls WHERE made < $1 ORDER BY made LIMIT $2)
        """
    )
}

extension BankCall {
    fileprivate var rowKey: [SQLValue] { [SQLValue(enterprise), SQLValue(key)] }
}
