import CLinux
import Glibc

/// A program that prompts a person for a secret, for example in a window.
///
/// As for `ssh-askpass`, the question is its argument, and the answer is a line on its standard
/// output.
package struct AskpassProgram {
    private let path: String

    package init(path: String) {
        self.path = path
    }

    /// Nil if the program prints nothing or exits with an error.
    package func secretAnswer(to question: String) throws(CommandFailure) -> TypedSecret? {
        var ends: [Int32] = [0, 0]
        guard countersign_pipe(&ends) == 0 else { throw failure }
        let process = start(asking: question, writing: ends[1])
        close(ends[1])
        guard let process else {
            close(ends[0])
            throw failure
        }
        var status: Int32 = 0
        let answer: TypedSecret?
        do {
            defer {
                // Closed before the wait: the program may still be writing.
                close(ends[0])
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
            }
            answer = try secretLine(from: ends[0], named: path)
        }
        // Output after the first line is ignored, so SIGPIPE is not an error.
        return status == 0 || status == SIGPIPE ? answer : nil
    }

    /// Starts the program with this environment, which may name a display, and without blocked
    /// signals.
    private func start(asking question: String, writing output: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { posix_spawn_file_actions_destroy(&actions) }
        var attributes = posix_spawnattr_t()
        guard posix_spawnattr_init(&attributes) == 0 else { return nil }
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        guard
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK)) == 0,
            posix_spawnattr_setsigmask(&attributes, &none) == 0,
            posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) == 0,
            countersign_close_from(&actions, STDERR_FILENO + 1) == 0
        else { return nil }
        var process = pid_t()
        let words = [strdup(path), strdup(question)]
        defer { for word in words { free(word) } }
        let status = posix_spawn(
            &process,
            path,
            &actions,
            &attributes,
            words + [nil],
            countersign_environment()
        )
        return status == 0 ? process : nil
    }

    private var failure: CommandFailure {
        CommandFailure(.noInput, "cannot run \(path) to ask for a secret")
            .suggesting("check \"askpass\" in the settings file")
    }
}
