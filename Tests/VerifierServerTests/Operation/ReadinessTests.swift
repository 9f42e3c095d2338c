import Glibc
import HTTPServer
import TestSupport
import Testing
import Verification
import VerifierWorld

@testable import VerifierServer

/// How long an answer may take that is given after two seconds, on a machine that does much else;
/// a decision is given ten to twenty.
private let limit = Duration.seconds(8)

@Suite(
    .serialized,
    .timeLimit(.minutes(5)),
    .enabled(
        if: PostgresServer.isInstalled,
        "Not run: /usr/lib/postgresql/15/bin holds no server (Debian's postgresql package)."
    )
)
struct `Whether a verifier on PostgreSQL can be asked` {
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
        let reply = try await Reply(await api.answer(request))
        return (reply.status, reply.text, .now - start)
    }

    /// What is asked again and again, as by those who deal out requests.
    private func wait(for status: Int) async throws {
        while try await ready().status != status { try Task.checkCancellation() }
    }

    @Test func `is no, soon, while its server hangs, and yes once that goes on`() async throws {
        #expect(try await ready().status == 200)
        try server.pause()
        try await wait(for: 503)
        let hanging = try await ready()
        #expect(hanging.status == 503)
        #expect(hanging.text == "store.silent\n")
        // It was waited for already.
        #expect(hanging.duration < StoreProbe.timeout)
        try server.resume()
        try await wait(for: 200)
        await bank.database.close()
    }

    @Test func `is no, within its time, for each of many who ask at once`() async throws {
        try server.pause()
        let answers = try await withThrowingTaskGroup(of: (Int, Duration).self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let answer = try await ready()
                    return (answer.status, answer.duration)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        try server.resume()
        #expect(answers.count == 50)
        #expect(answers.allSatisfy { $0.0 == 503 && $0.1 < limit }, "\(answers)")
        try await wait(for: 200)
        await bank.database.close()
    }

    @Test func `is no, soon, while its server is gone, and yes once it is there again`()
        async throws
    {
        #expect(try await ready().status == 200)
        try server.kill()
        try await wait(for: 503)
        let gone = try await ready()
        #expect(gone.status == 503)
        #expect(gone.duration < limit)
        try server.start()
        try await wait(for: 200)
        await bank.database.close()
    }
}

@Suite(.timeLimit(.minutes(5))) struct `The question whether a store keeps what it is given` {
    /// A store that says what a test has it say, when it has it say so.
    private actor Store {
        private(set) var count = 0
        private var asked: [CheckedContinuation<StoreProbe.ProbeResult, Never>] = []
        private var watchers: [CheckedContinuation<Void, Never>] = []

        func ask() async -> StoreProbe.ProbeResult {
            count += 1
            for watcher in watchers { watcher.resume() }
            watchers = []
            return await withCheckedContinuation { asked.append($0) }
        }

        func untilAsked() async {
            guard asked.isEmpty else { return }
            await withCheckedContinuation { watchers.append($0) }
        }

        func say(_ answer: StoreProbe.ProbeResult) {
            for one in asked { one.resume(returning: answer) }
            asked = []
        }
    }

    private let store = Store()

    private func probe(
        timeout: Duration = .seconds(30),
        freshness: Duration = .zero
    ) -> StoreProbe {
        StoreProbe(timeout: timeout, freshness: freshness) { [store] in await store.ask() }
    }

    @Test func `is asked once for all who come while it is`() async throws {
        // Whoever comes after its end is told what was said.
        let probe = probe(freshness: .seconds(1000))
        let answers = (0..<200).map { _ in Task { await probe.answer() } }
        await store.untilAsked()
        await store.say(.reached)
        for answer in answers { #expect(await answer.value == .reached) }
        #expect(await store.count == 1)
    }

    @Test func `is not asked again while its answer is new, and is afterwards`() async throws {
        let lasting = probe(freshness: .seconds(1000))
        async let first = lasting.answer()
        await store.untilAsked()
        await store.say(.failed(.store(.full)))
        #expect(await first == .failed(.store(.full)))
        #expect(await lasting.answer() == .failed(.store(.full)))
        #expect(await store.count == 1)

        let fleeting = probe()
        for count in 2...3 {
            async let answer = fleeting.answer()
            while await store.count < count { await Task.yield() }
            await store.untilAsked()
            await store.say(.reached)
            #expect(await answer == .reached)
        }
    }

    @Test func `that gets no answer is told so, and asked of nobody else meanwhile`() async throws {
        let probe = probe(timeout: .milliseconds(20), freshness: .seconds(1000))
        #expect(await probe.answer() == .silent)
        for _ in 0..<100 { #expect(await probe.answer() == .silent) }
        #expect(await store.count == 1)
        await store.say(.reached)
        while await probe.answer() == .silent { await Task.yield() }
        #expect(await probe.answer() == .reached)
        #expect(await store.count == 1)
    }

    @Test func `is patient anew with each question`() async throws {
        let probe = probe(timeout: .milliseconds(500))
        for count in 1...3 {
            async let answer = probe.answer()
            while await store.count < count { await Task.yield() }
            await store.untilAsked()
            await store.say(.reached)
            #expect(await answer == .reached)
        }
    }
}
