import Foundation
import PrivateFiles
import Sealing
import ServerOperation
import Storage
import TestSupport
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@testable import VerifierServer

@Suite struct `The housekeeping` {
    private let metrics = Metrics()

    @Test(.onAnyStore)
    func `expires and deletes records, and signs the journal`()
        async throws
    {
        let premises = try Premises()
        let bank = try await premises.begin()
        _ = try await bank.activate()
        let payment = try await bank.pay()
        bank.clock.advance(by: .seconds(121))
        try await doAll(of: bank)
        #expect(try await bank.state(of: payment) == .closed(.expired, at: bank.clock.now))
        let head = try await bank.read { ledger throws(StoreFailure) in try ledger.state().audit }
        let journal = try String(contentsOfFile: premises.journalPath, encoding: .utf8)
        #expect(journal.contains("\"sequence\":\(head.sequence),"))
        bank.clock.advance(by: .seconds(8 * 24 * 60 * 60))
        try await doAll(of: bank)
        #expect(try await bank.state(of: payment) == nil)
    }

    private static let forgeEarly = Statement(
        "UPDATE transactions SET deadline = 5 WHERE account_id = '4712'"
    )

    /// Forged rows are due before all others, and fill more than one batch.
    @Test(.onAnyStore)
    func `SEC-101: expires all rows behind forged ones, in each pass`() async throws {
        let bank = try await Premises().begin()
        _ = try await bank.activate()
        let (other, _) = try await bank.activate("4712")
        for amount in 1...3 as ClosedRange<UInt64> { _ = try await bank.pay(amount, from: other) }
        try await bank.database.write { connection throws(StoreFailure) in
            _ = try connection.run(Self.forgeEarly, [])
        }
        let job = Housekeeping.expiry(of: bank.verifier, batch: 2)
        for amount in 4...5 as ClosedRange<UInt64> {
            let payment = try await bank.pay(amount)
            bank.clock.advance(by: .seconds(121))
            var isMoreLeft = true
            while isMoreLeft { isMoreLeft = try await job.run() }
            #expect(try await bank.state(of: payment) == .closed(.expired, at: bank.clock.now))
        }
        #expect(bank.verifier.forgeries.count == 3)
        await bank.database.close()
    }

    @Test(.onAnyStore)
    func `SEC-112: reports wrong activation codes on the audit trail`() async throws {
        let bank = try await Premises().begin()
        let issued = try await bank.issue()
        let wrong = try bank.phone().claim(issued.id, ActivationCode.random())
        for _ in 0..<3 {
            #expect(try await bank.verifier.claim(wrong) == .refused(.codeInvalid))
            try await doAll(of: bank)
        }
        #expect(try await bank.count(of: .activationFailed) == 1)
    }

    /// A row that stops one job must not stop the alarm about it.
    @Test(.onAnyStore)
    func `SEC-101, SEC-119: records forged rows and counts alarms, whichever job fails`()
        async throws
    {
        let premises = try Premises()
        let bank = try await premises.begin()
        let issued = try await bank.issue()
        let wrong = try bank.phone().claim(issued.id, ActivationCode.random())
        #expect(try await bank.verifier.claim(wrong) == .refused(.codeInvalid))
        let edit = "UPDATE activations SET deadline = deadline + 1"
        #expect(try premises.store.output(of: edit) == "")
        #expect(await failingJobs(of: bank) == ["wrongCodes"])
        // The next record cannot be added.
        let last = try await bank.read { ledger throws(StoreFailure) in
            try ledger.state().audit.sequence
        }
        let addition = """
            INSERT INTO audit SELECT sequence + 1, moment, actor, kind, enterprise, account_type,
                account_id, subject, detail, traces, hash, tag
            FROM audit WHERE sequence = \(last)
            """
        #expect(try premises.store.output(of: addition) == "")
        #expect(await failingJobs(of: bank) == ["forgeries"])
        let removal = "DELETE FROM audit WHERE sequence > \(last)"
        #expect(try premises.store.output(of: removal) == "")
        #expect(await failingJobs(of: bank) == [])
        #expect(try await bank.count(of: .rowForged) == 1)
    }

