import Cryptography
import Foundation
import PrivateFiles
import ServerOperation
import Storage
import TestSupport
import Testing
import VerifierWorld

@testable import Verification
@testable import VerifierServer

/// The job that audits the store, with the pauses between two audits in the hands of the test.
@Suite(.onAnyStore) struct `The audit job` {
    private let metrics = Metrics()
    private let pipe: TestPipe
    private let premises: Premises
    private let bank: Bank
    private let audit: BackgroundAudit

    init() async throws {
        pipe = try TestPipe()
        premises = try Premises()
        bank = try await premises.begin()
        audit = BackgroundAudit(
            for: bank.verifier,
            against: try JournalFile(
                premises.journalPath,
                signedBy: premises.auditKey.publicKey
            )
        ) { [store = premises.store] () throws(StoreFailure) in
            try store.open(migrations: Schema.migrations)
        }
    }

    private var log: Log { Log(to: pipe.writing.number, metrics: metrics) }

    /// Runs the job until the last action, each in the pause after one audit.
    private func audit(_ actions: [@Sendable () throws -> Void]) async {
        let jobs = Housekeeping.jobs(of: audit, every: .seconds(60), loggingTo: log)
        let remaining = LockedValue(actions)
        await Housekeeping([jobs[0]], metrics: metrics, log: log) { pause in
            #expect(pause == .seconds(60))
            let next = remaining.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            guard let next else {
                withUnsafeCurrentTask { $0?.cancel() }
                return
            }
            try next()
        }.run()
    }

    @Test func `SEC-101: audits again, so it finds what was deleted since`() async throws {
        _ = try await bank.addAccount("4712")
        let (premises, forgeries) = (premises, bank.verifier.forgeries)
        await audit([
            {
                #expect(forgeries.count == 0)
                let output = try premises.store.output(of: "DELETE FROM accounts WHERE id = '4712'")
                #expect(output == "")
            },
            { #expect(forgeries.count == 1) },
        ])
        #expect(forgeries.takeUnrecorded() == ["accounts enterprise=bank type=main id=4712"])
    }

    /// An attacker with the disk of the journal must not end the audits without a message.
    @Test func `SEC-101: a failing audit is in the log and the metrics`() async throws {
        try await bank.journalNow()
        let path = premises.journalPath
        let line = try String(contentsOfFile: path, encoding: .utf8)
        try write("x", to: path)
        await audit([{ try write(String(line.prefix(1)), to: path) }])
        let lines = pipe.read().split(separator: "\n").map { $0.drop { $0 != "l" } }
        let failed = #"level":"error","message":"job failed","job":"audit","failure":"journal","#
        let reason = #""reason":"line 1 of the journal is damaged, or signed by another key"}"#
        #expect(
            lines == [
                Substring(failed + reason),
                #"level":"info","message":"job recovered","job":"audit"}"#,
            ]
        )
        #expect(metrics.text(with: []).contains("{failure=\"journal\"} 1\n"))
    }

    @Test func `an audit that is not complete for too long is in the log`() async throws {
        func run(_ interval: Duration, _ limit: Duration) async throws {
            let jobs = Housekeeping.jobs(
                of: audit,
                every: interval,
                loggingTo: log,
                overdueAfter: limit
            )
            #expect(try await jobs[1].run() == false)
        }
        try await run(.seconds(60), .zero)
        try await run(.zero, .seconds(60))
        try await run(.zero, .zero)
        let lines = pipe.read().split(separator: "\n")
        #expect(lines.count == 1)
        #expect(lines[0].contains(#""level":"error","message":"audit overdue","seconds":0"#))
    }
}

/// Replaces the first bytes of a file.
private func write(_ text: String, to path: String) throws {
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
}
