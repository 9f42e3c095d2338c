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
        try await get("/health/ready")
    }

    private func get(
        _ path: String
    ) async throws -> (status: Int, text: String, duration: Duration) {
        let start = ContinuousClock.now
        let request = Request(method: "GET", target: path, fields: [], body: [])
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
        var durations: [Duration] = []
        for _ in 0..<5 {
            let hanging = try await ready()
            #expect(hanging.status == 503)
            #expect(hanging.text == "store.timedOut\n")
            durations.append(hanging.duration)
        }
        // The timeout is over, so none of them waits for it again. One can be slow on a busy machine.
        #expect(durations.min() ?? limit < StoreProbe<Void>.timeout)
        try server.resume()
        try await wait(for: 200)
        await bank.database.close()
    }

    @Test func `does not delay the metrics, which lack only those of the store while it hangs`()
        async throws
    {
        let ofStore = ["countersign_deliveries{", "countersign_alarms_total{"]
        func contained(in text: String) -> [Bool] { ofStore.map { text.contains($0) } }
        #expect(contained(in: try await get("/metrics").text) == [true, true])
        try server.pause()
        // The first scrape waits for the timeout, and the others do not wait for the store again.
        for _ in 0..<20 {
            let hanging = try await get("/metrics")
            #expect(hanging.duration < limit)
            #expect(contained(in: hanging.text) == [false, false])
            #expect(hanging.text.contains("countersign_failures_total{"))
        }
        try server.resume()
        try await waitUntil { contained(in: try await get("/metrics").text) == [true, true] }
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
