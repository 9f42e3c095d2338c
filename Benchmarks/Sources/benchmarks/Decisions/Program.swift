import FoundationEssentials
import Glibc

/// A program that is run beside this one.
enum Program {
    /// Runs it to its end and gives all that it said.
    @discardableResult
    static func run(_ path: String, _ arguments: [String]) throws -> String {
        let folder = try TemporaryFolder()
        let output = folder.path + "/output"
        let status = try spawn([path] + arguments, writingTo: output)
        let said = try String(contentsOfFile: output, encoding: .utf8)
        guard status == 0 else { throw Failure(program: path, said: said) }
        return said
    }

    /// One that comes with a PostgreSQL server.
    @discardableResult
    static func ofPostgres(_ name: String, _ arguments: [String]) throws -> String {
        try run("/usr/lib/postgresql/15/bin/" + name, arguments)
    }

    private struct Failure: Error {
        let program: String
        let said: String
    }

    private static func spawn(_ words: [String], writingTo output: String) throws -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let flags = O_CREAT | O_TRUNC | O_WRONLY
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, flags, 0o600)
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        let arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        guard posix_spawn(&process, words[0], &actions, nil, arguments, environ) == 0 else {
            throw Failure(program: words[0], said: "it cannot be run")
        }
        var status: Int32 = 0
        waitpid(process, &status, 0)
        return status
    }
}
