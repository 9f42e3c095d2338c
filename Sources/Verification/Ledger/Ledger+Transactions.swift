import Sealing
package import Storage
package import TransactionApproval

extension Ledger {
    package func transaction(_ id: TransactionID) throws(StoreFailure) -> TransactionRecord? {
        try row(Self.query(of: id)).map(record(_:))
    }

    static func query(of transaction: TransactionID) -> Query {
        Query(selectTransaction, [SQLValue(transaction)])
    }

    /// Reads a row, also of the archive.
    func record(_ row: Row) throws(StoreFailure) -> TransactionRecord {
        let key = try row[Table.transactions.key]
        try check(.transaction, in: row, key: key)
        return try reading(row, of: .transactions, key) { row throws(StoreFailure) in
            try TransactionRecord(row)
        }
    }

    package func add(_ record: TransactionRecord) throws(StoreFailure) {
        if let number = record.number { _ = try stored(number) }
        var traced: [TracedPart] = [.transaction]
        if record.number != nil { traced.append(.outcome) }
        if record.source != .bank { traced.append(.source) }
        try add(record.stored + .pendingOutcome, .transaction, tracing: traced)
    }

    /// Writes the outcome of a transaction, and erases its number.
    ///
    /// A transaction that has an outcome is never changed.
    package func save(_ record: TransactionRecord) throws(StoreFailure) {
        guard case .closed(let outcome, let moment) = record.state else { return }
        let values =
            outcome.stored + [
                .id: SQLValue(record.id), .closed: SQLValue(moment),
                .evidence: SQLValue(record.evidence), .hasNumber: .integer(0),
            ] + record.stored
        try update(values, .transaction, by: Self.closeTransaction, tracing: [.outcome])
    }

    /// The transactions that can still be decided, oldest first.
    package func pendingTransactions(
        of account: AccountReference,
        at now: Timestamp
    ) throws(StoreFailure) -> [TransactionID] {
        try identifiers(Self.selectPending, .account(account) + [SQLValue(now)])
    }

    /// The recent requests of a source to the account's person, on all linked accounts.
    ///
    /// No rate limit counts the requests to a test account.
    func requestHistory(
        of account: Account,
        from source: RequestSource,
        at now: Timestamp
    ) throws(StoreFailure) -> RequestHistory {
        let recent = try recentTransactions(of: account, at: now)
            .filter { $0.created > now - RequestHistory.span }
        var moments: [Timestamp] = []
        var isSinceApproval = true
        var pending: [Timestamp] = []
        // Newest first: requests before the last approval count only while they are pending. Consent
        // alone does not prove the person, so it ends no count.
        for record in recent {
            if case .closed(.approved(let type, _), _) = record.state, type != .consent {
                isSinceApproval = false
            }
            guard record.source == source else { continue }
            if isSinceApproval { moments.append(record.created) }
            if record.state == .pending, now < record.deadline { pending.append(record.deadline) }
        }
        return RequestHistory(
            moments: account.isTest ? [] : moments.reversed(),
            pending: pending,
            mutedUntil: try mutedUntil(account)
        )
    }

    private func recentTransactions(
        of account: Account,
        at now: Timestamp
    ) throws(StoreFailure) -> [TransactionRecord] {
        guard let person = account.person else {
            let query = Self.queryOfHistory(of: account.reference, at: now)
            return try connection.rows(query).map(record(_:))
        }
        let accounts = Set(try allAccounts(of: account).map(\.reference))
        let values = [
            SQLValue(account.reference.enterprise), SQLValue(person), Self.beginOfHistory(at: now),
        ]
        return try rows(Self.selectRecentOfPerson, values) { row throws(StoreFailure) in
            let record = try self.record(row)
            guard accounts.contains(record.account) else {
                throw .forged(row: Table.transactions.description(of: [SQLValue(record.id)]))
            }
            return record
        }
    }

    /// For an account that is not linked.
    static func queryOfHistory(of account: AccountReference, at now: Timestamp) -> Query {
        Query(selectRecent, .account(account) + [beginOfHistory(at: now)])
    }

    /// At a full minute, so that its query is known before.
    private static func beginOfHistory(at now: Timestamp) -> SQLValue {
        let begin = (now - RequestHistory.span).milliseconds
        return SQLValue(Timestamp(milliseconds: begin - begin % 60_000))
    }

    /// The end of the person's mute, whichever account was muted.
    func mutedUntil(_ account: Account) throws(StoreFailure) -> Timestamp? {
        try allAccounts(of: account).compactMap(\.mutedUntil).max()
    }

