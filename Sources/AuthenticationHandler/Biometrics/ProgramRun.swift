import CLinux
import Glibc
import PrivateFiles

/// One run of a program that reads a request from a pipe and writes its response to another.
///
/// `cancel` can run on any thread.
final class ProgramRun: Sendable {
    enum Outcome {
        /// The size of the output, at its end or when the buffer is full.
        case ended(byteCount: Int)
        case cancelled
        /// The program did not start, or its timeout was reached.
        case noResponse
    }

    private let program: ChildProcess.Program
    /// Readable after a cancellation.
    private let cancellation: FileDescriptor

    init(of program: ChildProcess.Program) throws(FileFailure) {
        self.program = program
        cancellation = try FileDescriptor(countersign_event_descriptor())
    }

    func cancel() {
        var count: UInt64 = 1
        // Does not block.
        _ = write(cancellation.number, &count, MemoryLayout.size(ofValue: count))
    }

    /// Waits for the response; when it returns, the program and its child processes have ended.
    func run(_ request: [UInt8], into buffer: inout [UInt8], timeout: Duration) -> Outcome {
        // The reason does not matter: `try?`.
        guard let process = try? ChildProcess(program, input: request) else { return .noResponse }
        let outcome = read(process.output, into: &buffer, until: .now + timeout)
        process.kill()
        return outcome
    }

    private func read(
        _ output: borrowing FileDescriptor,
        into buffer: inout [UInt8],
        until end: ContinuousClock.Instant
    ) -> Outcome {
        let output = output.number
        var count = 0
        while count < buffer.count {
            if let outcome = outcomeBeforeOutput(output, until: end) { return outcome }
            let read = buffer.withUnsafeMutableBytes {
                Glibc.read(output, $0.baseAddress?.advanced(by: count), $0.count - count)
            }
            if read < 0, errno == EINTR { continue }
            guard read > 0 else { break }
            count += read
        }
        return .ended(byteCount: count)
    }

    /// Nil if the output is readable.
    private func outcomeBeforeOutput(
        _ output: CInt,
        until end: ContinuousClock.Instant
    ) -> Outcome? {
        while true {
            var polled = [output, cancellation.number].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let left = (end - .now) / .milliseconds(1)
            let ready = poll(&polled, 2, CInt(min(max(left.rounded(.up), 0), 60_000)))
            if ready < 0, errno == EINTR { continue }
            guard ready >= 0 else { return .noResponse }
            if polled[1].revents != 0 { return .cancelled }
            if ready > 0 { return nil }
            guard .now < end else { return .noResponse }
        }
    }
}
