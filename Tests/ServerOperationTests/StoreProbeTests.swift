import ServerOperation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `The store probe` {
    private enum Reading { case reachable, failed }

    /// A store whose responses a test controls.
    private actor Store {
        private(set) var count = 0
        private var calls: [CheckedContinuation<Reading, Never>] = []
        private var watchers: [CheckedContinuation<Void, Never>] = []

        func probe() async -> Reading {
            count += 1
            for watcher in watchers { watcher.resume() }
            watchers = []
            return await withCheckedContinuation { calls.append($0) }
        }

        func waitForProbe() async {
            guard calls.isEmpty else { return }
            await withCheckedContinuation { watchers.append($0) }
        }

        func respond(_ result: Reading) {
            for call in calls { call.resume(returning: result) }
            calls = []
        }
    }

    private let store = Store()

    private func probe(
        timeout: Duration = .seconds(30),
        freshness: Duration = .zero
    ) -> StoreProbe<Reading> {
        StoreProbe(timeout: timeout, freshness: freshness) { [store] in await store.probe() }
    }

    @Test func `runs once for all concurrent callers`() async throws {
        // Later callers get the same result.
        let probe = probe(freshness: .seconds(1000))
        let results = (0..<200).map { _ in Task { await probe.reading() } }
        await store.waitForProbe()
        await store.respond(.reachable)
        for result in results { #expect(await result.value == .reachable) }
        #expect(await store.count == 1)
    }

    @Test func `reuses its result for a short time`() async throws {
        let cached = probe(freshness: .seconds(1000))
        async let first = cached.reading()
        await store.waitForProbe()
        await store.respond(.failed)
        #expect(await first == .failed)
        #expect(await cached.reading() == .failed)
        #expect(await store.count == 1)

        let uncached = probe()
        for count in 2...3 {
            async let result = uncached.reading()
            try await waitUntil { await store.count >= count }
            await store.waitForProbe()
            await store.respond(.reachable)
            #expect(await result == .reachable)
        }
    }

    @Test func `reports a timeout, and starts no second reading meanwhile`() async throws {
        let probe = probe(timeout: .milliseconds(20), freshness: .seconds(1000))
        #expect(await probe.reading() == nil)
        for _ in 0..<100 { #expect(await probe.reading() == nil) }
        #expect(await store.count == 1)
        await store.respond(.reachable)
        try await waitUntil { await probe.reading() != nil }
        #expect(await probe.reading() == .reachable)
        #expect(await store.count == 1)
    }
}
