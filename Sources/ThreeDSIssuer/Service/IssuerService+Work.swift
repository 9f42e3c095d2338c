import PrivateFiles
package import Storage
import ThreeDSProtocol
import Transactions

extension IssuerService {
    /// How long a part of the background work waits if nothing changes.
    private static let interval = Duration.seconds(1)
    /// So long a new transaction is not awaited yet, and no longer: then the next call begins.
    private static let longestWait = 2
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
                await repeatedly { () throws(StoreFailure) in try await readClocks() }
            }
            group.addTask {
                await repeatedly { () throws(StoreFailure) in try await deliverResults() > 0 }
            }
        }
    }

    /// Repeats a part at once while it finds something to do, and otherwise at the next change.
    private func repeatedly(
        _ part: @Sendable () async throws(StoreFailure) -> Bool
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

    /// Applies the clock to challenges that are late.
    func readClocks() async throws(StoreFailure) -> Bool {
        let now = clock()
        let due = try await store.database.read { [store] connection throws(StoreFailure) in
            try store.authentications(connection).due(at: now, limit: Self.batch)
        }
        for authentication in due {
            _ = try await step(at: .id(authentication.id)) { step throws(StoreFailure) in
                _ = step.apply(.clock)
            }
        }
        return due.count == Self.batch
    }

    /// Removes what is no longer kept.
    package func removeOld() async throws(StoreFailure) {
        let moment = clock() - Self.retention
        try await store.database.write { [store] connection throws(StoreFailure) in
            try store.authentications(connection).removeAll(before: moment)
        }
    }
}
