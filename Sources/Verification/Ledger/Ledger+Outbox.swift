package import Storage
package import TransactionApproval

extension Ledger {
    /// Queues the webhook and the pushes that a record causes.
    func queueDeliveries(of record: AuditRecord) throws(StoreFailure) {
        if record.event.kind.notifiesBank { try queueWebhook(for: record) }
        if record.event.isPushed { try queuePushes(for: record) }
    }

    /// Queues a webhook for a record: due now, or after the earlier webhooks of the account.
    private func queueWebhook(for record: AuditRecord) throws(StoreFailure) {
        guard let values = record.outboxValues else { return }
        try connection.change(Self.insertWebhook, values)
    }

    /// Queues a push for each device of the account that wants pushes.
    private func queuePushes(for record: AuditRecord) throws(StoreFailure) {
        guard let values = record.outboxValues else { return }
        try connection.change(Self.insertPushes, values, rowCount: nil)
    }

    /// Saves a delivery.
    ///
    /// If a webhook has ended, the account's next one becomes due.
    package func save(_ delivery: Delivery, at now: Timestamp) throws(StoreFailure) {
        try connection.change(Self.updateDelivery, delivery.stored)
        guard delivery.target == .webhook, delivery.state != .waiting else { return }
        let concern = [SQLValue].concern(delivery.concern)
        try connection.change(Self.advance, concern + [SQLValue(now)], rowCount: nil)
    }

    /// Whether an earlier webhook of the account is waiting.
    func isBehindEarlier(_ delivery: Delivery) throws(StoreFailure) -> Bool {
        guard delivery.target == .webhook else { return false }
        let values = [SQLValue].concern(delivery.concern) + [SQLValue(delivery.sequence)]
        return try row(Self.selectEarlier, values) != nil
    }

    /// The deliveries, each with the first one of its account if it waits for that.
    func queued(_ deliveries: [Delivery]) throws(StoreFailure) -> [QueuedDelivery] {
        var firsts: [EventConcern: UInt64] = [:]
        for delivery in deliveries
        where delivery.due == nil && firsts[delivery.concern] == nil {
            firsts[delivery.concern] = try firstWaiting(of: delivery.concern)
        }
        return deliveries.map { delivery in
            let first = delivery.due == nil ? firsts[delivery.concern] : nil
            return QueuedDelivery(
                delivery: delivery,
                waitsFor: first.flatMap { $0 < delivery.sequence ? $0 : nil }
            )
        }
    }

    private func firstWaiting(of concern: EventConcern) throws(StoreFailure) -> UInt64? {
        try row(Self.selectFirst, .concern(concern))?.number(.sequence)
    }

    /// The deliveries that are due.
    ///
    /// It reads no row that waits for another one or for a later time.
    ///
    /// It also skips the rows of `enterprises`; the name of an enterprise is never empty. A malformed
    /// row is replaced, so that it stops no other one.
    package func dueDeliveries(
        to target: Delivery.Target,
        at now: Timestamp,
        limit: Int,
        except enterprises: [EnterpriseID] = []
    ) throws(StoreFailure) -> [Delivery] {
        let padding = DeliveryShares.slotCount - enterprises.count
        let names = enterprises.map { SQLValue($0) } + Array(repeating: .text(""), count: padding)
        let values = [SQLValue(now), SQLValue(target), SQLValue(limit)]
        var found: [Delivery] = []
        for row in try connection.rows(Self.selectDue, values + names) {
            if let delivery = try Delivery(orNilIfMalformed: row) {
                found.append(delivery)
            } else {
                try replaceMalformed(row, at: now)
            }
        }
        return found
    }

    /// Removes a delivery that another program changed; a webhook is queued again.
    ///
    /// A lost push is only a hint, and rows of another program among the devices could bring it back.
    private func replaceMalformed(_ row: Row, at now: Timestamp) throws(StoreFailure) {
        let key = try row[Table.outbox.key]
        try connection.change(Self.deleteMalformed, key, rowCount: 1)
        recorded.skipped.append(.forged(row: Table.outbox.description(of: key)))
        try requeueWebhook(of: key)
        // Webhooks of another account can wait for this row.
        let account = try row[[Column].account]
        try connection.change(Self.advance, account + [SQLValue(now)], rowCount: nil)
    }

    private func requeueWebhook(of key: [SQLValue]) throws(StoreFailure) {
        guard
            case .integer(let number) = key[0], let sequence = UInt64(exactly: number),
            case .integer(let target) = key[1], target == Delivery.Target.webhook.rawValue
        else { return }
        _ = try skippingForged { () throws(StoreFailure) in
            guard let record = try auditRecord(sequence), record.event.kind.notifiesBank else {
                return
            }
            try queueWebhook(for: record)
        }
    }

    package func delivery(
        _ sequence: UInt64,
        to target: Delivery.Target,
        on device: DeviceID? = nil
    ) throws(StoreFailure) -> Delivery? {
        try deliveries(of: sequence, to: target).first { $0.device == device }
    }