    /// An edited record, and a removed one, which the next record does not follow.
    private static let tampering: [(String, UInt64, String)] = [
        ("UPDATE audit SET actor = 'operator' WHERE sequence = ", 0, "store.forged"),
        ("DELETE FROM audit WHERE sequence = ", 1, "journal"),
    ]

    @Test(.onAnyStore, arguments: tampering)
    func `SEC-101: reports an audit record that the journal rejects`(
        _ statement: String,
        _ distance: UInt64,
        _ failure: String
    ) async throws {
        let premises = try Premises()
        let bank = try await premises.begin()
        try await bank.journalNow()
        for name in ["4713", "4714", "4715"] { _ = try await bank.addAccount(name) }
        let last = try await bank.read { ledger throws(StoreFailure) in
            try ledger.state().audit.sequence
        }
        #expect(try premises.store.output(of: statement + "\(last - distance)") == "")
        let pipe = try TestPipe()
        let jobs = Housekeeping.jobs(of: bank.verifier).filter { $0.name == "checkpoint" }
        let runs = LockedValue(0)
        let log = Log(to: pipe.writing.number, metrics: metrics)
        await Housekeeping(jobs, metrics: metrics, log: log) { _ in
            let count = runs.withLock { runs in
                runs += 1
                return runs
            }
            if count == 2 { withUnsafeCurrentTask { $0?.cancel() } }
        }.run()
        let failed = #""level":"error","message":"job failed","job":"checkpoint","failure":"#
        let lines = pipe.read().split(separator: "\n")
        #expect(lines.count == 1, "\(lines)")
        #expect(lines.first?.contains(failed + "\"\(failure)\"") == true, "\(lines)")
        #expect(bank.verifier.forgeries.count == 1)
        // The next record does not depend on the rejected one.
        try await bank.verifier.recordForgeries()
        #expect(try premises.store.output(of: Self.lastEvent).contains("store.row-forged"))
        #expect(try premises.store.output(of: Self.lastEvent).contains("audit sequence=\(last)"))
        #expect(!bank.verifier.outages.isOutage)
        await bank.database.close()
    }

    /// The messages about an outage replace that of the job.
    @Test(.onAnyStore)
    func `notices an outage if only the journal reads the store`() async throws {
        let bank = try await Premises().begin()
        let jobs = Housekeeping.jobs(of: bank.verifier).filter { $0.name == "checkpoint" }
        await bank.database.close()
        for job in jobs {
            let failure = await #expect(throws: Verifier.Failure.self) { _ = try await job.run() }
            #expect(failure.map(job.isPartOfOutage) == true)
        }
        #expect(bank.verifier.outages.isOutage)
    }

    private static let lastEvent =
        "SELECT kind, subject FROM audit WHERE sequence = (SELECT max(sequence) FROM audit)"

