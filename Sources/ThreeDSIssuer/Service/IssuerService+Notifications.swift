import BankIntegration
import Storage
import Transactions

extension IssuerService {
    /// How many notifications are sent at the same time.
    private static let concurrentNotifications = 16
    /// Another node, or this one after a crash, sends a notification again after this time, which
    /// is longer than a response takes.
    private static let notificationLease = Duration.seconds(15)

    /// Sends all notifications that are due.
    func deliverNotifications() async throws(StoreFailure) {
        guard let webhook else { return }
        var cursor: DueCursor? = .start
        while let start = cursor, !Task.isCancelled {
            let batch = try await takeNotifications(after: start)
            await withDiscardingTaskGroup { group in
                for notification in batch.elements {
                    // A task of its own, so that cancellation does not interrupt a delivery.
                    group.addTask { await Task { await deliver(notification, to: webhook) }.value }
                }
            }
            cursor = batch.end
        }
    }

    /// Takes due notifications from other nodes, until the end of the lease.
    private func takeNotifications(
        after cursor: DueCursor
    ) async throws(StoreFailure) -> DueRows<StoredNotification> {
        let now = clock()
        let batch = try await store.database.write { [store] connection throws(StoreFailure) in
            let table = store.notifications(connection)
            var batch = try table.due(at: now, after: cursor, limit: Self.concurrentNotifications)
            for index in batch.elements.indices {
                batch.elements[index].lease(until: now + Self.notificationLease)
                try table.replace(batch.elements[index])
            }
            return batch
        }
        for failure in batch.failures { observer.report(.storeFailed(failure)) }
        return batch
    }

    private func deliver(_ notification: StoredNotification, to webhook: Webhook) async {
        let result = await webhook.send(notification.body, named: notification.id, at: clock())
        await reporting { () throws(StoreFailure) in
            guard let noted = try await note(result, of: notification.authentication) else {
                return
            }
            if noted.due == nil {
                observer.report(.notificationGivenUp(authentication: noted.authentication))
            } else if result.isTry {
                observer.report(
                    .notificationFailed(
                        authentication: noted.authentication,
                        reason: result.text,
                        count: noted.tries
                    )
                )
            }
        }
    }

    /// Returns the notification if the issuer does not have it.
    private func note(
        _ result: SendResult,
        of authentication: String
    ) async throws(StoreFailure) -> StoredNotification? {
        let (now, jitter) = (clock(), Double.random(in: 0...1))
        return try await store.database.write { [store] connection throws(StoreFailure) in
            let table = store.notifications(connection)
            // Another node can have delivered it after the lease.
            guard var notification = try table.notification(authentication) else { return nil }
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
            case .delivered, .dropped:
                try table.remove(authentication)
                try record(.notified)
                return nil
            case .failed(_, let minimumWait):
                notification.fail(at: now, jitter: jitter, minimumWait: minimumWait)
            case .postponed(let wait): notification.postpone(at: now, by: wait)
            }
            try table.replace(notification)
            if notification.due == nil { try record(.notificationGivenUp) }
            return notification
        }
    }
}

// MARK: Programs

extension IssuerService {
    func notifications(
        _ state: NotificationTable.State?,
        after authentication: String,
        limit: Int
    ) async throws(StoreFailure) -> RowPage<StoredNotification> {
        let page = try await store.database.read { [store] connection throws(StoreFailure) in
            try store.notifications(connection)
                .notifications(state, after: authentication, limit: limit)
        }
        report(page.unreadable)
        return page
    }

    /// Rows that another program changed, which a list leaves out.
    func report(_ unreadable: [String]) {
        for row in unreadable { observer.report(.storeFailed(.forged(row: row))) }
    }

    /// Returns false if the issuer has the notification, or if there never was one.
    func retryNotification(of authentication: String) async throws(StoreFailure) -> Bool {
        let now = clock()
        let isFound = try await store.database.write { [store] connection throws(StoreFailure) in
            let table = store.notifications(connection)
            guard var notification = try table.notification(authentication) else { return false }
            notification.retry(at: now)
            try table.replace(notification)
            return true
        }
        if isFound { changes.changed(authentication, concerning: [.notifying]) }
        return isFound
    }
}
