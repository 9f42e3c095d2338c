package import TransactionApproval

extension Ledger {
    package func transaction(_ id: TransactionID) throws(StoreFailure) -> TransactionRecord? {
        try row(Self.selectTransaction, [SQLValue(id)])
            .map { row throws(StoreFailure) in try TransactionRecord(id: id, row) }
    }

    package func add(_ record: TransactionRecord) throws(StoreFailure) {
        let key = [SQLValue(record.id)]
        let values: [SQLValue] =
            .account(record.account) + [
                .bytes(record.canonicalBytes),
                .integer(Int64(record.acceptedAuthentication.rawValue)),
                SQLValue(record.created), SQLValue(record.deadline),
            ]
        let number = try record.number.map { number throws(StoreFailure) in try stored(number) }
        try change(Self.insertTransaction, key + values + [SQLValue(number)])
        try trace(.transaction, key, holds: values)
        guard number != nil else { return }
        try trace(.outcome, key, holds: [SQLValue].pendingOutcome(ofOneWithNumber: true))
    }

    /// Writes how a transaction ended, and erases its number.
    ///
    /// One that had ended before is never written again.
    package func save(
        _ record: TransactionRecord,
        replacing old: TransactionRecord
    ) throws(StoreFailure) {
        guard case .closed(let outcome, let moment) = record.state else { return }
        let values: [SQLValue] = [
            SQLValue(record.id), .integer(outcome.stored), SQLValue(moment),
            SQLValue(outcome.device?.bytes), outcome.detail.map { .text($0) } ?? .null,
            SQLValue(record.evidence),
        ]
        try change(Self.closeTransaction, values)
        try trace(
            .outcome,
            values.prefix(1),
            held: .pendingOutcome(ofOneWithNumber: old.number != nil),
            holds: values.dropFirst() + [.integer(0)]
        )
    }

    /// The transactions that wait for an answer, the oldest first.
    package func pendingTransactions(
        of account: AccountReference,
        at now: Timestamp
    ) throws(StoreFailure) -> [TransactionID] {
        try connection.rows(Self.selectPending, .account(account) + [SQLValue(now)])
            .map { row throws(StoreFailure) in try row.identifier(0) }
    }

    /// What the person behind the account was asked, whichever of the linked accounts it was for.
    package func requestHistory(
        of account: Account,
        at now: Timestamp
    ) throws(StoreFailure) -> RequestHistory {
        let since = SQLValue(now - RequestHistory.span)
        let recent =
            if let person = account.person {
                try connection.rows(
                    Self.selectRecentOfPerson,
                    [SQLValue(account.reference.enterprise), SQLValue(person), since]
                )
            } else {
                try connection.rows(Self.selectRecent, .account(account.reference) + [since])
            }
        var moments: [Timestamp] = []
        var isSinceApproval = true
        var pending = 0
        // The newest first: what lies before the last approval counts only while it waits.
        for row in recent {
            let state = try row.integer(2)
            if state == TransactionRecord.Outcome.storedApproval { isSinceApproval = false }
            if isSinceApproval { moments.append(try row.moment(0)) }
            if state == TransactionRecord.State.storedPending, now < (try row.moment(1)) {
                pending += 1
            }
        }
        return RequestHistory(
            moments: moments.reversed(),
            pending: pending,
            mutedUntil: try mutedUntil(account)
        )
    }

    /// Until when the person wants no pushes, on whichever account they said so.
    func mutedUntil(_ account: Account) throws(StoreFailure) -> Timestamp? {
        guard let person = account.person else { return account.mutedUntil }
        return try row(
            Self.selectMuted,
            [SQLValue(account.reference.enterprise), SQLValue(person)]
        )?.optionalMoment(0)
    }

    /// The transactions before a place, the newest first.
    func transactions(
        of account: AccountReference,
        before cursor: TransactionCursor,
        limit: Int
    ) throws(StoreFailure) -> [TransactionRecord] {
        try connection.rows(Self.selectPage, .page(of: account, before: cursor, limit: limit))
            .map { row throws(StoreFailure) in
                try TransactionRecord(id: try row.identifier(13), row)
            }
    }

    /// The transactions that nobody answered in time, the oldest first.
    package func dueTransactions(
        at now: Timestamp,
        limit: Int
    ) throws(StoreFailure) -> [TransactionID] {
        try connection.rows(Self.selectDue, [SQLValue(now), .integer(Int64(limit))])
            .map { row throws(StoreFailure) in try row.identifier(0) }
    }

