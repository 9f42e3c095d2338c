package import TransactionApproval

extension Ledger {
    /// Has the bank told of a record: at once, or after what it is to be told of the account before.
    func tellBank(of record: AuditRecord) throws(StoreFailure) {
        guard let account = record.event.account else { return }
        try change(
            Self.insertForBank,
            .account(account) + [
                SQLValue(record.sequence), .text(record.event.subject), SQLValue(record.moment),
            ]
        )
    }

    /// Has each device of the account woken that wants to be, for itself.
    func wakeDevices(for record: AuditRecord) throws(StoreFailure) {
        guard let account = record.event.account else { return }
        _ = try connection.run(
            Self.insertForDevices,
            .account(account) + [
                SQLValue(record.sequence), .text(record.event.subject), SQLValue(record.moment),
            ]
        )
    }

    /// Lets the next one of the account come where the bank hears no more of this one.
    package func save(_ delivery: Delivery, at now: Timestamp) throws(StoreFailure) {
        try change(
            Self.updateDelivery,
            [
                SQLValue(delivery.sequence), .integer(Int64(delivery.target.rawValue)),
                .ofDevice(delivery.device), .integer(Int64(delivery.tries)),
                SQLValue(delivery.since), SQLValue(delivery.due),
                .integer(Int64(delivery.state.rawValue)),
            ]
        )
        guard delivery.target == .webhook, delivery.state != .waiting else { return }
        _ = try connection.run(Self.advance, .account(delivery.account) + [SQLValue(now)])
    }

    /// Whether the bank waits to be told something of the account that came before this.
    func isBehindEarlier(_ delivery: Delivery) throws(StoreFailure) -> Bool {
        guard delivery.target == .webhook else { return false }
        let values = [SQLValue].account(delivery.account) + [SQLValue(delivery.sequence)]
        return try row(Self.selectEarlier, values) != nil
    }

    /// What is to be tried now; no row is looked at that waits for another or for a later moment.
    ///
    /// None of `enterprises` is looked at either; names of enterprises are never empty.
    package func dueDeliveries(
        to target: Delivery.Target,
        at now: Timestamp,
        limit: Int,
        except enterprises: [EnterpriseID] = []
    ) throws(StoreFailure) -> [Delivery] {
        let values = [
            SQLValue(now), .integer(Int64(target.rawValue)), .integer(Int64(limit)),
        ]
        let padding = DeliveryShares.slotCount - enterprises.count
        let names = enterprises.map { SQLValue($0) } + Array(repeating: .text(""), count: padding)
        return try connection.rows(Self.selectDue, values + names)
            .map { row throws(StoreFailure) in try Delivery(row) }
    }

    package func delivery(
        _ sequence: UInt64,
        to target: Delivery.Target,
        on device: DeviceID? = nil
    ) throws(StoreFailure) -> Delivery? {
        try deliveries(of: sequence, to: target).first { $0.device == device }
    }

    /// One to the bank, or one to each device.
    func deliveries(
        of sequence: UInt64,
        to target: Delivery.Target
    ) throws(StoreFailure) -> [Delivery] {
        let values = [SQLValue(sequence), .integer(Int64(target.rawValue))]
        return try connection.rows(Self.selectOfRecord, values)
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

    /// Those of one enterprise that wait or were given up: some `limit`, and then to the end of the
    /// last one's record, so that whoever goes on after that record has missed none.
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
        let found = try connection.rows(
            statement,
            [SQLValue(enterprise), SQLValue(sequence), .integer(Int64(limit))]
        ).map { row throws(StoreFailure) in try Delivery(row) }
        guard found.count == limit, let last = found.last else { return found }
        let whole =
            try deliveries(of: last.sequence, to: .webhook)
            + deliveries(of: last.sequence, to: .push)
        return found.filter { $0.sequence != last.sequence }
            + whole.filter { $0.state == last.state }
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
        after last: DeliveryKey,
        limit: Int
    ) throws(StoreFailure) -> [(key: DeliveryKey, isOfRecord: Bool)] {
        let values: [SQLValue] = [
            .integer(last.sequence), .integer(last.target), .bytes(last.device),
        ]
        return try connection.rows(Self.selectWithRecord, values + [.integer(Int64(limit))])
            .map { row throws(StoreFailure) in
                let key = (try row.integer(0), try row.integer(1), try row.bytes(2))
                return (key, try row.optionalInteger(3) != nil)
            }
    }

    /// What names a row, whatever is in it.
    typealias DeliveryKey = (sequence: Int64, target: Int64, device: [UInt8])

