import CLinux
import Glibc

/// A program that runs as a child process and writes to a pipe.
///
/// It has the standard streams only, and no blocked signals. Without `end`, it is killed.
package struct ChildProcess: ~Copyable {
    /// A program with its arguments.
    package struct Program: Sendable {
        let path: String
        let arguments: [String]
        let environment: [String: String]?

        /// - Parameter environment: The whole environment; if nil, the program has this process's.
        package init(path: String, arguments: [String], environment: [String: String]? = nil) {
            self.path = path
            self.arguments = arguments
            self.environment = environment
        }
    }

    private let running: RunningProgram
    package let output: FileDescriptor

    /// Starts a program whose standard input contains `input`, at most 4096 bytes.
    ///
    /// It leads its own process group, with the default effect of all signals.
    package init(_ program: Program, input bytes: [UInt8]) throws(FileFailure) {
        // Every pipe has space for these, and one call writes all of them.
        guard bytes.count <= PIPE_BUF else { throw .tooLarge }
        let input = try Pipe()
        _ = try FileDescriptor.uninterrupted { write(input.writing.number, bytes, bytes.count) }
        let reading = input.takeReading()
        try self.init(program, reading: reading.number)
    }

    /// Starts a program in the process group and with the standard input of this process.
    package init(_ program: Program) throws(FileFailure) {
        try self.init(program, reading: nil)
    }

    /// Runs a program with the standard input of this process and without an output; returns its
    /// status.
    package static func run(_ program: Program) throws(FileFailure) -> CInt {
        let output = try FileDescriptor(open("/dev/null", O_WRONLY | O_CLOEXEC))
        let number = try program.start(reading: nil, writing: output.number)
        return RunningProgram(number: number, leadsGroup: false).end()
    }

    private init(_ program: Program, reading input: CInt?) throws(FileFailure) {
        let pipe = try Pipe()
        running = RunningProgram(
            number: try program.start(reading: input, writing: pipe.writing.number),
            leadsGroup: input != nil
        )
        output = pipe.takeReading()
    }

    /// Closes the output, then waits until the program ends; returns its status.
    ///
    /// If this process ignores SIGCHLD, the status is lost, and -1 is returned.
    package consuming func end() -> CInt {
        output.close()
        return running.end()
    }

    /// Kills the program, and all processes of the group that it leads.
    package consuming func kill() { running.kill() }
}

/// Kills a program unless `end` waits for it.
private struct RunningProgram: ~Copyable {
    let number: pid_t
    let leadsGroup: Bool

    deinit {
        // The number cannot be reused before `waitpid`.
        Glibc.kill(leadsGroup ? -number : number, SIGKILL)
        _ = Self.wait(for: number)
    }

    consuming func kill() {}

    consuming func end() -> CInt {
        let number = number
        discard self
        return Self.wait(for: number)
    }

    private static func wait(for number: pid_t) -> CInt {
        var status: CInt = -1
        while waitpid(number, &status, 0) < 0, errno == EINTR {}
        return status
    }
}

/// A pipe that child processes do not inherit.
private struct Pipe: ~Copyable {
    let reading: FileDescriptor
    let writing: FileDescriptor

    init() throws(FileFailure) {
        var ends: [CInt] = [0, 0]
        guard countersign_pipe(&ends) == 0 else { throw .last() }
        self.init(reading: try FileDescriptor(ends[0]), writing: try FileDescriptor(ends[1]))
    }

    private init(reading: consuming FileDescriptor, writing: consuming FileDescriptor) {
        self.reading = reading
        self.writing = writing
    }

    /// Closes the other end.
    consuming func takeReading() -> FileDescriptor { reading }
}

extension ChildProcess.Program {
    fileprivate func start(
        reading input: CInt?,
        writing output: CInt
    ) throws(FileFailure) -> pid_t {
        // If standard streams are closed, a pipe may have their numbers.
        guard min(input ?? output, output) > STDERR_FILENO else { throw .errorNumber(EBADF) }
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
        var flags = POSIX_SPAWN_SETSIGMASK
        if let input {
            flags |= POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF
            statuses.append(posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO))
        }
        statuses += [
            posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO),
            countersign_close_from(&actions, STDERR_FILENO + 1),
            posix_spawnattr_setflags(&attributes, Int16(flags)),
            sigfillset(&all), sigemptyset(&none),
            posix_spawnattr_setsigdefault(&attributes, &all),
            posix_spawnattr_setsigmask(&attributes, &none),
        ]
        guard statuses.allSatisfy({ $0 == 0 }) else { throw .errorNumber(ENOMEM) }
        var process = pid_t()
        let status = withCStrings([path] + arguments) { words in
            guard let environment else {
                let inherited = countersign_environment()
                return posix_spawn(&process, path, &actions, &attributes, words, inherited)
            }
            return withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                posix_spawn(&process, path, &actions, &attributes, words, environment)
            }
        }
        guard status == 0 else { throw FileFailure(errorNumber: status) }
        return process
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
