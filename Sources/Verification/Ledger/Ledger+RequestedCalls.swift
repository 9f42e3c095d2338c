import Storage
import TransactionApproval

/// Calls that wait for a second person, kept as long as other calls.
extension Ledger {
    func requestedCall(_ id: RequestedCallID) throws(StoreFailure) -> RequestedCall? {
        try row(Self.selectRequest, [SQLValue(id)]).map(requestedCall(_:))
    }

    /// The newest one of the same token: with the same idempotency key, or unconfirmed and equal.
    func requestedCall(like call: TwoPersonCall) throws(StoreFailure) -> RequestedCall? {
        let owner = [SQLValue(call.token), SQLValue(call.concern.enterprise)]
        let found =
            if let keyed = call.keyed {
                try row(Self.selectKeyedRequest, owner + [SQLValue(keyed.key)])
            } else {
                try row(Self.selectEqualRequest, owner + [.bytes(call.fingerprint)])
            }
        return try found.map(requestedCall(_:))
    }

    func add(_ call: RequestedCall) throws(StoreFailure) {
        try add(call.stored, .requestedCall)
    }

    func save(_ call: RequestedCall) throws(StoreFailure) {
        try update(call.stored, .requestedCall, by: Self.confirmRequest)
    }

    private func requestedCall(_ row: Row) throws(StoreFailure) -> RequestedCall {
        try check(.requestedCall, in: row, key: try row[Table.requestedCalls.key])
        return RequestedCall(
            id: try row.identifier(.id),
            enterprise: try row.identifier(.enterprise),
            token: try row.identifier(.token),
            key: try row.isNull(.idempotencyKey) ? nil : try row.identifier(.idempotencyKey),
            fingerprint: try row.bytes(.fingerprint),
            epoch: Epoch(try row.number(.epoch)),
            created: try row.moment(.created),
            confirmed: try row.optionalMoment(.confirmed)
        )
    }

    private static let selectRequest = Statement(
        "SELECT \(Table.requestedCalls.columns) FROM requested_calls WHERE \(match: [.id])"
    )
    private static let selectKeyedRequest = Statement(
        """
        SELECT \(Table.requestedCalls.columns) FROM requested_calls
        WHERE \(match: [.token, .enterprise, .idempotencyKey])
        ORDER BY created DESC, id LIMIT 1
        """
    )
    private static let selectEqualRequest = Statement(
        """
        SELECT \(Table.requestedCalls.columns) FROM requested_calls
        WHERE \(match: [.token, .enterprise, .fingerprint])
            AND idempotency_key IS NULL AND confirmed IS NULL
        ORDER BY created DESC, id LIMIT 1
        """
    )
    private static let confirmRequest = Statement(
        """
        UPDATE requested_calls SET \(set: [.confirmed, .tag])
        WHERE \(match: [.id]) AND confirmed IS NULL
        """
    )
}

extension RequestedCall {
    fileprivate var stored: NamedValues {
        [
            .id: SQLValue(id), .enterprise: SQLValue(enterprise), .token: SQLValue(token),
            .idempotencyKey: SQLValue(key), .fingerprint: .bytes(fingerprint),
            .epoch: SQLValue(epoch.value), .created: SQLValue(created),
            .confirmed: SQLValue(confirmed),
        ]
    }
}
