import PrivateFiles
package import Storage
import ThreeDSProtocol
import Transactions

extension IssuerService {
    /// How long a part of the background work waits if nothing changes.
    private static let interval = Duration.seconds(1)
    /// So long a new transaction is not awaited yet, and no longer: then the next call begins.
    package static let longestWait = 2
    /// Authentications are kept for so long.
    private static let retention = Duration.seconds(90 * 86_400)

    /// Does the work between messages, until its task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                await repeatedly { () throws(StoreFailure) in
                    try await followTransactions(waiting: Self.longestWait)
                }
            }
            group.addTask {
                await repeatedly { () throws(StoreFailure) in
                    try await orderAndWithdrawTransactions()
                    return false
                }
            }
            group.addTask {
                await repeatedly { () throws(StoreFailure) in
                    try await readClocks()
                    return false
                }
            }
            group.addTask { await deliverResults() }
            if webhook != nil {
                group.addTask {
                    await repeatedly { () throws(StoreFailure) in
                        try await deliverNotifications()
                        return false
                    }
                }
            }
        }
    }

    /// Repeats a part at once while it finds something to do, and otherwise at the next change.
    private func repeatedly(
        _ part: () async throws(StoreFailure) -> Bool
    ) async {
        while !Task.isCancelled {
            let ticket = changes.ticketForAll()
            defer { changes.discard(ticket) }
            do throws(StoreFailure) {
                if try await part() { continue }
            } catch {
                observer.report(.storeFailed(error))
            }
            await changes.wait(ticket, atMost: Self.interval)
        }
    }

    /// A slow directory delays no result for another one.
    private func deliverResults() async {
        await withDiscardingTaskGroup { group in
            await repeatedly { () throws(StoreFailure) in
                let taken = try await takeResults()
                for authentication in taken {
                    // A task of its own, so that cancellation does not interrupt a delivery.
                    group.addTask { await Task { await deliver(authentication) }.value }
                }
                return taken.count == Self.batch
            }
        }
    }

    /// Applies the clock to challenges that are late.
    func readClocks() async throws(StoreFailure) {
        let now = clock()
        var cursor: AuthenticationTable.DueCursor? = .start
        while let start = cursor {
            let batch = try await store.database.read { [store] connection throws(StoreFailure) in
                try store.authentications(connection).due(at: now, after: start, limit: Self.batch)
            }
            for failure in batch.failures { observer.report(.storeFailed(failure)) }
            for authentication in batch.authentications {
                await reporting { () throws(StoreFailure) in
                    _ = try await step(at: .id(authentication.id)) { step throws(StoreFailure) in
                        _ = step.apply(.clock)
                    }
                }
            }
            cursor = batch.endOfDue
        }
    }

    /// Removes what is no longer kept.
    package func removeOld() async throws(StoreFailure) {
        let now = clock()
        let moment = now - Self.retention
        try await store.database.write { [store] connection throws(StoreFailure) in
            try store.authentications(connection).removeAll(before: moment)
            try store.notifications(connection).removeAll(before: moment)
            try store.checks(connection).removeAll(before: now - CheckTable.retention)
        }
    }
}
