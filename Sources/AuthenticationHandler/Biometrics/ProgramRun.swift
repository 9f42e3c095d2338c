import CLinux
import Glibc

/// A program with its arguments, and an environment that is not this one's.
struct Program: Sendable {
    let path: String
    let arguments: [String]
    let environment: [String: String]
}

/// One run of a program that is asked by a pipe, and answers by another.
///
/// Everything but `cancel` happens on the thread that asks, which alone knows the process.
final class ProgramRun: Sendable {
    enum Outcome {
        /// How much it said, before it closed its output or filled all the room there is.
        case answered(byteCount: Int)
        /// Its time was over, or it was cancelled.
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
        // It is empty, so there is room.
        cancellation.write([0])
    }

    /// Waits for the answer; afterwards the program has ended, with all that it began.
    func ask(_ question: [UInt8], into buffer: inout [UInt8], timeLimit: Duration) -> Outcome {
        // Before anybody reads: the pipe has room for it, and nobody can close it meanwhile.
        input.write(question)
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

    /// False where time is over, or somebody cancelled.
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

    /// Its group has its number, which nobody else gets before it is waited for.
    private func end(_ process: pid_t) {
        kill(-process, SIGKILL)
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
    }
}

/// Both ends of a pipe.
private final class Pipe: Sendable {
    let reading: CInt
    let writing: CInt
    // Only its own thread closes it.
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
    /// Starts it in a group of its own, with nothing of this process open but what it is given and
    /// the error output; nil where that cannot be.
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
        // In a process without standard streams one end would be put in the place of the other.
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

/// Lends what a call takes for `argv` or `envp`.
private func withCStrings<Result>(
    _ texts: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
}
