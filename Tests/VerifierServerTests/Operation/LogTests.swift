import Cryptography
import Glibc
import PrivateFiles
import ServerOperation
import Storage
import StrictJSON
import TestSupport
import Testing
import Verification

@testable import VerifierServer

@Suite struct `A log` {
    private let metrics = Metrics()

    @Test func `is one JSON object per line`() throws {
        let pipe = try TestPipe()
        let log = Log(to: pipe.writing.number, metrics: metrics)
        log.write(
            .info,
            "something happened",
            ["text": .string("a\nb \"c\""), "count": .number(.init(3))]
        )
        log.write(.error, "something failed")
        let lines = pipe.read().split(separator: "\n").map(String.init)
        let time = /"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z",/
        #expect(
            lines.map { $0.replacing(time, with: "") } == [
                #"{"level":"info","message":"something happened","text":"a\nb \"c\"","count":3}"#,
                #"{"level":"error","message":"something failed"}"#,
            ]
        )
    }

    @Test func `omits lines below its level`() throws {
        let pipe = try TestPipe()
        Log(to: pipe.writing.number, from: .error, metrics: metrics).write(.info, "unimportant")
        Log(to: pipe.writing.number, from: .debug, metrics: metrics).write(.debug, "detail")
        #expect(pipe.read().contains(#""message":"detail""#))
        #expect(metrics.text(with: []).contains("lines_dropped_total 0\n"))
    }

    @Test func `reports the start and end of the process at every level`() throws {
        let pipe = try TestPipe()
        let log = Log(to: pipe.writing.number, from: .error, metrics: metrics)
        log.write(.info, "unimportant")
        log.announce("stopped", ["why": .string("asked")])
        let lines = pipe.read().split(separator: "\n")
        #expect(lines.count == 1)
        let line = try #require(lines.first)
        #expect(line.hasSuffix(#""level":"info","message":"stopped","why":"asked"}"#))
    }

    @Test func `drops lines of a slow reader without waiting, and counts them`() throws {
        let pipe = try TestPipe()
        let log = Log(to: pipe.writing.number, metrics: metrics)
        // More than a pipe holds.
        for _ in 0..<2000 { log.write(.info, String(repeating: "x", count: 100)) }
        let taken = pipe.read().split(separator: "\n")
        #expect(taken.count < 2000)
        #expect(taken.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
        let lost = 2000 - taken.count
        #expect(metrics.text(with: []).contains("lines_dropped_total \(lost)\n"))
    }

    @Test func `drops lines after its reader left`() throws {
        ignoreBrokenPipes()
        let pipe = try TestPipe()
        pipe.reading.close()
        Log(to: pipe.writing.number, metrics: metrics).write(.error, "lost")
        #expect(metrics.text(with: []).contains("lines_dropped_total 1\n"))
    }

    /// A thread without SIGPIPE in its mask would end the process.
    @Test func `raises no signal after its reader left`() async throws {
        let pipe = try TestPipe()
        pipe.reading.close()
        let log = Log(to: pipe.writing.number, metrics: metrics)
        let isPending = try await Thread.run {
            var (signals, pending) = (sigset_t(), sigset_t())
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            // A blocked signal stays pending.
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            log.write(.error, "lost")
            sigpending(&pending)
            return sigismember(&pending, SIGPIPE) != 0
        }
        #expect(!isPending.get())
    }

    @Test(.timeLimit(.minutes(1)))
    func `never waits when several threads write the last line that a pipe holds`() async throws {
        let line = String(repeating: "x", count: 3000)
        for _ in 0..<500 {
            let pipe = try TestPipe()
            // F_SETPIPE_SZ: one page, which holds one line.
            try #require(fcntl(pipe.writing.number, 1031, 4096) == 4096)
            let log = Log(to: pipe.writing.number, metrics: metrics)
            async let first = Thread.run { log.write(.info, line) }
            async let second = Thread.run { log.write(.info, line) }
            _ = try await (first, second)
            #expect(pipe.read().split(separator: "\n").count == 1)
        }
    }
}
