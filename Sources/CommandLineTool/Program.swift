import CLinux
import Glibc

/// A program: what it is called, and what it can be asked to do.
package struct Program: Sendable {
    package let name: String
    package let summary: String
    package let version: String
    /// What is true of all commands.
    let discussion: String
    /// The section of the manual: 1, or 8 for what only those who run a system need.
    let section: Int
    /// Other pages of the manual, as in "countersign(1)".
    let related: [String]
    let commands: [any Command.Type]

    package init(
        name: String,
        summary: String,
        version: String,
        discussion: String = "",
        section: Int = 1,
        related: [String] = [],
        commands: [any Command.Type]
    ) {
        self.name = name
        self.summary = summary
        self.version = version
        self.discussion = discussion
        self.section = section
        self.related = related
        self.commands = commands + [Completion.self, Manual.self, Help.self]
    }

    /// Runs what the process was started with, and ends it.
    ///
    /// This thread, the first, only takes in signals: Swift would leave it in a wait that every signal
    /// ends, and so the process, whichever other threads block it.
    package func main() -> Never {
        // A reader that leaves is a failed write, not a death. A handler, unlike SIG_IGN, is not
        // inherited by programs that this one starts.
        signal(SIGPIPE) { _ in }
        keepMemoryPrivate()
        holdStandardDescriptors()
        guard CommandLine.isUTF8 else {
            tell(CommandFailure(.usage, "an argument is not UTF-8"), on: .standardError)
            _exit(ExitCode.usage.rawValue)
        }
        let words = Array(CommandLine.arguments.dropFirst())
        let heard = commandType(leading: words)?.signals ?? []
        // Before there is another thread: each has the mask of the one that begins it.
        var mask = blockedAlone(heard + Interruption.signals)
        let hearing = SignalHearing()
        Task {
            let terminal = Terminal.standard { hearing.begin() }
            // Not exit(), which lets libraries free what a thread that is ending frees as well.
            _exit(await run(words, on: terminal).rawValue)
        }
        while true {
            var number: Int32 = 0
            guard sigwait(&mask, &number) == 0 else { continue }
            guard heard.contains(number) else {
                Interruption.take(number)
                continue
            }
            // That it is to read its files again, it hears as soon as it has begun.
            if hearing.hasBegun || number == SIGHUP {
                hearing.tell(number)
            } else {
                Interruption.take(number)
                // The first process of a system outlives what ends every other.
                _exit(128 + number)
            }
        }
    }

    /// Whoever began the program may have blocked others, which are to end it all the same.
    private func blockedAlone(_ signals: [Int32]) -> sigset_t {
        var mask = sigset_t()
        sigemptyset(&mask)
        for signal in signals { sigaddset(&mask, signal) }
        pthread_sigmask(SIG_SETMASK, &mask, nil)
        return mask
    }

    /// What was typed, and keys that libraries keep in ordinary memory, is in no core dump and on no
    /// screen, and no other program of the same user reads it through /proc.
    private func keepMemoryPrivate() {
        // Swift's backtracer shows registers, and the memory that they lead to.
        for fault in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP]
        where !Interruption.isIgnored(fault) {
            signal(fault, SIG_DFL)
        }
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        _ = countersign_set_dumpable(0)
    }

    /// Has those that are closed be taken, the wrong way round: what is opened later is not read or
    /// written in their place.
    private func holdStandardDescriptors() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    package func run(_ words: [String], on terminal: Terminal) async -> ExitCode {
        do throws(CommandFailure) {
            if words.first == Flag.version.syntax.name {
                try terminal.output.print("\(name) \(version)")
            } else {
                try await command(for: words).run(on: terminal)
            }
            return .done
        } catch {
            tell(error, on: terminal.messages)
            return error.exitCode
        }
    }

    private func tell(_ failure: CommandFailure, on messages: Output) {
        // Where standard error cannot be written to, the exit code is all that is left.
        try? messages.write(failure.report(from: name))
    }

    /// The command that the words after the program's name ask for.
    package func command(for words: [String]) throws(CommandFailure) -> any Command {
        if words.prefix(while: { $0 != "--" }).contains(where: Flag.help.syntax.isSpelled) {
            return try Help(on: words.prefix { !looksLikeOption($0) }, in: self)
        }
        guard let type = commandType(leading: words) else { throw unknownCommand(leading: words) }
        do throws(CommandFailure) {
            let rest = words.dropFirst(type.words.count)
            return try type.init(ParsedArguments(rest, for: type, of: self))
        } catch {
            throw error.pointing(to: "\(name) \(type.name) --help")
        }
    }
}

extension Program {
    func commandType(leading words: some Collection<String>) -> (any Command.Type)? {
        commands.first { words.starts(with: $0.words) }
    }

    /// The commands whose name goes on after `topic`.
    func commands(below topic: some Collection<String>) -> [any Command.Type] {
        commands.filter { $0.words.count > topic.count && $0.words.starts(with: topic) }
    }

    /// Why no command's name leads `words`.
    func unknownCommand(leading words: some Collection<String>) -> CommandFailure {
        let names = words.prefix { !looksLikeOption($0) }
        guard let first = names.first else {
            let message = "a command must come first"
            return CommandFailure(.usage, message).pointing(to: "\(name) --help")
        }
        let isTopic = !commands(below: [first]).isEmpty
        let help = isTopic ? "\(name) \(first) --help" : "\(name) --help"
        if isTopic, names.count == 1 {
            let message = "\(first) must be followed by a command of its own"
            return CommandFailure(.usage, message).pointing(to: help)
        }
        let unknown = names.prefix(isTopic ? 2 : 1).joined(separator: " ")
        // What is no word may be a PIN that somebody typed too early.
        guard unknown.allSatisfy({ $0.isLetter || "- ".contains($0) }) else {
            return CommandFailure(.usage, "there is no such command").pointing(to: help)
        }
        let known = commands.flatMap { [$0.words[0], $0.name] }
        let hint = suggestion(for: unknown, among: known)
        return CommandFailure(.usage, "unknown command \(unknown)", hint: hint).pointing(to: help)
    }
}

extension CommandLine {
    /// Swift would put something else in the place of what is none, and have that be signed.
    fileprivate static var isUTF8: Bool {
        (0..<Int(argc)).allSatisfy { index in
            guard let argument = unsafeArgv[index] else { return true }
            return String(validatingCString: argument) != nil
        }
    }
}