    private static let selectWithRecord = Statement(
        """
        SELECT outbox.sequence, outbox.target, outbox.device, audit.sequence
        FROM outbox LEFT JOIN audit ON audit.sequence = outbox.sequence
            AND audit.subject = outbox.subject AND audit.enterprise = outbox.enterprise
            AND audit.account_type = outbox.account_type AND audit.account_id = outbox.account_id
        WHERE (outbox.sequence, outbox.target, outbox.device) > ($1, $2, $3)
        ORDER BY outbox.sequence, outbox.target, outbox.device LIMIT $4
        """
    )
    private static let countWaiting = Statement(
        "SELECT COUNT(*) FROM (SELECT 1 FROM outbox WHERE state = 0 LIMIT $1) AS waiting"
    )
    private static let countDead = Statement(
        "SELECT COUNT(*) FROM (SELECT 1 FROM outbox WHERE state = 2 LIMIT $1) AS dead"
    )
    private static let selectOfRecord = Statement(
        """
        SELECT sequence, target, device, enterprise, account_type, account_id, subject, tries, since,
            due, state
        FROM outbox WHERE sequence = $1 AND target = $2 ORDER BY device
        """
    )
    private static let selectDeliveries = Statement(
        """
        SELECT sequence, target, device, enterprise, account_type, account_id, subject, tries, since,
            due, state
        FROM outbox WHERE state = $1 AND sequence > $2 ORDER BY sequence, target, device LIMIT $3
        """
    )
    private static let selectWaiting = Statement(
        """
        SELECT sequence, target, device, enterprise, account_type, account_id, subject, tries, since,
            due, state
        FROM outbox WHERE enterprise = $1 AND state = 0 AND sequence > $2
        ORDER BY sequence, target, device LIMIT $3
        """
    )
    private static let selectDead = Statement(
        """
        SELECT sequence, target, device, enterprise, account_type, account_id, subject, tries, since,
            due, state
        FROM outbox WHERE enterprise = $1 AND state = 2 AND sequence > $2
        ORDER BY sequence, target, device LIMIT $3
        """
    )
    /// What is added has the largest number, so whatever of the account waits comes before it.
    private static let insertForBank = Statement(
        """
        INSERT INTO outbox (sequence, target, enterprise, account_type, account_id, subject, since,
            due, tries, state)
        VALUES ($4, 1, $1, $2, $3, $5, $6, CASE WHEN EXISTS (
            SELECT 1 FROM outbox
            WHERE enterprise = $1 AND account_type = $2 AND account_id = $3 AND target = 1
                AND state = 0) THEN NULL ELSE $6 END, 0, 0)
        """
    )
    /// What wants no push, and what is no installation or not active, is asked again when it is due.
    private static let insertForDevices = Statement(
        """
        INSERT INTO outbox (sequence, target, device, enterprise, account_type, account_id, subject,
            since, due, tries, state)
        SELECT $4, 2, id, enterprise, account_type, account_id, $5, $6, $6, 0, 0
        FROM devices
        WHERE enterprise = $1 AND account_type = $2 AND account_id = $3
            AND notifications <> '' AND notifications <> 'off'
        """
    )
    private static let updateDelivery = Statement(
        """
        UPDATE outbox SET tries = $4, since = $5, due = $6, state = $7
        WHERE sequence = $1 AND target = $2 AND device = $3
        """
    )
    /// At most one row: the first that waits, where it waited for the one before.
    private static let advance = Statement(
        """
        UPDATE outbox SET due = $4
        WHERE target = 1 AND due IS NULL AND sequence = (
            SELECT sequence FROM outbox
            WHERE enterprise = $1 AND account_type = $2 AND account_id = $3 AND target = 1
                AND state = 0
            ORDER BY sequence LIMIT 1)
        """
    )
    private static let selectEarlier = Statement(
        """
        SELECT 1 FROM outbox
        WHERE enterprise = $1 AND account_type = $2 AND account_id = $3 AND target = 1
            AND state = 0 AND sequence < $4
        LIMIT 1
        """
    )
    private static let selectDue = Statement(
        """
        SELECT sequence, target, device, enterprise, account_type, account_id, subject, tries, since,
            due, state
        FROM outbox
        WHERE state = 0 AND due <= $1 AND target = $2
            AND enterprise NOT IN ($4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
                $18, $19)
        ORDER BY due LIMIT $3
        """
    )
}

extension Delivery {
    fileprivate init(_ row: Row) throws(StoreFailure) {
        self.init(
            sequence: try row.number(0),
            target: try row.value(1),
            device: try row.bytes(2).isEmpty ? nil : try row.identifier(2),
            account: try row.account(3),
            subject: try row.text(6),
            tries: Int(try row.integer(7)),
            since: try row.moment(8),
            due: try row.optionalMoment(9),
            state: try row.value(10)
        )
    }
}

extension SQLValue {
    /// A part of a key is never null.
    fileprivate static func ofDevice(_ device: DeviceID?) -> SQLValue {
        device.map { SQLValue($0) } ?? .bytes([])
    }
}
