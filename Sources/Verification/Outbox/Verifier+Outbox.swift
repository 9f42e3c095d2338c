import Storage
package import TransactionApproval

extension Verifier {
    /// How long a dispatcher reserves a delivery.
    package static let deliveryLease = Duration.seconds(60)

    /// Takes the due deliveries.
    ///
    /// The bank gets those of an account in order, one at a time; a retried dead one can come
    /// later. Pushes have no order, because a new transaction must not wait for a failed one. A
    /// delivery that is not noted before its lease ends is due again: delivery is at least once.
    /// Deliveries without a receiver are marked as delivered and returned. With
    /// `shares`, no enterprise gets more than its share of the slots.
    package func takeDeliveries(
        to target: Delivery.Target,
        limit: Int,
        shares: DeliveryShares? = nil,
        hasReceiver: @escaping @Sendable (Delivery) -> Bool = { _ in true }
    ) async throws(Failure) -> [Delivery] {
        try await write { [clock] ledger throws(StoreFailure) in
            let now = clock.now(in: try ledger.state())
            var (taken, shares): ([Delivery], DeliveryShares?) = ([], shares)
            let due = try ledger.dueDeliveries(
                to: target,
                at: now,
                limit: limit,
                except: shares?.exhausted ?? []
            )
            for var delivery in due {
                if hasReceiver(delivery) {
                    guard shares?.begin(delivery.concern.enterprise) ?? true else { continue }
                    delivery.lease(until: now + Self.deliveryLease)
                } else {
                    delivery.succeed(at: now)
                }
                try ledger.save(delivery, at: now)
                taken.append(delivery)
            }
            return taken
        }
    }

    /// The content of a delivery; nil if the transaction ended or the device turned notifications
    /// off.
    package func notice(of delivery: Delivery) async throws(Failure) -> Notice? {
        try await readOutcomes { [clock, proven] ledger throws(StoreFailure) in
            // A delivery has no tag; its record has one.
            guard let record = try ledger.auditRecord(delivery.sequence), delivery.isOf(record)
            else { throw .forged(row: "outbox sequence=\(delivery.sequence)") }
            switch delivery.target {
            case .webhook:
                guard record.event.kind.notifiesBank else { return nil }
                let reference = try ledger.reference(of: record.event, proven)
                return .event(EventNotice(record: record, reference: reference))
            case .push:
                guard let device = delivery.device else { return nil }
                let now = clock.now(in: try ledger.state())
                return try ledger.pushNotice(of: record, to: device, at: now).map { .push($0) }
            }
        } isOutcome: { notice in
            if case .event? = notice { true } else { false }
        }
    }

    package enum DeliveryResult: Sendable {
        case delivered
        /// `jitter` is a random number from 0 to 1.
        case failed(jitter: Double, minimumWait: Duration = .zero)
        /// Not attempted.
        case postponed(by: Duration, jitter: Double)
    }

    /// Records the result of a delivery; returns its state, or nil if it no longer exists.
    ///
    /// A push for a transaction that will have ended by then is dropped.
    @discardableResult
    package func note(
        _ result: DeliveryResult,
        of delivery: Delivery
    ) async throws(Failure) -> Delivery.State? {
        try await write { [clock] ledger throws(StoreFailure) in
            let now = clock.now(in: try ledger.state())
            let found = try ledger.delivery(
                delivery.sequence,
                to: delivery.target,
                on: delivery.device
            )
            guard var kept = found else { return nil }
            switch result {
            case .delivered: kept.succeed(at: now)
            case .failed(let jitter, let minimumWait):
                kept.fail(at: now, jitter: jitter, minimumWait: minimumWait)
            case .postponed(let wait, let jitter):
                kept.postpone(at: now, by: wait, jitter: jitter)
            }
            if kept.target == .push, try !ledger.isPending(kept.subject, at: kept.due ?? now) {
                kept.succeed(at: now)
            }
            try ledger.save(kept, at: now)
            return kept.state
        }
    }

    /// Retries the deliveries of a record, or only those in one state; returns how many.
    ///
    /// A delivery that is being sent at the same time can arrive twice.
    package func retry(
        _ sequence: UInt64,
        to target: Delivery.Target,
        only state: Delivery.Unfinished? = nil,
        in enterprise: EnterpriseID? = nil,
        by author: ChangeAuthor
    ) async throws(Failure) -> Int {
        try await change(by: author) { context throws(StoreFailure) in
            var count = 0
            for var kept in try context.ledger.deliveries(of: sequence, to: target)
            where kept.concern.enterprise == enterprise ?? kept.concern.enterprise
                && kept.state == state.map({ Delivery.State($0) }) ?? kept.state
            {
                let isBehind = try context.ledger.isBehindEarlier(kept)
                guard
                    kept.retry(at: context.now, behindEarlier: isBehind, events: &context.events)
                else { continue }
                try context.ledger.save(kept, at: context.now)
                count += 1
            }
            return count
        }
    }

    /// Unfinished deliveries of one enterprise in order, after `sequence`.
    package func deliveries(
        _ state: Delivery.Unfinished,
        of enterprise: EnterpriseID,
        after sequence: UInt64,
        limit: Int
    ) async throws(Failure) -> [QueuedDelivery] {
        try await read { ledger throws(StoreFailure) in
            let found = try ledger.deliveries(state, of: enterprise, after: sequence, limit: limit)
            return try ledger.queued(found)
        }
    }

    /// The number of undelivered messages, each state counted up to `limit`.
    package func undelivered(countedTo limit: Int) async throws(Failure) -> UndeliveredCount {
        try await read(isScan: true) { ledger throws(StoreFailure) in
            try ledger.undelivered(countedTo: limit)
        }
    }
}

extension Delivery {
    fileprivate func isOf(_ record: AuditRecord) -> Bool {
        concern == record.event.concern && subject == record.event.subject
    }
}

package struct UndeliveredCount: Sendable {
    package let waiting: Int
    package let dead: Int
}