    @Test func `reports each failure of the journal, but an outage of the store once`()
        async throws
    {
        let bank = try await Bank()
        let job = try #require(
            Housekeeping.jobs(of: bank.verifier).first { $0.name == "checkpoint" }
        )
        for failure in [.file(.full), .lostHead, .behind(store: 1, journal: 2)]
            as [JournalFailure]
        {
            #expect(!job.isPartOfOutage(.journal(failure)))
        }
        #expect(!job.isPartOfOutage(.journal(.store(.forged(row: "audit sequence=1")))))
        #expect(job.isPartOfOutage(.journal(.store(.unavailable))))
    }

    private func failingJobs(of bank: Bank) async -> [String] {
        var names: [String] = []
        for job in Housekeeping.jobs(of: bank.verifier) {
            do throws(Verifier.Failure) { _ = try await job.run() } catch { names.append(job.name) }
        }
        return names
    }

    @Test func `records the time in a quiet store`() async throws {
        let bank = try await Bank()
        bank.clock.advance(by: VerifierClock.maximumQuiet + .milliseconds(1))
        for _ in 1...2 { try await doAll(of: bank) }
        #expect(try await bank.count(of: .timeRecorded) == 1)
    }

    @Test func `reports an expiring certificate every day`() async throws {
        let path = try Certificates.shared.get().path(.expiring)
        let pipe = try TestPipe()
        let log = Log(to: pipe.writing.number, metrics: metrics)
        let certificates = CertificateExpiries()
        certificates.noteLoading(of: .init(certificate: path, key: path))
        let job = Housekeeping.report(of: certificates, to: log)
        #expect(job.interval == .seconds(24 * 60 * 60))
        for _ in 0..<2 { #expect(try await job.run() == false) }
        let lines = pipe.read().split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0.contains(#""message":"certificate expires soon""#) })
    }

    private func doAll(of bank: Bank) async throws {
        for job in Housekeeping.jobs(of: bank.verifier) { _ = try await job.run() }
    }

    @Test func `continues at once while work is left`() async throws {
        let script = Script([.success(true), .success(true), .success(false), .success(false)])
        await housekeeping(script, Log(to: -1, metrics: metrics)).run()
        #expect(script.steps == ["work", "work", "work", "sleep", "work", "sleep"])
    }

    @Test func `retries a failed job, and logs the failure once`() async throws {
        let script = Script([
            .failure(.store(.full)), .failure(.sealedRecord(.notAuthentic)),
            .failure(.sealedRecord(.notAuthentic)), .success(false),
        ])
        let pipe = try TestPipe()
        await housekeeping(script, Log(to: pipe.writing.number, metrics: metrics)).run()
        #expect(script.steps == Array(repeating: ["work", "sleep"], count: 4).flatMap { $0 })
        // An outage has messages of its own.
        let failed =
            #"level":"error","message":"job failed","job":"work","failure":"sealedRecord","#
        let reason = #""reason":"a record of the store is not authentic"}"#
        let lines = pipe.read().split(separator: "\n").map { $0.drop { $0 != "l" } }
        #expect(
            lines == [
                Substring(failed + reason),
                #"level":"info","message":"job recovered","job":"work"}"#,
            ]
        )
        #expect(metrics.text(with: []).contains("{failure=\"store.full\"} 1\n"))
    }

    @Test func `names the failure of the store, also if the journal met it`() async throws {
        let script = Script([
            .failure(.journal(.store(.unavailable))), .failure(.journal(.lostHead)),
            .success(false),
        ])
        await housekeeping(script, Log(to: -1, metrics: metrics)).run()
        let text = metrics.text(with: [])
        #expect(text.contains("{failure=\"store.unavailable\"} 1\n"))
        #expect(text.contains("{failure=\"journal\"} 1\n"))
    }

    private func housekeeping(_ script: Script, _ log: Log) -> Housekeeping {
        let job = Housekeeping.Job(name: "work", interval: .seconds(1)) {
            () throws(Verifier.Failure) in try script.work()
        }
        return Housekeeping([job], metrics: metrics, log: log) { _ in script.sleep() }
    }
}

/// A job with given results; its task is cancelled in the sleep after the last one.
private final class Script: Sendable {
    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var results: [Result<Bool, Verifier.Failure>]
    private nonisolated(unsafe) var taken: [String] = []

    init(_ results: [Result<Bool, Verifier.Failure>]) {
        self.results = results.reversed()
    }

    var steps: [String] { lock.locked { taken } }

    func work() throws(Verifier.Failure) -> Bool {
        let result = lock.locked {
            taken.append("work")
            return results.popLast()
        }
        return try result?.get() ?? false
    }

    func sleep() {
        let isOver = lock.locked {
            taken.append("sleep")
            return results.isEmpty
        }
        if isOver { withUnsafeCurrentTask { $0?.cancel() } }
    }
}
