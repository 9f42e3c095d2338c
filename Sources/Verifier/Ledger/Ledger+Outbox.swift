package import TransactionApproval

extension Ledger {
    package func add(_ delivery: Delivery) throws(StoreFailure) {
        try change(
            Self.insertDelivery,
            [
                SQLValue(delivery.sequence), .integer(Int64(delivery.target.rawValue)),
                SQLValue(delivery.account.enterprise), SQLValue(delivery.account.key.type),
                SQLValue(delivery.account.key.id), .text(delivery.subject), SQLValue(delivery.due),
            ]
        )
    }

    package func save(_ delivery: Delivery) throws(StoreFailure) {
        try change(
            Self.updateDelivery,
            [
                SQLValue(delivery.sequence), .integer(Int64(delivery.target.rawValue)),
                .integer(Int64(delivery.tries)), SQLValue(delivery.due),
                .integer(Int64(delivery.state.rawValue)),
            ]
        )
    }

    /// What is to be tried now: of each account the oldest alone, so that nothing overtakes what
    /// came before it.
    package func dueDeliveries(
        to target: Delivery.Target,
        at now: Timestamp,
        limit: Int
    ) throws(StoreFailure) -> [Delivery] {
        let target = SQLValue.integer(Int64(target.rawValue))
        return try connection.rows(Self.selectDue, [SQLValue(now), target, .integer(Int64(limit))])
            .map { row throws(StoreFailure) in try Delivery(row) }
    }

    package func delivery(
        _ sequence: UInt64,
        to target: Delivery.Target
    ) throws(StoreFailure) -> Delivery? {
        try row(Self.selectDelivery, [SQLValue(sequence), .integer(Int64(target.rawValue))])
            .map { row throws(StoreFailure) in try Delivery(row) }
    }

    package func deliveries(
        _ state: Delivery.State,
        after sequence: UInt64,
        limit: Int
    ) throws(StoreFailure) -> [Delivery] {
        try connection.rows(
            Self.selectDeliveries,
            [.integer(Int64(state.rawValue)), SQLValue(sequence), .integer(Int64(limit))]
        ).map { row throws(StoreFailure) in try Delivery(row) }
    }

    /// Those of one enterprise that wait or were given up.
    func deliveries(
        _ state: Delivery.Unfinished,
        of enterprise: EnterpriseID,
        after sequence: UInt64,
        limit: Int
    ) throws(StoreFailure) -> [Delivery] {
        let statement =
            switch state {
            case .waiting: Self.selectWaiting
            case .dead: Self.selectDead
            }
        return try connection.rows(
            statement,
            [SQLValue(enterprise), SQLValue(sequence), .integer(Int64(limit))]
        ).map { row throws(StoreFailure) in try Delivery(row) }
    }

    package func undelivered(countedTo limit: Int) throws(StoreFailure) -> UndeliveredCount {
        UndeliveredCount(
            waiting: try count(Self.countWaiting, limit),
            dead: try count(Self.countDead, limit)
        )
    }

    private func count(_ statement: Statement, _ limit: Int) throws(StoreFailure) -> Int {
        guard let row = try row(statement, [.integer(Int64(limit))]) else { throw .damaged }
        return Int(try row.integer(0))
    }

    /// The deliveries after `last`, each with whether it tells what the record of its number does.
    func deliveries(
        after last: (sequence: Int64, target: Int64),
        limit: Int
    ) throws(StoreFailure) -> [(sequence: Int64, target: Int64, isOfRecord: Bool)] {
        let values: [SQLValue] = [.integer(last.sequence), .integer(last.target)]
        return try connection.rows(Self.selectWithRecord, values + [.integer(Int64(limit))])
            .map { row throws(StoreFailure) in
                (try row.integer(0), try row.integer(1), try row.optionalInteger(2) != nil)
            }
    }

    private static let selectWithRecord = Statement(
        """
        SELECT outbox.sequence, outbox.target, audit.sequence
        FROM outbox LEFT JOIN audit ON audit.sequence = outbox.sequence
            AND audit.subject = outbox.subject AND audit.enterprise = outbox.enterprise
            AND audit.account_type = outbox.account_type AND audit.account_id = outbox.account_id
        WHERE (outbox.sequence, outbox.target) > ($1, $2)
        ORDER BY outbox.sequence, outbox.target LIMIT $3
        """
    )
    private static let countWaiting = Statement(
        "SELECT COUNT(*) FROM (SELECT 1 FROM outbox WHERE state = 0 LIMIT $1) AS waiting"
    )
    private static let countDead = Statement(
        "SELECT COUNT(*) FROM (SELECT 1 FROM outbox WHERE state = 2 LIMIT $1) AS dead"
    )
    private static let selectDelivery = Statement(
        """
        SELECT sequence, target, enterprise, account_type, account_id, subject, tries, due, state
        FROM outbox WHERE sequence = $1 AND target = $2
        """
    )
    private static let selectDeliveries = Statement(
        """
        SELECT sequence, target, enterprise, account_type, account_id, subject, tries, due, state
        FROM outbox WHERE state = $1 AND sequence > $2 ORDER BY sequence, target LIMIT $3
        """
    )
    private static let selectWaiting = Statement(
        """
        SELECT sequence, target, enterprise, account_type, account_id, subject, tries, due, state
        FROM outbox WHERE enterprise = $1 AND state = 0 AND sequence > $2
        ORDER BY sequence, target LIMIT $3
        """
    )
    private static let selectDead = Statement(
        """
        SELECT sequence, target, enterprise, account_type, account_id, subject, tries, due, state
        FROM outbox WHERE enterprise = $1 AND state = 2 AND sequence > $2
        ORDER BY sequence, target LIMIT $3
        """
    )
    private static let insertDelivery = Statement(
        """
        INSERT INTO outbox (sequence, target, enterprise, account_type, account_id, subject, due,
            tries, state)
        VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 0)
        """
    )
    private static let updateDelivery = Statement(
        """
        UPDATE outbox SET tries = $3, due = $4, state = $5 WHERE sequence = $1 AND target = $2
        """
    )
    private static let selectDue = Statement(
        """
        SELECT sequence, target, enterprise, account_type, account_id, subject, tries, due, state
        FROM outbox AS candidate
        WHERE state = 0 AND due <= $1 AND target = $2 AND NOT EXISTS (
            SELECT 1 FROM outbox AS earlier
            WHERE earlier.enterprise = candidate.enterprise
                AND earlier.account_type = candidate.account_type
                AND earlier.account_id = candidate.account_id
                AND earlier.sequence < candidate.sequence
                AND earlier.target = candidate.target AND earlier.state = 0)
        ORDER BY due LIMIT $3
        """
    )
}

extension Delivery {
    fileprivate init(_ row: Row) throws(StoreFailure) {
        self.init(
            sequence: try row.number(0),
            target: try row.value(1),
            account: try row.account(2),
            subject: try row.text(5),
            tries: Int(try row.integer(6)),
            due: try row.moment(7),
            state: try row.value(8)
        )
    }
}
