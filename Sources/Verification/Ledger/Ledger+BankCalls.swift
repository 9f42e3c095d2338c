import Storage
import TransactionApproval

/// Calls of the bank, kept as long as a call may be sent again.
extension Ledger {
    /// Returns nil if the call is new, or has no idempotency key.
    func earlier(_ call: BankCall?) throws(StoreFailure) -> EarlierCall? {
        guard let call else { return nil }
        return try stored(call)?.earlier
    }

    /// The earlier call with the same key, and its time.
    func stored(_ call: BankCall) throws(StoreFailure) -> (earlier: EarlierCall, made: Timestamp)? {
        guard let row = try row(Self.query(of: call)) else { return nil }
        try check(.call, in: row, key: Self.key(of: call))
        guard let outcome = CallOutcome(stored: try row.text(.outcome)) else { throw .damaged }
        // The caller may be another verifier, and may not have written the journal yet.
        recorded.events.owed = try state().audit.sequence
        let isRepeated = try row.bytes(.fingerprint) == call.fingerprint
        return (isRepeated ? .repeated(outcome) : .keyReused, try row.moment(.created))
    }

    static func query(of call: BankCall) -> Query { Query(selectCall, key(of: call)) }

    private static func key(of call: BankCall) -> [SQLValue] {
        [SQLValue(call.enterprise), .text(call.storedKey)]
    }

    /// Stores the outcome of a call, with its audit record.
    func keep(_ outcome: CallOutcome, of call: BankCall?, at now: Timestamp) throws(StoreFailure) {
        guard let call else { return }
        let values: NamedValues = [
            .enterprise: SQLValue(call.enterprise), .idempotencyKey: .text(call.storedKey),
            .created: SQLValue(now), .fingerprint: .bytes(call.fingerprint),
            .outcome: .text(outcome.stored),
        ]
        try add(values, .call)
    }

    private static let selectCall = Statement(
        """
        SELECT \(Table.bankCalls.values) FROM bank_calls WHERE \(match: Table.bankCalls.key)
        """
    )
}