    /// The transactions before the cursor, newest first.
    func transactions(
        of account: AccountReference,
        before cursor: TransactionCursor,
        limit: Int
    ) throws(StoreFailure) -> [TransactionRecord] {
        let page: [SQLValue] = .page(of: account, before: cursor, limit: limit)
        return try rows(Self.selectPage, page, record(_:))
    }

    private static let selectPage = Statement(
        """
        SELECT \(Table.transactions.columns) FROM transactions
        WHERE \(match: .account) AND (created, id) < ($4, $5)
        ORDER BY created DESC, id DESC LIMIT $6
        """
    )
    private static let selectTransaction = Statement(
        "SELECT \(Table.transactions.columns) FROM transactions WHERE \(match: [.id])"
    )
    private static let closeTransaction = Statement(
        """
        UPDATE transactions SET \(set: [.state, .closed, .device, .detail, .evidence, .tag]),
            number = NULL
        WHERE \(match: [.id] + .account) AND state = \(StoredState.pending)
        """
    )
    private static let selectPending = Statement(
        """
        SELECT \(.account + [.id]) FROM transactions
        WHERE \(match: .account) AND state = \(StoredState.pending) AND deadline > $4
        ORDER BY created, id
        """
    )
    private static let selectRecent = Statement(
        """
        SELECT \(Table.transactions.columns) FROM transactions
        WHERE \(match: .account) AND created > $4
        ORDER BY created DESC, id DESC
        """
    )
    private static let selectRecentOfPerson = Statement(
        """
        SELECT \(Table.transactions.columns, of: .transactions)
        FROM accounts JOIN transactions ON transactions.enterprise = accounts.enterprise
            AND transactions.account_type = accounts.type
            AND transactions.account_id = accounts.id
        WHERE accounts.enterprise = $1 AND accounts.person = $2 AND transactions.created > $3
        ORDER BY transactions.created DESC, transactions.id DESC
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
        .state: SQLValue(StoredState.pending), .closed: .null, .device: .null,
        .detail: .null, .evidence: .null,
    ]
}

extension TransactionRecord {
    /// The transaction that the device signs.
    func transaction() throws(StoreFailure) -> Transaction {
        guard let transaction = Transaction(wireBytes: canonicalBytes) else { throw .damaged }
        return transaction
    }

    fileprivate init(_ row: Row) throws(StoreFailure) {
        self.init(
            id: try row.identifier(.id),
            account: try row.account(),
            canonicalBytes: try row.bytes(.canonicalBytes),
            acceptedAuthentication: try row.value(.acceptedAuthentication),
            created: try row.moment(.created),
            deadline: try row.moment(.deadline),
            source: try row.isNull(.source) ? .bank : .cards,
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
            .source: .mark(source == .cards),
            .number: SQLValue(number?.stored), .hasNumber: SQLValue(number != nil),
        ]
    }
}

/// The state of a transaction, as it is stored.
enum StoredState: UInt8 {
    case pending = 0
    case approved, rejected, expired, withdrawn, void
}

extension TransactionRecord.State {
    fileprivate init(_ row: Row) throws(StoreFailure) {
        let state: StoredState = try row.value(.state)
        guard state != .pending else {
            self = .pending
            return
        }
        let device = try row.optionalBytes(.device).flatMap { DeviceID($0) }
        let detail = try row.optionalText(.detail)
        guard let outcome = TransactionRecord.Outcome(state, device: device, detail: detail) else {
            throw .damaged
        }
        self = .closed(outcome, at: try row.moment(.closed))
    }
}

extension TransactionRecord.Outcome {
    fileprivate var stored: NamedValues {
        let (state, device, detail): (StoredState, DeviceID?, String?) =
            switch self {
            case .approved(let type, let device): (.approved, device, type.rawValue)
            case .rejected(let reason, let device): (.rejected, device, reason.rawValue)
            case .expired: (.expired, nil, nil)
            case .withdrawn: (.withdrawn, nil, nil)
            case .void: (.void, nil, nil)
            }
        return [
            .state: SQLValue(state), .device: SQLValue(device?.bytes), .detail: SQLValue(detail),
        ]
    }

    fileprivate init?(_ state: StoredState, device: DeviceID?, detail: String?) {
        switch (state, device, detail) {
        case (.approved, let device?, let detail?):
            guard let type = AuthenticationType(rawValue: detail) else { return nil }
            self = .approved(with: type, by: device)
        case (.rejected, let device?, let detail?):
            guard let reason = RejectionReason(rawValue: detail) else { return nil }
            self = .rejected(reason, by: device)
        case (.expired, nil, nil): self = .expired
        case (.withdrawn, nil, nil): self = .withdrawn
        case (.void, nil, nil): self = .void
        default: return nil
        }
    }
}
