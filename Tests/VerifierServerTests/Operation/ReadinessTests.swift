import Glibc
import HTTPServer
import ServerOperation
import Storage
import TestSupport
import Testing
import Verification
import VerifierWorld

@testable import VerifierServer

/// The time for a response that is due after two seconds, on a loaded machine.
///
/// A decision may take ten to twenty.
private let limit = Duration.seconds(8)

@Suite(
    .serialized,
    .timeLimit(.minutes(5)),
    .enabled(
        if: PostgresServer.isInstalled,
        "Not run: /usr/lib/postgresql/15/bin holds no server (Debian's postgresql package)."
    )
)
struct `Readiness of a verifier on PostgreSQL` {
    private let server: PostgresServer
    private let bank: Bank
    private let api: OperationAPI

    init() async throws {
        server = try PostgresServer(syncs: false)
        let premises = try Premises(on: .postgreSQL, server: server)
        bank = try Bank(premises, over: try premises.store.open(migrations: Schema.migrations))
        try await bank.verifier.begin()
        let metrics = Metrics()
        let reporter = Reporter(metrics: metrics, log: Log(to: -1, metrics: metrics))
        api = OperationAPI(bank.verifier, metrics: metrics, reporter: reporter)
    }

    private func ready() async throws -> (status: Int, text: String, duration: Duration) {
        let start = ContinuousClock.now
        let request = Request(method: "GET", target: "/health/ready", fields: [], body: [])
        let response = try await CompleteResponse(await api.respond(to: request))
        return (response.status, response.text, .now - start)
    }

    /// Repeated, as by a load balancer.
    private func wait(for status: Int) async throws {
        try await waitUntil { try await ready().status == status }
    }

    @Test func `is false within the timeout while the server hangs`() async throws {
        #expect(try await ready().status == 200)
        try server.pause()
        try await wait(for: 503)
        let hanging = try await ready()
        #expect(hanging.status == 503)
        #expect(hanging.text == "store.timedOut\n")
        // The timeout is over.
        #expect(hanging.duration < StoreProbe.timeout)
        try server.resume()
        try await wait(for: 200)
        await bank.database.close()
    }

    @Test func `is false within the timeout for many callers at once`() async throws {
        try server.pause()
        let responses = try await withThrowingTaskGroup(of: (Int, Duration).self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let response = try await ready()
                    return (response.status, response.duration)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        try server.resume()
        #expect(responses.count == 50)
        #expect(responses.allSatisfy { $0.0 == 503 && $0.1 < limit }, "\(responses)")
        try await wait(for: 200)
        await bank.database.close()
    }

    @Test func `is false while the server is stopped`()
        async throws
    {
        #expect(try await ready().status == 200)
        try server.kill()
        try await wait(for: 503)
        let unavailable = try await ready()
        #expect(unavailable.status == 503)
        #expect(unavailable.duration < limit)
        try server.start()
        try await wait(for: 200)
        await bank.database.close()
    }
}

@Suite(.timeLimit(.minutes(5))) struct `The store probe` {
    /// A store whose responses a test controls.
    private actor Store {
        private(set) var count = 0
        private var calls: [CheckedContinuation<StoreProbe.ProbeResult, Never>] = []
        private var watchers: [CheckedContinuation<Void, Never>] = []

        func probe() async -> StoreProbe.ProbeResult {
            count += 1
            for watcher in watchers { watcher.resume() }
            watchers = []
            return await withCheckedContinuation { calls.append($0) }
        }

        func waitForProbe() async {
            guard calls.isEmpty else { return }
            await withCheckedContinuation { watchers.append($0) }
        }

        func respond(_ result: StoreProbe.ProbeResult) {
            for call in calls { call.resume(returning: result) }
            calls = []
        }
    }

    private let store = Store()

    private func probe(
        timeout: Duration = .seconds(30),
        freshness: Duration = .zero
    ) -> StoreProbe {
        StoreProbe(timeout: timeout, freshness: freshness) { [store] in await store.probe() }
    }

    @Test func `runs once for all concurrent callers`() async throws {
        // Later callers get the same result.
        let probe = probe(freshness: .seconds(1000))
        let results = (0..<200).map { _ in Task { await probe.result() } }
        await store.waitForProbe()
        await store.respond(.reachable)
        for result in results { #expect(await result.value == .reachable) }
        #expect(await store.count == 1)
    }

    @Test func `reuses its result for a short time`() async throws {
        let cached = probe(freshness: .seconds(1000))
        async let first = cached.result()
        await store.waitForProbe()
        await store.respond(.failed(.store(.full)))
        #expect(await first == .failed(.store(.full)))
        #expect(await cached.result() == .failed(.store(.full)))
        #expect(await store.count == 1)

        let uncached = probe()
        for count in 2...3 {
            async let result = uncached.result()
            try await waitUntil { await store.count >= count }
            await store.waitForProbe()
            await store.respond(.reachable)
            #expect(await result == .reachable)
        }
    }

    @Test func `reports a timeout, and starts no second check meanwhile`() async throws {
        let probe = probe(timeout: .milliseconds(20), freshness: .seconds(1000))
        #expect(await probe.result() == .timedOut)
        for _ in 0..<100 { #expect(await probe.result() == .timedOut) }
        #expect(await store.count == 1)
        await store.respond(.reachable)
        try await waitUntil { await probe.result() != .timedOut }
        #expect(await probe.result() == .reachable)
        #expect(await store.count == 1)
    }
}
