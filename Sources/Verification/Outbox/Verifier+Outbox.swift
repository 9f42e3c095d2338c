package import TransactionApproval

extension Verifier {
    /// How long whoever takes a delivery has it to himself.
    package static let deliveryLease = Duration.seconds(60)

    /// Takes what is due: to the bank of each account the oldest alone, so that nothing overtakes
    /// what came before it, but for what was given up and is tried again later; to devices whatever
    /// there is, since what asks for one's approval now waits for nothing that failed.
    ///
    /// Whoever takes one says how it went, or it is due again when the lease is over: it is
    /// delivered at least once. What is for nobody is delivered with that, and given as such.
    package func takeDeliveries(
        to target: Delivery.Target,
        limit: Int,
        isForSomebody: @escaping @Sendable (Delivery) -> Bool = { _ in true }
    ) async throws(Failure) -> [Delivery] {
        try await write { [clock] ledger throws(StoreFailure) in
            let now = clock.now(in: try ledger.state())
            var taken: [Delivery] = []
            for var delivery in try ledger.dueDeliveries(to: target, at: now, limit: limit) {
                if isForSomebody(delivery) {
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

    /// What a delivery has to say; nil where that is nothing any more: the transaction ended, or
    /// the device does not want to hear of it.
    package func notice(of delivery: Delivery) async throws(Failure) -> Notice? {
        try await read { [clock] ledger throws(StoreFailure) in
            guard let record = try ledger.auditRecord(delivery.sequence) else { throw .damaged }
            switch delivery.target {
            case .webhook: return .event(record)
            case .push:
                guard let device = delivery.device else { throw .damaged }
                let now = clock.now(in: try ledger.state())
                return try ledger.pushNotice(of: record, to: device, at: now).map { .push($0) }
            }
        }
    }

    package enum DeliveryResult: Sendable {
        case delivered
        /// `jitter` is from 0 to 1, at random.
        case failed(jitter: Double, minimumWait: Duration = .zero)
        /// Not tried.
        case postponed(by: Duration, jitter: Double)
    }

    /// Notes how a delivery went; gives its state, or nil where it is not there any more.
    ///
    /// Nobody is woken for what will have ended by then: such a delivery is done with.
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

    /// Has what was given up tried again, to the bank or to devices; gives how many deliveries that
    /// was, in that enterprise if one is named.
    package func retry(
        _ sequence: UInt64,
        to target: Delivery.Target,
        in enterprise: EnterpriseID? = nil,
        by actor: Actor = .operatorCommand
    ) async throws(Failure) -> Int {
        try await change(by: actor) { scene throws(StoreFailure) in
            var count = 0
            for var kept in try scene.ledger.deliveries(of: sequence, to: target)
            where kept.account.enterprise == enterprise ?? kept.account.enterprise {
                let isBehind = try scene.ledger.isBehindEarlier(kept)
                guard
                    kept.retry(at: scene.now, behindEarlier: isBehind, events: &scene.events)
                else { continue }
                try scene.ledger.save(kept, at: scene.now)
                count += 1
            }
            return count
        }
    }

    /// What waits or was given up, in its order from `sequence` on.
    package func deliveries(
        _ state: Delivery.State,
        after sequence: UInt64 = 0,
        limit: Int
    ) async throws(Failure) -> [Delivery] {
        try await read { ledger throws(StoreFailure) in
            try ledger.deliveries(state, after: sequence, limit: limit)
        }
    }

    /// What of one enterprise waits or was given up, in its order from `sequence` on.
    package func deliveries(
        _ state: Delivery.Unfinished,
        of enterprise: EnterpriseID,
        after sequence: UInt64,
        limit: Int
    ) async throws(Failure) -> [Delivery] {
        try await read { ledger throws(StoreFailure) in
            try ledger.deliveries(state, of: enterprise, after: sequence, limit: limit)
        }
    }

    /// How much is not delivered, of each state up to `limit`.
    package func undelivered(
        countedTo limit: Int
    ) async throws(Failure) -> UndeliveredCount {
        try await read { ledger throws(StoreFailure) in
            try ledger.undelivered(countedTo: limit)
        }
    }
}

/// What waits to be delivered, and what was given up.
package struct UndeliveredCount: Sendable {
    package let waiting: Int
    package let dead: Int
}
