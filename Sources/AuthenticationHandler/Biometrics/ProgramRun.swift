import CLinux
import Glibc
import PrivateFiles

/// A program with its arguments and environment.
struct Program: Sendable {
    let path: String
    let arguments: [String]
    let environment: [String: String]
}

/// One run of a program that reads a request from a pipe and writes its response to another.
///
/// Only the thread that calls `run` knows the process; `cancel` can run on any thread.
final class ProgramRun: Sendable {
    enum Outcome {
        /// The size of the output, at its end or when the buffer is full.
        case answered(byteCount: Int)
        /// The time limit was reached, or the run was cancelled.
        case stopped
        case notStarted
    }

    private let program: Program
    private let input: Pipe
    private let output: Pipe
    private let cancellation: Pipe

    init(of program: Program) throws(FileFailure) {
        self.program = program
        input = try Pipe()
        output = try Pipe()
        cancellation = try Pipe()
    }

    func cancel() {
        // The pipe is empty, so this does not block.
        cancellation.write([0])
    }

    /// Waits for the response; when it returns, the program and its child processes have ended.
    func run(_ request: [UInt8], into buffer: inout [UInt8], timeLimit: Duration) -> Outcome {
        // Written before the program starts: the request fits into the pipe, and no reader can
        // close it yet.
        input.write(request)
        input.closeWriting()
        let process = program.start(reading: input.reading, writing: output.writing)
        output.closeWriting()
        guard let process else { return .notStarted }
        defer { end(process) }
        return read(into: &buffer, until: .now + timeLimit)
    }

    private func read(
        into buffer: inout [UInt8],
        until end: ContinuousClock.Instant
    ) -> Outcome {
        var count = 0
        while count < buffer.count {
            guard isReadable(before: end) else { return .stopped }
            let read = buffer.withUnsafeMutableBytes {
                Glibc.read(output.reading, $0.baseAddress?.advanced(by: count), $0.count - count)
            }
            if read < 0, errno == EINTR { continue }
            guard read > 0 else { break }
            count += read
        }
        return .answered(byteCount: count)
    }

    /// False after the time limit or a cancellation.
    private func isReadable(before end: ContinuousClock.Instant) -> Bool {
        while true {
            var polled = [output.reading, cancellation.reading].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let left = (end - .now) / .milliseconds(1)
            let ready = poll(&polled, 2, CInt(min(max(left.rounded(.up), 0), 60_000)))
            if ready < 0, errno == EINTR { continue }
            guard ready >= 0, polled[1].revents == 0 else { return false }
            if ready > 0 { return true }
            guard .now < end else { return false }
        }
    }

    /// Kills the process group.
    ///
    /// Its number cannot be reused before `waitpid`.
    private func end(_ process: pid_t) {
        kill(-process, SIGKILL)
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
    }
}

private final class Pipe: Sendable {
    let reading: CInt
    let writing: CInt
    // Only the thread of the run closes it.
    private nonisolated(unsafe) var isOpenForWriting = true

    init() throws(FileFailure) {
        var ends: [CInt] = [0, 0]
        guard countersign_pipe(&ends) == 0 else { throw .last() }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        closeWriting()
        close(reading)
    }

    func write(_ bytes: [UInt8]) {
        _ = Glibc.write(writing, bytes, bytes.count)
    }

    func closeWriting() {
        if isOpenForWriting { close(writing) }
        isOpenForWriting = false
    }
}

extension Program {
    /// Starts the program in its own process group, with the two pipes and standard error only; nil
    /// if that fails.
    fileprivate func start(reading input: CInt, writing output: CInt) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        var (all, none) = (sigset_t(), sigset_t())
        var statuses = [
            posix_spawn_file_actions_init(&actions), posix_spawnattr_init(&attributes),
        ]
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        statuses += [
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO),
            posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO),
            countersign_close_from(&actions, STDERR_FILENO + 1),
            posix_spawnattr_setflags(&attributes, Int16(flags)),
            posix_spawnattr_setpgroup(&attributes, 0),
            sigfillset(&all), sigemptyset(&none),
            posix_spawnattr_setsigdefault(&attributes, &all),
            posix_spawnattr_setsigmask(&attributes, &none),
        ]
        // If standard streams are closed, a pipe may have their numbers.
        guard statuses.allSatisfy({ $0 == 0 }), min(input, output) > STDERR_FILENO else {
            return nil
        }
        var process = pid_t()
        let status = withCStrings([path] + arguments) { arguments in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                posix_spawn(&process, path, &actions, &attributes, arguments, environment)
            }
        }
        return status == 0 ? process : nil
    }
}

/// Converts strings for `argv` or `envp`.
private func withCStrings<Result>(
    _ texts: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
}
