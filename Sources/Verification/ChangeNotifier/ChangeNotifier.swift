import TransactionApproval

/// Wakes those that wait for something to happen to an account, on whichever node of the store it
/// does.
///
/// All that happens is on the audit trail, so one reader follows that, and only while somebody
/// waits: at once when this process commits, and otherwise as often as events of other nodes may be
/// late. To be woken means to look again, and no more.
package final class ChangeNotifier: Sendable {
    private typealias Watch = AsyncStream<Void>.Continuation
    package typealias Observer = @Sendable ([Event.Kind]) -> Void

    /// How late what another node did may be heard of.
    package static let standardInterval = Duration.milliseconds(500)
    private static let recordsAtOnce = 1_000

    private let store: any Database
    private let interval: Duration
    private static let endingInterval = Duration.milliseconds(250)
    private let start = ContinuousClock.now
    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var watches: [AccountReference: [UInt64: Watch]] = [:]
    private nonisolated(unsafe) var lastWatch: UInt64 = 0
    private nonisolated(unsafe) var isEnded = false
    private nonisolated(unsafe) var observers: [Observer] = []
    /// Those that end in the same part of a second share one sleep: thousands wait at a time.
    ///
    /// A part from which all have left stays, empty: its sleep goes on, and is there for others.
    private nonisolated(unsafe) var endings: [Int: [UInt64: Watch]] = [:]
    /// Has the reader look; nil while nobody waits.
    private nonisolated(unsafe) var look: AsyncStream<Void>.Continuation?

    init(of store: any Database, interval: Duration = standardInterval) {
        self.store = store
        self.interval = interval
    }

    /// Wakes at once, so that what came before is not waited for, and then whenever something
    /// happened to the account; ends after `limit`, or with the task that waits.
    package func changes(
        of account: AccountReference,
        for limit: Duration
    ) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { watch in
            watch.yield()
            guard let id = add(watch, of: account) else { return watch.finish() }
            let part = part(after: limit)
            watch.onTermination = { [weak self] _ in
                self?.remove(id, of: account, endingIn: part)
            }
            finish(watch, id, in: part)
        }
    }

    /// Whether nobody is to wait any more.
    package var hasEnded: Bool { lock.locked { isEnded } }

    /// Whether nobody waits, and so nothing is read.
    var isIdle: Bool { lock.locked { look == nil } }

    /// How many are to be ended at a moment that is still to come.
    var endingCount: Int { lock.locked { endings.values.reduce(0) { $0 + $1.count } } }

    /// Has `observer` told of all that this process puts on the trail, right after it is committed.
    ///
    /// Whoever asked for the change waits for it, so it must be quick.
    package func tell(_ observer: @escaping Observer) {
        lock.locked { observers.append(observer) }
    }

    /// Has the trail read now: this process put these on it.
    func committed(_ kinds: [Event.Kind]) {
        let (look, observers) = lock.locked { (self.look, self.observers) }
        look?.yield()
        for observer in observers { observer(kinds) }
    }

    /// Has those look who wait now, and nobody wait any more: this process is about to end.
    package func end() {
        let waiting = lock.locked {
            isEnded = true
            return watches.values.flatMap(\.values)
        }
        for watch in waiting { watch.finish() }
    }

    /// No sooner than that, and later by one such part at most.
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
            // Nobody cancels it.
            try? await Task.sleep(until: start + Self.endingInterval * part)
            let ended = self?.lock.locked { self?.endings.removeValue(forKey: part) } ?? [:]
            for watch in ended.values { watch.finish() }
        }
    }

    /// Nil where nobody is to wait any more.
    private func add(_ watch: Watch, of account: AccountReference) -> UInt64? {
        lock.locked {
            guard !isEnded else { return nil }
            lastWatch += 1
            watches[account, default: [:]][lastWatch] = watch
            if look == nil { look = startReading() }
            return lastWatch
        }
    }

    private func remove(_ id: UInt64, of account: AccountReference, endingIn part: Int) {
        let needless: AsyncStream<Void>.Continuation? = lock.locked {
            endings[part]?[id] = nil
            watches[account]?[id] = nil
            if watches[account]?.isEmpty == true { watches[account] = nil }
            guard watches.isEmpty else { return nil }
            defer { look = nil }
            return look
        }
        needless?.finish()
    }
}

// MARK: The reader

extension ChangeNotifier {
    /// Reads whenever it is told to, and in every interval, until it is finished.
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

    /// Where nothing was read before, everybody is woken: it may have happened by then.
    private func read(after last: inout UInt64?) async {
        // A store that fails now is read again in the next interval, from the same record on.
        guard let known = last else {
            last = try? await end()
            return wake(nil)
        }
        while let page = try? await accounts(after: last ?? known), let end = page.last {
            last = end
            for account in page.accounts { wake(account) }
        }
    }

    private func wake(_ account: AccountReference?) {
        let woken = lock.locked {
            account.map { Array((watches[$0] ?? [:]).values) }
                ?? watches.values.flatMap(\.values)
        }
        for watch in woken { watch.yield() }
    }

    private func end() async throws(StoreFailure) -> UInt64 {
        try await store.read { connection throws(StoreFailure) in
            try Ledger(connection).state().audit.sequence
        }
    }

    private func accounts(
        after sequence: UInt64
    ) async throws(StoreFailure) -> (accounts: Set<AccountReference>, last: UInt64?) {
        try await store.read { connection throws(StoreFailure) in
            try Ledger(connection).accounts(after: sequence, limit: Self.recordsAtOnce)
        }
    }
}
