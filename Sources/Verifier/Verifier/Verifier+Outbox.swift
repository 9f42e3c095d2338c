package import TransactionApproval

extension Verifier {
    /// How long whoever takes a delivery has it to himself.
    package static let deliveryLease = Duration.seconds(60)

    /// Takes what is due, the oldest of each account alone.
    ///
    /// Whoever takes one says how it went, or it is due again when the lease is over: it is
    /// delivered at least once, and what comes after it waits. What is for nobody is delivered with
    /// that, and given as such.
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
                try ledger.save(delivery)
                taken.append(delivery)
            }
            return taken
        }
    }

    /// What a delivery has to say; nil where that is nothing any more: the transaction ended, or
    /// nobody wants to hear of it.
    package func notice(of delivery: Delivery) async throws(Failure) -> Notice? {
        try await read { [clock] ledger throws(StoreFailure) in
            guard let record = try ledger.auditRecord(delivery.sequence) else { throw .damaged }
            switch delivery.target {
            case .webhook: return .event(record)
            case .push:
                let now = clock.now(in: try ledger.state())
                return try ledger.pushNotice(of: record, at: now).map { .push($0) }
            }
        }
    }

    package enum DeliveryResult: Sendable {
        case delivered
        /// `jitter` is from 0 to 1, at random.
        case failed(jitter: Double, leastWait: Duration = .zero)
    }

    /// Notes how a delivery went; gives its state, or nil where it is not there any more.
    @discardableResult
    package func note(
        _ result: DeliveryResult,
        of delivery: Delivery
    ) async throws(Failure) -> Delivery.State? {
        try await write { [clock] ledger throws(StoreFailure) in
            let now = clock.now(in: try ledger.state())
            guard var kept = try ledger.delivery(delivery.sequence, to: delivery.target) else {
                return nil
            }
            switch result {
            case .delivered: kept.succeed(at: now)
            case .failed(let jitter, let leastWait):
                kept.fail(at: now, jitter: jitter, leastWait: leastWait)
            }
            try ledger.save(kept)
            return kept.state
        }
    }

    /// Has a delivery that was given up tried again; false where none was, in that enterprise if one
    /// is named.
    package func retry(
        _ sequence: UInt64,
        to target: Delivery.Target,
        in enterprise: EnterpriseID? = nil,
        by actor: Actor = .operatorCommand
    ) async throws(Failure) -> Bool {
        try await change(by: actor) { scene throws(StoreFailure) in
            guard
                var kept = try scene.ledger.delivery(sequence, to: target),
                kept.account.enterprise == enterprise ?? kept.account.enterprise,
                kept.retry(at: scene.now, events: &scene.events)
            else { return false }
            try scene.ledger.save(kept)
            return true
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
