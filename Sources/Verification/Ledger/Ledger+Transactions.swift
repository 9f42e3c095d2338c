import Sealing
package import Storage
package import TransactionApproval

extension Ledger {
    package func transaction(_ id: TransactionID) throws(StoreFailure) -> TransactionRecord? {
        try row(Self.selectTransaction, [SQLValue(id)])
            .map { row throws(StoreFailure) in try TransactionRecord(row, id) }
    }

    package func add(_ record: TransactionRecord) throws(StoreFailure) {
        if let number = record.number { _ = try stored(number) }
        try change(Self.insertTransaction, record.stored + .pendingOutcome)
        try trace(.transaction, holds: record.stored)
        guard record.number != nil else { return }
        try trace(.outcome, holds: record.stored + .pendingOutcome)
    }

    /// Writes the outcome of a transaction, and erases its number.
    ///
    /// A transaction that has an outcome is never changed.
    package func save(
        _ record: TransactionRecord,
        replacing old: TransactionRecord
    ) throws(StoreFailure) {
        guard case .closed(let outcome, let moment) = record.state else { return }
        let values: NamedValues = [
            .id: SQLValue(record.id), .state: .integer(outcome.stored), .closed: SQLValue(moment),
            .device: SQLValue(outcome.device?.bytes), .detail: SQLValue(outcome.detail),
            .evidence: SQLValue(record.evidence), .hasNumber: .integer(0),
        ]
        try change(Self.closeTransaction, values)
        try trace(.outcome, held: old.stored + .pendingOutcome, holds: values)
    }

    /// The transactions that can still be decided, oldest first.
    package func pendingTransactions(
        of account: AccountReference,
        at now: Timestamp
    ) throws(StoreFailure) -> [TransactionID] {
        try rows(Self.selectPending, .account(account) + [SQLValue(now)]) {
            row throws(StoreFailure) in try row.identifier(.id)
        }
    }

    /// The recent requests to the account's person, on all linked accounts.
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
        // Newest first: requests before the last approval count only while they are pending.
        for row in recent {
            let state = try row.integer(.state)
            if state == TransactionRecord.Outcome.storedApproval { isSinceApproval = false }
            if isSinceApproval { moments.append(try row.moment(.created)) }
            if state == TransactionRecord.State.storedPending, now < (try row.moment(.deadline)) {
                pending += 1
            }
        }
        return RequestHistory(
            moments: moments.reversed(),
            pending: pending,
            mutedUntil: try mutedUntil(account)
        )
    }

    /// The end of the person's mute, whichever account was muted.
    func mutedUntil(_ account: Account) throws(StoreFailure) -> Timestamp? {
        guard let person = account.person else { return account.mutedUntil }
        return try row(
            Self.selectMuted,
            [SQLValue(account.reference.enterprise), SQLValue(person)]
        )?.optionalMoment(.mutedUntil)
    }

    /// The transactions before the cursor, newest first.
    func transactions(
        of account: AccountReference,
        before cursor: TransactionCursor,
        limit: Int
    ) throws(StoreFailure) -> [TransactionRecord] {
        try rows(Self.selectPage, .page(of: account, before: cursor, limit: limit)) {
            row throws(StoreFailure) in try TransactionRecord(row, try row.identifier(.id))
        }
    }

    /// The pending transactions that have expired, oldest first.
    package func dueTransactions(
        at now: Timestamp,
        limit: Int
    ) throws(StoreFailure) -> [TransactionID] {
        try rows(Self.selectDue, [SQLValue(now), SQLValue(limit)]) { row throws(StoreFailure) in
            try row.identifier(.id)
        }
    }

    private static let selectPage = Statement(
        """
        SELECT \(Table.transactions.columns) FROM transactions
        WHERE enterprise = $1 AND account_type = $2 AND account_id = $3 AND (created, id) < ($4, $5)
        ORDER BY created DESC, id DESC LIMIT $6
        """
    )
    private static let selectDue = Statement(
        """
        SELECT \([.id]) FROM transactions WHERE closed IS NULL AND deadline <= $1
        ORDER BY deadline, id LIMIT $2
        """
    )
    private static let selectTransaction = Statement(
        "SELECT \(Table.transactions.values) FROM transactions WHERE id = $1"
    )
    private static let insertTransaction = Statement(
        "INSERT INTO transactions \(insert: Table.transactions.columns)"
    )
    private static let closeTransaction = Statement(
        """
        UPDATE transactions SET \(set: [.state, .closed, .device, .detail, .evidence]),
            number = NULL
        WHERE \(match: [.id]) AND state = 0
        """
    )
    private static let selectPending = Statement(
        """
        SELECT \([.id]) FROM transactions
        WHERE enterprise = $1 AND account_type = $2 AND account_id = $3 AND state = 0
            AND deadline > $4
        ORDER BY created, id
        """
    )
    private static let selectRecent = Statement(
        """
        SELECT \([.created, .deadline, .state]) FROM transactions
        WHERE enterprise = $1 AND account_type = $2 AND account_id = $3 AND created > $4
        ORDER BY created DESC, id DESC
        """
    )
    private static let selectRecentOfPerson = Statement(
        """
        SELECT \([.created, .deadline, .state], of: .transactions)
        FROM accounts JOIN transactions ON transactions.enterprise = accounts.enterprise
            AND transactions.account_type = accounts.type
            AND transactions.account_id = accounts.id
        WHERE accounts.enterprise = $1 AND accounts.person = $2 AND transactions.created > $3
        ORDER BY transactions.created DESC, transactions.id DESC
        """
    )
    private static let selectMuted = Statement(
        """
        SELECT \(.mutedUntil, from: "MAX(muted_until)") FROM accounts
        WHERE enterprise = $1 AND person = $2
        """
    )
}

