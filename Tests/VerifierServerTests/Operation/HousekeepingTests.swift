import Foundation
import TestSupport
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@testable import VerifierServer

@Suite struct `The housekeeping` {
    private let metrics = Metrics()

    @Test(.onEveryStore)
    func `ends what is past its deadline, clears away what is over and has all of it signed`()
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

    private func doAll(of bank: Bank) async throws {
        for chore in Housekeeping.chores(of: bank.verifier) { _ = try await chore.work() }
    }

    @Test func `goes on at once while there is more to do, and then waits`() async throws {
        let script = Script([.success(true), .success(true), .success(false), .success(false)])
        await housekeeping(script, Log(to: -1, metrics: metrics)).run()
        #expect(script.steps == ["work", "work", "work", "sleep", "work", "sleep"])
    }

    @Test func `that fails is tried again, and said once until it works again`() async throws {
        let script = Script([.failure(.store(.busy)), .failure(.store(.full)), .success(false)])
        let pipe = try TestPipe()
        await housekeeping(script, Log(to: pipe.writing.number, metrics: metrics)).run()
        #expect(script.steps == ["work", "sleep", "work", "sleep", "work", "sleep"])
        #expect(
            pipe.read().split(separator: "\n").map { $0.drop { $0 != "l" } } == [
                #"level":"error","message":"fails until further notice","chore":"work","#
                    + #""failure":"store.busy"}"#,
                #"level":"info","message":"works again","chore":"work"}"#,
            ]
        )
        #expect(metrics.text(with: []).contains("{failure=\"store.full\"} 1\n"))
    }

    private func housekeeping(_ script: Script, _ log: Log) -> Housekeeping {
        let chore = Housekeeping.Chore(name: "work", interval: .seconds(1)) {
            () throws(Verifier.Failure) in try script.work()
        }
        return Housekeeping([chore], metrics: metrics, log: log) { _ in script.sleep() }
    }
}

/// What a chore comes to, time after time; its task is cancelled in the sleep after the last.
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
