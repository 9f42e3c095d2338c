import PrivateFiles
package import Storage
import ThreeDSProtocol
package import Transactions

extension IssuerService {
    /// How long a part of the background work waits if nothing changes.
    private static let interval = Duration.seconds(1)
    /// The maximum wait of one call, in seconds.
    ///
    /// A transaction that is created meanwhile is awaited from the next call on.
    package static let longestWait = 2
    /// How long authentications are kept: a week longer than their values can be used.
    ///
    /// So a late check gets the verdict that a value is too old.
    static let retention = Duration.seconds(97 * 86_400)

    /// Does the work between messages, until its task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                await repeatedly(.following) { () throws(StoreFailure) in
                    try await followTransactions(waiting: Self.longestWait)
                }
            }
            group.addTask {
                await repeatedly(.calling) { () throws(StoreFailure) in
                    try await orderTransactions()
                    return false
                }
            }
            group.addTask {
                await repeatedly(.calling) { () throws(StoreFailure) in
                    try await withdrawTransactions()
                    return false
                }
            }
            group.addTask {
                // No change makes a challenge late at once.
                await repeatedly(nil) { () throws(StoreFailure) in
                    try await readClocks()
                    return false
                }
            }
            group.addTask { await deliverResults() }
            if webhook != nil {
                group.addTask {
                    await repeatedly(.sendingEvents) { () throws(StoreFailure) in
                        try await deliverEvents()
                        return false
                    }
                }
            }
        }
    }

    /// Responds at once to all requests that wait, because the process ends.
    ///
    /// Each client repeats its request, at another node or after the next start.
    package func endWaits() { changes.endWaits() }

    /// Repeats a part at once while it finds something to do, and otherwise after a pause.
    ///
    /// A change that concerns the work ends the pause.
    private func repeatedly(
        _ work: BackgroundWork?,
        _ part: () async throws(StoreFailure) -> Bool
    ) async {
        while !Task.isCancelled {
            let ticket = work.map { changes.ticket(for: $0) }
            defer { if let ticket { changes.discard(ticket) } }
            do throws(StoreFailure) {
                if try await part() { continue }
            } catch {
                observer.report(.storeFailed(error))
            }
            if let ticket {
                await changes.wait(ticket, atMost: Self.interval)
            } else {
                // Ends early only if the task is cancelled.
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    /// Sends results; one that a slow directory gets delays none of another directory.
    private func deliverResults() async {
        let sending = LockedValue(SentResults())
        var pass = ResultPass()
        await withDiscardingTaskGroup { group in
            await repeatedly(.delivering) { () throws(StoreFailure) in
                let busy = sending.withLock { sending in
                    if pass.isOver(isFreed: sending.isFreed) {
                        pass = ResultPass()
                        sending.isFreed = false
                    }
                    return sending.busy
                }
                for authentication in try await takeResults(in: &pass, without: busy) {
                    let directory = authentication.directory
                    sending.withLock { $0.begin(directory) }
                    group.addTask {
                        await untilItsEnd { await deliver(authentication) }
                        sending.withLock { $0.end(directory) }
                    }
                }
                return pass.goesOn
            }
        }
    }

    /// Applies the clock to challenges that are late, until the task is cancelled.
    func readClocks() async throws(StoreFailure) {
        let now = clock()
        var cursor: DueCursor? = .start
        while let start = cursor {
            let batch = try await store.database.read { [store] connection throws(StoreFailure) in
                try store.authentications(connection).due(at: now, after: start, limit: Self.batch)
            }
            for failure in batch.failures { observer.report(.storeFailed(failure)) }
            for authentication in batch.elements {
                guard !Task.isCancelled else { return }
                await reporting { () throws(StoreFailure) in
                    _ = try await step(at: .id(authentication.id)) { step throws(StoreFailure) in
                        _ = step.apply(.clock)
                    }
                }
            }
            cursor = batch.end
        }
    }

    /// The time by which old rows are removed, for the run of a process that begins.
    package func retentionClock() async throws(StoreFailure) -> RetentionClock {
        let newest = try await store.database.read { [store] connection throws(StoreFailure) in
            try store.authentications(connection).newestTime()
        }
        return RetentionClock(clock, after: newest)
    }

    /// Removes what is no longer kept at this time, until its task is cancelled.
    ///
    /// Batches are short, so that other transactions can run in between.
    package func removeOld(at now: Timestamp, batch limit: Int = 500) async throws(StoreFailure) {
        let moment = now - Self.retention
        try await repeatedlyWriting(atMost: limit) { [store] connection throws(StoreFailure) in
            try store.authentications(connection).removeOld(
                before: moment,
                withResultsDueBefore: moment - Self.retention,
                limit: limit
            )
        }
        try await repeatedlyWriting(atMost: limit) { [store] connection throws(StoreFailure) in
            try store.events(connection).removeOld(before: moment, limit: limit)
        }
        try await repeatedlyWriting(atMost: limit) { [store] connection throws(StoreFailure) in
            try store.checks(connection)
                .removeOld(before: now - CheckTable.retention, limit: limit)
        }
    }

    /// Runs a job, which returns a number of rows, until they are less than a batch.
    private func repeatedlyWriting(
        atMost limit: Int,
        _ job: @escaping Job<Int>
    ) async throws(StoreFailure) {
        while !Task.isCancelled {
            guard try await store.database.write(job) == limit else { return }
        }
    }
}

/// The results that directories have not acknowledged yet.
private struct SentResults {
    private var counts: [DirectoryID: Int] = [:]
    /// Whether a directory has become free since the present pass began.
    var isFreed = false

    var busy: Set<DirectoryID> { Set(counts.keys.filter(isBusy)) }

    mutating func begin(_ directory: DirectoryID) { counts[directory, default: 0] += 1 }

    mutating func end(_ directory: DirectoryID) {
        let wasBusy = isBusy(directory)
        counts[directory, default: 1] -= 1
        if wasBusy, !isBusy(directory) { isFreed = true }
    }

    private func isBusy(_ directory: DirectoryID) -> Bool {
        counts[directory, default: 0] >= IssuerService.concurrentResults
    }
}