extension [SQLValue] {
    /// The parameters of statements that read transactions page by page.
    static func page(
        of account: AccountReference,
        before cursor: TransactionCursor,
        limit: Int
    ) -> [SQLValue] {
        .account(account) + [SQLValue(cursor.created), .text(cursor.id), SQLValue(limit)]
    }
}

extension NamedValues {
    /// The columns that hold the outcome, while there is none.
    fileprivate static let pendingOutcome: NamedValues = [
        .state: .integer(TransactionRecord.State.storedPending), .closed: .null, .device: .null,
        .detail: .null, .evidence: .null,
    ]
}

extension TransactionRecord {
    init(_ row: Row, _ id: TransactionID) throws(StoreFailure) {
        self.init(
            id: id,
            account: try row.account(),
            canonicalBytes: try row.bytes(.canonicalBytes),
            acceptedAuthentication: try row.value(.acceptedAuthentication),
            created: try row.moment(.created),
            deadline: try row.moment(.deadline),
            number: try row.optionalSealedValue(.number),
            state: try State(row),
            evidence: try row.optionalBytes(.evidence)
        )
    }

    /// Without the outcome.
    fileprivate var stored: NamedValues {
        .account(account) + [
            .id: SQLValue(id), .canonicalBytes: .bytes(canonicalBytes),
            .acceptedAuthentication: .integer(Int64(acceptedAuthentication.rawValue)),
            .created: SQLValue(created), .deadline: SQLValue(deadline),
            .number: SQLValue(number?.stored), .hasNumber: SQLValue(number != nil),
        ]
    }
}

extension TransactionRecord.State {
    fileprivate static let storedPending: Int64 = 0

    fileprivate init(_ row: Row) throws(StoreFailure) {
        let stored = try row.integer(.state)
        guard stored != Self.storedPending else {
            self = .pending
            return
        }
        guard
            let outcome = TransactionRecord.Outcome(
                stored: stored,
                device: try row.optionalBytes(.device).flatMap { DeviceID($0) },
                detail: try row.optionalText(.detail)
            )
        else { throw .damaged }
        self = .closed(outcome, at: try row.moment(.closed))
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
