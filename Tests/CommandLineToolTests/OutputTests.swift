import Foundation
import Testing

@testable import CommandLineTool

@Suite struct `Output to a descriptor` {
    @Test func `arrives whole though signals cut it into pieces`() async throws {
        let pipe = Pipe()
        let text = String(repeating: "0123456789abcdef", count: 1 << 16)
        let writer = await startWriting(text, to: pipe.fileHandleForWriting)
        var read = Data()
        while let piece = try pipe.fileHandleForReading.read(upToCount: 4096), !piece.isEmpty {
            read += piece
            // The first finds bytes just written; a second may find none, and `EINTR` comes of it.
            pthread_kill(writer.thread, SIGUSR1)
            pthread_kill(writer.thread, SIGUSR1)
        }
        writer.mayEnd.signal()
        let isWhole = read == Data(text.utf8)
        #expect(isWhole, "\(read.count) bytes of \(text.utf8.count)")
    }

    @Test func `to a file that is not open is a failure`() throws {
        let failure = #expect(throws: CommandFailure.self) {
            try Output(to: -1, named: "nowhere").print("")
        }
        #expect(failure?.exitCode == .inputOutput)
        #expect(failure?.message == "cannot write to nowhere: Bad file descriptor")
    }

    @Test func `of a failure is one line that no message can break out of`() {
        let failure = CommandFailure(
            .tryLater,
            "the server said \u{1B}[2J\napproved\u{202E}",
            hint: "wait ⏳"
        )
        #expect(
            failure.report(from: "countersign") == #"""
                countersign: the server said \u{1B}[2J\napproved\u{202E}
                hint: wait ⏳

                """#
        )
    }
}

/// Starts a thread that writes `text`, closes `handle` and then waits, so that it can be signalled.
private func startWriting(
    _ text: String,
    to handle: FileHandle
) async -> (thread: pthread_t, mayEnd: DispatchSemaphore) {
    // Without `SA_RESTART` a signal ends a write early.
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    sigaction(SIGUSR1, &action, nil)
    let mayEnd = DispatchSemaphore(value: 0)
    let thread = await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            var signals = sigset_t()
            sigaddset(&signals, SIGUSR1)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            continuation.resume(returning: pthread_self())
            // A failure shows in what is read.
            try? Output(to: handle.fileDescriptor, named: "pipe").write(text)
            try? handle.close()
            mayEnd.wait()
        }
    }
    return (thread, mayEnd)
}
