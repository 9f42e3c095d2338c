import BankIntegration
import Storage
import Transactions

extension IssuerService {
    /// How many events are sent at the same time.
    private static let concurrentEvents = 16
    /// Another node, or this one after a crash, sends an event again after this time, which
    /// is longer than a response takes.
    private static let eventLease = Duration.seconds(15)

    /// Sends all events that are due, until the receiver is in its cooldown.
    ///
    /// During the cooldown no event is taken: each would be written twice, and not sent.
    func deliverEvents() async throws(StoreFailure) {
        guard let webhook, !webhook.isPaused, try await hasDueEvents() else { return }
        var cursor: DueCursor? = .start
        while let start = cursor, !Task.isCancelled, !webhook.isPaused {
            let batch = try await takeEvents(after: start)
            await withDiscardingTaskGroup { group in
                for event in batch.elements {
                    group.addTask { await untilItsEnd { await deliver(event, to: webhook) } }
                }
            }
            cursor = batch.end
        }
    }

    /// Without a transaction that writes, for which the nodes of one store wait.
    private func hasDueEvents() async throws(StoreFailure) -> Bool {
        let now = clock()
        return try await store.database.read { [store] connection throws(StoreFailure) in
            try store.events(connection).hasDue(at: now)
        }
    }

    /// Takes due events from other nodes, until the end of the lease.
    private func takeEvents(
        after cursor: DueCursor
    ) async throws(StoreFailure) -> DueRows<StoredEvent> {
        let now = clock()
        let batch = try await store.database.write { [store] connection throws(StoreFailure) in
            let table = store.events(connection)
            var batch = try table.due(at: now, after: cursor, limit: Self.concurrentEvents)
            for index in batch.elements.indices {
                batch.elements[index].lease(until: now + Self.eventLease)
                try table.replace(batch.elements[index])
            }
            return batch
        }
        for failure in batch.failures { observer.report(.storeFailed(failure)) }
        return batch
    }

    private func deliver(_ event: StoredEvent, to webhook: Webhook) async {
        let result = await webhook.send(event.body, named: event.id, at: clock())
        await reporting { () throws(StoreFailure) in
            guard let noted = try await note(result, of: event.authentication) else {
                return
            }
            if noted.due == nil {
                observer.report(.eventGivenUp(authentication: noted.authentication))
            } else if result.isTry {
                observer.report(
                    .eventFailed(
                        authentication: noted.authentication,
                        reason: result.text,
                        count: noted.tries
                    )
                )
            }
        }
    }

    /// Returns the event if the issuer does not have it.
    private func note(
        _ result: SendResult,
        of authentication: String
    ) async throws(StoreFailure) -> StoredEvent? {
        let (now, jitter) = (clock(), Double.random(in: 0...1))
        return try await store.database.write { [store] connection throws(StoreFailure) in
            let table = store.events(connection)
            // Another node can have delivered it after the lease.
            guard var event = try table.event(authentication) else { return nil }
            func record(_ step: IssuerRecord.Step) throws(StoreFailure) {
                try store.records(connection).add(
                    IssuerRecord(
                        time: now,
                        subject: .authentication(authentication),
                        step: step,
                        details: []
                    )
                )
            }
            switch result {
            case .delivered:
                try table.remove(authentication)
                try record(.eventDelivered)
                return nil
            case .failed(_, let minimumWait):
                event.fail(at: now, jitter: jitter, minimumWait: minimumWait)
            case .postponed(let wait): event.postpone(at: now, by: wait)
            }
            try table.replace(event)
            if event.due == nil { try record(.eventGivenUp) }
            return event
        }
    }
}

// MARK: Programs

extension IssuerService {
    func events(
        _ state: EventTable.State?,
        after authentication: String?,
        limit: Int
    ) async throws(StoreFailure) -> RowPage<StoredEvent> {
        let page = try await store.database.read { [store] connection throws(StoreFailure) in
            try store.events(connection)
                .events(state, after: authentication, limit: limit)
        }
        report(page.unreadable)
        return page
    }

    /// Rows that another program changed, which a list leaves out.
    func report(_ unreadable: [UnreadableRow]) {
        for row in unreadable { observer.report(.storeFailed(row.failure)) }
    }

    /// Returns false if the issuer has the event, or if there never was one.
    func retryEvent(of authentication: String) async throws(StoreFailure) -> Bool {
        let now = clock()
        let isFound = try await store.database.write { [store] connection throws(StoreFailure) in
            let table = store.events(connection)
            guard var event = try table.event(authentication) else { return false }
            event.retry(at: now)
            try table.replace(event)
            return true
        }
        if isFound { changes.changed(authentication, concerning: [.sendingEvents]) }
        return isFound
    }
}
