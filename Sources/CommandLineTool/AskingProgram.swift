import CLinux
import Glibc
package import OneTimePassword

/// A program that asks a person in its own way, such as by a window.
///
/// Its argument is the question, and a line on its standard output the answer, as `ssh-askpass` has
/// it.
package struct AskingProgram {
    private let path: String

    package init(path: String) {
        self.path = path
    }

    /// Nil where no answer comes, or the program says that it is none by how it ends.
    package func secretResponse(to question: String) throws(CommandFailure) -> SecretBytes? {
        var ends: [Int32] = [0, 0]
        guard countersign_pipe(&ends) == 0 else { throw failure }
        let process = start(asking: question, writing: ends[1])
        close(ends[1])
        guard let process else {
            close(ends[0])
            throw failure
        }
        var status: Int32 = 0
        let answer: SecretBytes?
        do {
            defer {
                // First, so that it does not go on writing for ever.
                close(ends[0])
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
            }
            answer = try secretLine(from: ends[0], named: path)
        }
        // It may have had more to say, which nobody hears.
        return status == 0 || status == SIGPIPE ? answer : nil
    }

    /// With the environment of this program, in which a display may be, and with all signals.
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
        CommandFailure(.noInput, "\(path), which is to ask for it, cannot be run")
    }
}