    private static let selectPage = Statement(
        """
        SELECT enterprise, account_type, account_id, canonical_bytes, accepted_authentication,
            created, deadline, number, state, closed, device, detail, evidence, id
        FROM transactions
        WHERE enterprise = $1 AND account_type = $2 AND account_id = $3 AND (created, id) < ($4, $5)
        ORDER BY created DESC, id DESC LIMIT $6
        """
    )
    private static let selectDue = Statement(
        """
        SELECT id FROM transactions WHERE closed IS NULL AND deadline <= $1
        ORDER BY deadline, id LIMIT $2
        """
    )
    private static let selectTransaction = Statement(
        """
        SELECT enterprise, account_type, account_id, canonical_bytes, accepted_authentication,
            created, deadline, number, state, closed, device, detail, evidence
        FROM transactions WHERE id = $1
        """
    )
    private static let insertTransaction = Statement(
        """
        INSERT INTO transactions (id, enterprise, account_type, account_id, canonical_bytes,
            accepted_authentication, created, deadline, number, state)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0)
        """
    )
    private static let closeTransaction = Statement(
        """
        UPDATE transactions SET state = $2, closed = $3, device = $4, detail = $5, evidence = $6,
            number = NULL
        WHERE id = $1 AND state = 0
        """
    )
    private static let selectPending = Statement(
        """
        SELECT id FROM transactions
        WHERE enterprise = $1 AND account_type = $2 AND account_id = $3 AND state = 0
            AND deadline > $4
        ORDER BY created, id
        """
    )
    private static let selectRecent = Statement(
        """
        SELECT created, deadline, state FROM transactions
        WHERE enterprise = $1 AND account_type = $2 AND account_id = $3 AND created > $4
        ORDER BY created DESC, id DESC
        """
    )
    private static let selectRecentOfPerson = Statement(
        """
        SELECT transactions.created, transactions.deadline, transactions.state
        FROM accounts JOIN transactions ON transactions.enterprise = accounts.enterprise
            AND transactions.account_type = accounts.type
            AND transactions.account_id = accounts.id
        WHERE accounts.enterprise = $1 AND accounts.person = $2 AND transactions.created > $3
        ORDER BY transactions.created DESC, transactions.id DESC
        """
    )
    private static let selectMuted = Statement(
        "SELECT MAX(muted_until) FROM accounts WHERE enterprise = $1 AND person = $2"
    )
}

extension [SQLValue] {
    /// For the statements that read transactions page by page.
    static func page(
        of account: AccountReference,
        before cursor: TransactionCursor,
        limit: Int
    ) -> [SQLValue] {
        .account(account) + [
            SQLValue(cursor.created), .text(cursor.id), .integer(Int64(limit)),
        ]
    }

    /// What of a transaction changes once, as it is before.
    fileprivate static func pendingOutcome(ofOneWithNumber hasNumber: Bool) -> [SQLValue] {
        [.integer(0), .null, .null, .null, .null, .integer(hasNumber ? 1 : 0)]
    }
}

extension TransactionRecord {
    /// The row behind the columns of `selectTransaction`.
    init(id: TransactionID, _ row: Row) throws(StoreFailure) {
        self.init(
            id: id,
            account: try row.account(0),
            canonicalBytes: try row.bytes(3),
            acceptedAuthentication: try row.value(4),
            created: try row.moment(5),
            deadline: try row.moment(6),
            number: try row.optionalBytes(7) == nil ? nil : try row.sealedValue(7),
            state: try State(row),
            evidence: try row.optionalBytes(12)
        )
    }
}

extension TransactionRecord.State {
    fileprivate static let storedPending: Int64 = 0

    fileprivate init(_ row: Row) throws(StoreFailure) {
        let stored = try row.integer(8)
        guard stored != Self.storedPending else {
            self = .pending
            return
        }
        guard
            let outcome = TransactionRecord.Outcome(
                stored: stored,
                device: try row.optionalBytes(10).flatMap { DeviceID($0) },
                detail: try row.optionalText(11)
            )
        else { throw .damaged }
        self = .closed(outcome, at: try row.moment(9))
    }
}

extension TransactionRecord.Outcome {
    fileprivate static let storedApproval: Int64 = 1

    fileprivate var stored: Int64 {
        switch self {
        case .approved: Self.storedApproval
        case .rejected: 2
        case .expired: 3
        case .withdrawn: 4
        case .void: 5
        }
    }

    fileprivate var device: DeviceID? {
        switch self {
        case .approved(_, let device), .rejected(_, let device): device
        case .expired, .withdrawn, .void: nil
        }
    }

    fileprivate var detail: String? {
        switch self {
        case .approved(let type, _): type.rawValue
        case .rejected(let reason, _): reason.rawValue
        case .expired, .withdrawn, .void: nil
        }
    }

    fileprivate init?(stored: Int64, device: DeviceID?, detail: String?) {
        switch (stored, device, detail) {
        case (Self.storedApproval, let device?, let detail?):
            guard let type = AuthenticationType(rawValue: detail) else { return nil }
            self = .approved(with: type, by: device)
        case (2, let device?, let detail?):
            guard let reason = RejectionReason(rawValue: detail) else { return nil }
            self = .rejected(reason, by: device)
        case (3, nil, nil): self = .expired
        case (4, nil, nil): self = .withdrawn
        case (5, nil, nil): self = .void
        default: return nil
        }
    }
}