    /// One webhook, or one push for each device.
    func deliveries(
        of sequence: UInt64,
        to target: Delivery.Target
    ) throws(StoreFailure) -> [Delivery] {
        try deliveries(Self.selectOfRecord, [SQLValue(sequence), SQLValue(target)])
    }

    package func deliveries(
        _ state: Delivery.State,
        after sequence: UInt64,
        limit: Int
    ) throws(StoreFailure) -> [Delivery] {
        let values = [SQLValue(state), SQLValue(sequence), SQLValue(limit)]
        return try deliveries(Self.selectDeliveries, values)
    }

    /// The deliveries of one enterprise that wait, or are dead letters.
    ///
    /// It returns about `limit`, and all of the last record, so that the next page can start after
    /// that record.
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
        let values = [SQLValue(enterprise), SQLValue(sequence), SQLValue(limit)]
        let found = try deliveries(statement, values)
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

    /// The bank's reference of the transaction that the event concerns.
    ///
    /// After a restore, the store can lack a transaction that the trail has.
    func reference(
        of event: Event,
        _ proven: ProvenDecisions
    ) throws(StoreFailure) -> ExternalReference? {
        guard event.kind.concernsTransaction else { return nil }
        guard let id = TransactionID(event.subject) else { throw .damaged }
        guard let record = try transactionOrArchived(id) else { return nil }
        try checkEvidence(of: record, proven)
        return try record.transaction().reference
    }

    private func count(_ statement: Statement, _ limit: Int) throws(StoreFailure) -> Int {
        guard let row = try row(statement, [SQLValue(limit)]) else { throw .damaged }
        return Int(try row.integer(.count))
    }

    /// Without malformed rows, which `dueDeliveries` replaces.
    private func deliveries(
        _ statement: Statement,
        _ values: [SQLValue]
    ) throws(StoreFailure) -> [Delivery] {
        try rows(statement, values) { row throws(StoreFailure) in
            try Delivery(orNilIfMalformed: row)
        }.compactMap(\.self)
    }

    /// The deliveries after `last`, each with whether it agrees with its audit record.
    func deliveries(
        after last: [SQLValue]?,
        limit: Int
    ) throws(StoreFailure) -> [(key: [SQLValue], isOfRecord: Bool)] {
        let rows = try connection.rows(Self.selectWithRecord, after: last, limit: limit)
        return try rows.map { row throws(StoreFailure) in
            (try row[Table.outbox.key], try !row.isNull(.auditSequence))
        }
    }

