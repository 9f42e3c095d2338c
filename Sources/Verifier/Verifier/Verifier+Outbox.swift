import TransactionApproval

extension Verifier {
    /// How long whoever takes a delivery has it to himself.
    package static let deliveryLease = Duration.seconds(60)

    /// Takes what is due, the oldest of each account and target alone.
    ///
    /// Whoever takes one says how it went, or it is due again when the lease is over: it is
    /// delivered at least once, and what comes after it waits.
    package func takeDeliveries(limit: Int) async throws(Failure) -> [Delivery] {
        let now = clock.now
        return try await write { ledger throws(StoreFailure) in
            var taken: [Delivery] = []
            for delivery in try ledger.dueDeliveries(at: now, limit: limit) {
                var leased = delivery
                leased.lease(until: now + Self.deliveryLease)
                try ledger.save(leased)
                taken.append(leased)
            }
            return taken
        }
    }

    package enum DeliveryResult: Sendable {
        case delivered
        /// From 0 to 1, at random.
        case failed(jitter: Double)
    }

    /// Notes how a delivery went; gives its state, or nil where it is not there any more.
    @discardableResult
    package func note(
        _ result: DeliveryResult,
        of delivery: Delivery
    ) async throws(Failure) -> Delivery.State? {
        let now = clock.now
        return try await write { ledger throws(StoreFailure) in
            guard var kept = try ledger.delivery(delivery.sequence, to: delivery.target) else {
                return nil
            }
            switch result {
            case .delivered: kept.succeed()
            case .failed(let jitter): kept.fail(at: now, jitter: jitter)
            }
            try ledger.save(kept)
            return kept.state
        }
    }

    /// Has a delivery that was given up tried again; false where none was.
    package func retry(
        _ sequence: UInt64,
        to target: Delivery.Target
    ) async throws(Failure) -> Bool {
        let now = clock.now
        return try await write { ledger throws(StoreFailure) in
            guard var kept = try ledger.delivery(sequence, to: target), kept.state == .dead else {
                return false
            }
            kept.retry(at: now)
            try ledger.save(kept)
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
}
