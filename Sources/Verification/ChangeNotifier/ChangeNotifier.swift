import PrivateFiles
import Storage
import TransactionApproval

/// Notifies waiting tasks of changes to an account, on any node of the store.
///
/// Every change is on the audit trail, so one reader follows the trail while tasks wait. It reads
/// at once when this process commits, and otherwise at an interval. A notification only means that
/// the task must read again.
package final class ChangeNotifier: Sendable {
    private struct Watch {
        let task: AsyncStream<Void>.Continuation
        /// Nil if the task waits for one account only.
        let changes: AccountChanges?
    }

    package typealias Observer = @Sendable ([Event.Kind]) -> Void

    /// The maximum delay of a change that another node made.
    package static let defaultInterval = Duration.milliseconds(500)
    private static let recordsAtOnce = 1_000

    private let store: KeyedStore
    private let interval: Duration
    private static let endingInterval = Duration.milliseconds(250)
    private let start = ContinuousClock.now
    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var allWatches: [UInt64: Watch] = [:]
    private nonisolated(unsafe) var watches: [AccountReference: [UInt64: Watch]] = [:]
    private nonisolated(unsafe) var lastWatch: UInt64 = 0
    private nonisolated(unsafe) var isEnded = false
    private nonisolated(unsafe) var observers: [Observer] = []
    /// Thousands of tasks wait at a time, so all timeouts within one interval share one sleep.
    ///
    /// A slot that all watches have left stays in the dictionary until its sleep ends.
    private nonisolated(unsafe) var endings: [Int: [UInt64: Watch]] = [:]
    /// Triggers the reader; nil while no task waits.
    private nonisolated(unsafe) var look: AsyncStream<Void>.Continuation?

    init(of store: KeyedStore, interval: Duration = defaultInterval) {
        self.store = store
        self.interval = interval
    }

    /// Yields at once, and then after each change of the account.
    ///
    /// Ends after `limit`, or with the waiting task.
    package func changes(
        of account: AccountReference,
        for limit: Duration
    ) -> AsyncStream<Void> {
        changes(of: [account], for: limit, notedIn: nil)
    }

    /// The same for many accounts; `changes` has the changed ones since it was last read.
    package func changes(
        of accounts: Set<AccountReference>,
        for limit: Duration,
        notedIn changes: AccountChanges?
    ) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { task in
            task.yield()
            let watch = Watch(task: task, changes: changes)
            guard let id = add(watch, of: accounts) else { return task.finish() }
            let part = part(after: limit)
            task.onTermination = { [weak self] _ in
                self?.remove(id, of: accounts, endingIn: part)
            }
            finish(watch, id, in: part)
        }
    }

    /// Whether the process is shutting down.
    package var hasEnded: Bool { lock.locked { isEnded } }

    /// Whether no task waits, so the store is not read.
    var isIdle: Bool { lock.locked { look == nil } }

    /// The number of watches with a pending timeout.
    var endingCount: Int { lock.locked { endings.values.reduce(0) { $0 + $1.count } } }

    /// Calls `observer` after each commit of this process.
    ///
    /// The caller of the change waits for it, so it must be fast.
    package func addObserver(_ observer: @escaping Observer) {
        lock.locked { observers.append(observer) }
    }

    /// Triggers the reader and the observers after a commit of this process.
    func committed(_ kinds: [Event.Kind]) {
        let (look, observers) = lock.locked { (self.look, self.observers) }
        look?.yield()
        for observer in observers { observer(kinds) }
    }

    /// Ends all watches, and every later one at once: the process is shutting down.
    package func end() {
        let waiting = lock.locked {
            isEnded = true
            return allWatches.values
        }
        for watch in waiting { watch.task.finish() }
    }

    /// Rounds up, so a timeout is never early.
    private func part(after limit: Duration) -> Int {
        let end = ContinuousClock.now - start + limit
        return Int((end / Self.endingInterval).rounded(.up))
    }

    private func finish(_ watch: Watch, _ id: UInt64, in part: Int) {
        let isFirst = lock.locked {
            defer { endings[part, default: [:]][id] = watch }
            return endings[part] == nil
        }
        guard isFirst else { return }
        Task { [start, weak self] in
            // `try?`: this task is never cancelled.
            try? await Task.sleep(until: start + Self.endingInterval * part)
            let ended = self?.lock.locked { self?.endings.removeValue(forKey: part) } ?? [:]
            for watch in ended.values { watch.task.finish() }
        }
    }

    /// Nil if the process is shutting down.
    private func add(_ watch: Watch, of accounts: Set<AccountReference>) -> UInt64? {
        lock.locked {
            guard !isEnded else { return nil }
            lastWatch += 1
            allWatches[lastWatch] = watch
            for account in accounts { watches[account, default: [:]][lastWatch] = watch }
            if look == nil { look = startReading() }
            return lastWatch
        }
    }

    private func remove(_ id: UInt64, of accounts: Set<AccountReference>, endingIn part: Int) {
        let needless: AsyncStream<Void>.Continuation? = lock.locked {
            endings[part]?[id] = nil
            allWatches[id] = nil
            for account in accounts {
                watches[account]?[id] = nil
                if watches[account]?.isEmpty == true { watches[account] = nil }
            }
            guard allWatches.isEmpty else { return nil }
            defer { look = nil }
            return look
        }
        needless?.finish()
    }
}

// MARK: The reader

extension ChangeNotifier {
    /// Reads at each trigger and at each interval, until it is finished.
    private func startReading() -> AsyncStream<Void>.Continuation {
        let (looks, look) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let clock = Task { [interval] in
            while !Task.isCancelled {
                look.yield()
                // A cancelled sleep ends the loop.
                try? await Task.sleep(for: interval)
            }
        }
        look.onTermination = { _ in clock.cancel() }
        Task { [weak self] in
            var last: UInt64?
            for await _ in looks { await self?.read(after: &last) }
        }
        return look
    }

    /// The first read wakes every task, because the change may have happened before it.
    private func read(after last: inout UInt64?) async {
        // If the store fails now, the next interval reads again from the same record.
        guard var known = last else {
            last = try? await end()
            return wake(nil)
        }
        while let page = try? await accounts(after: known) {
            for account in page.accounts { wake(account) }
            guard page.last > known else { break }
            known = page.last
        }
        last = known
    }

    private func wake(_ account: AccountReference?) {
        let woken = lock.locked {
            account.map { watches[$0] ?? [:] } ?? allWatches
        }
        for watch in woken.values {
            watch.changes?.note(account)
            watch.task.yield()
        }
    }

    private func end() async throws(StoreFailure) -> UInt64 {
        try await store.read { ledger throws(StoreFailure) in
            try ledger.state().audit.sequence
        }
    }

    private func accounts(
        after sequence: UInt64
    ) async throws(StoreFailure) -> (accounts: Set<AccountReference>, last: UInt64) {
        try await store.read { ledger throws(StoreFailure) in
            try ledger.accounts(after: sequence, limit: Self.recordsAtOnce)
        }
    }
}