    private static let selectWithRecord = PagedStatement(
        """
        SELECT \(Table.outbox.key, of: .outbox),
            \(.auditSequence, from: "audit.sequence")
        FROM outbox LEFT JOIN audit ON audit.sequence = outbox.sequence
            AND audit.subject = outbox.subject AND audit.enterprise = outbox.enterprise
            AND coalesce(audit.account_type, '') = outbox.account_type
            AND coalesce(audit.account_id, '') = outbox.account_id
        """,
        by: Table.outbox.key,
        of: .outbox
    )
    private static let countWaiting = Statement(
        """
        SELECT \(.count, from: "COUNT(*)")
        FROM (SELECT 1 FROM outbox WHERE state = \(Delivery.State.waiting) LIMIT $1) AS waiting
        """
    )
    private static let countDead = Statement(
        """
        SELECT \(.count, from: "COUNT(*)")
        FROM (SELECT 1 FROM outbox WHERE state = \(Delivery.State.dead) LIMIT $1) AS dead
        """
    )
    private static let selectOfRecord = Statement(
        """
        SELECT \(Table.outbox.columns) FROM outbox WHERE \(match: [.sequence, .target])
        ORDER BY device
        """
    )
    private static let selectDeliveries = Statement(
        """
        SELECT \(Table.outbox.columns) FROM outbox WHERE \(match: [.state]) AND sequence > $2
        ORDER BY sequence, target, device LIMIT $3
        """
    )
    private static let selectWaiting = Statement(
        """
        SELECT \(Table.outbox.columns) FROM outbox
        WHERE \(match: [.enterprise]) AND state = \(Delivery.State.waiting) AND sequence > $2
        ORDER BY sequence, target, device LIMIT $3
        """
    )
    private static let selectDead = Statement(
        """
        SELECT \(Table.outbox.columns) FROM outbox
        WHERE \(match: [.enterprise]) AND state = \(Delivery.State.dead) AND sequence > $2
        ORDER BY sequence, target, device LIMIT $3
        """
    )
    /// Replaces a row that another program wrote, so that it does not stop the event.
    private static let insertWebhook = Statement(
        """
        INSERT INTO outbox (\(names: .account + [
            .sequence, .target, .subject, .started, .due, .tries, .state,
        ]))
        VALUES (\(valueOf: .enterprise), \(valueOf: .accountType), \(valueOf: .accountID),
            \(valueOf: .sequence), \(Delivery.Target.webhook), \(valueOf: .subject),
            \(valueOf: .started), CASE WHEN EXISTS (
                SELECT 1 FROM outbox
                WHERE \(match: .account) AND target = \(Delivery.Target.webhook)
                    AND state = \(Delivery.State.waiting) AND sequence < \(valueOf: .sequence))
            THEN NULL ELSE \(valueOf: .started) END, 0, \(Delivery.State.waiting))
        ON CONFLICT (sequence, target, device) DO UPDATE SET
            enterprise = excluded.enterprise, account_type = excluded.account_type,
            account_id = excluded.account_id, subject = excluded.subject,
            started = excluded.started, due = excluded.due, tries = excluded.tries,
            state = excluded.state
        """
    )
    /// Whether the device is an active installation is checked when the push is due.
    ///
    /// Replaces rows like `insertWebhook`.
    private static let insertPushes = Statement(
        """
        INSERT INTO outbox (\(names: .account + [
            .device, .sequence, .target, .subject, .started, .due, .tries, .state,
        ]))
        SELECT \(names: .account + [.id]), \(valueOf: .sequence), \(Delivery.Target.push),
            \(valueOf: .subject), \(valueOf: .started), \(valueOf: .started), 0,
            \(Delivery.State.waiting)
        FROM devices
        WHERE \(match: .account) AND notifications <> '' AND notifications <> 'off'
        ON CONFLICT (sequence, target, device) DO UPDATE SET
            enterprise = excluded.enterprise, account_type = excluded.account_type,
            account_id = excluded.account_id, subject = excluded.subject,
            started = excluded.started, due = excluded.due, tries = excluded.tries,
            state = excluded.state
        """
    )
    private static let updateDelivery = Statement(
        """
        UPDATE outbox SET \(set: [.tries, .started, .due, .state])
        WHERE \(match: Table.outbox.key)
        """
    )
    private static let deleteMalformed = Statement(
        "DELETE FROM outbox WHERE \(match: Table.outbox.key)"
    )
    /// Changes at most one row: the first waiting webhook, if it waits for an earlier one.
    private static let advance = Statement(
        """
        UPDATE outbox SET due = $4
        WHERE target = \(Delivery.Target.webhook) AND due IS NULL AND sequence = (
            SELECT sequence FROM outbox
            WHERE \(match: .account) AND target = \(Delivery.Target.webhook)
                AND state = \(Delivery.State.waiting)
            ORDER BY sequence LIMIT 1)
        """
    )
    private static let selectEarlier = Statement(
        """
        SELECT 1 FROM outbox
        WHERE \(match: .account) AND target = \(Delivery.Target.webhook)
            AND state = \(Delivery.State.waiting) AND sequence < $4
        LIMIT 1
        """
    )
    private static let selectFirst = Statement(
        """
        SELECT \([.sequence]) FROM outbox
        WHERE \(match: .account) AND target = \(Delivery.Target.webhook)
            AND state = \(Delivery.State.waiting)
        ORDER BY sequence LIMIT 1
        """
    )
    private static let selectDue = Statement(
        """
        SELECT \(Table.outbox.columns) FROM outbox
        WHERE state = \(Delivery.State.waiting) AND due <= $1 AND target = $2
            AND enterprise NOT IN ($4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
                $18, $19)
        ORDER BY due LIMIT $3
        """
    )
}

extension AuditRecord {
    /// Nil for a record that concerns the whole store.
    fileprivate var outboxValues: NamedValues? {
        event.concern.map {
            .concern($0) + [
                .sequence: SQLValue(sequence), .subject: .text(event.subject),
                .started: SQLValue(moment),
            ]
        }
    }
}

extension Delivery {
    /// Nil if another program wrote the row: its columns have no tag.
    fileprivate init?(orNilIfMalformed row: Row) throws(StoreFailure) {
        do throws(StoreFailure) {
            self = try Delivery(row)
        } catch {
            guard error == .damaged else { throw error }
            return nil
        }
    }

    private init(_ row: Row) throws(StoreFailure) {
        guard let concern = try row.concern() else { throw .damaged }
        self.init(
            sequence: try row.number(.sequence),
            target: try row.value(.target),
            // A part of a primary key is never null.
            device: try row.bytes(.device).isEmpty ? nil : try row.identifier(.device),
            concern: concern,
            subject: try row.text(.subject),
            // The column has no tag, so another program can have written any number.
            tries: Int(
                clamping: min(max(try row.integer(.tries), 0), Int64(Delivery.maximumTries))
            ),
            started: try row.moment(.started),
            due: try row.optionalMoment(.due),
            state: try row.value(.state)
        )
    }

    fileprivate var stored: NamedValues {
        [
            .sequence: SQLValue(sequence), .target: SQLValue(target),
            .device: .bytes(device?.bytes ?? []), .tries: SQLValue(tries),
            .started: SQLValue(started), .due: SQLValue(due), .state: SQLValue(state),
        ]
    }
}
