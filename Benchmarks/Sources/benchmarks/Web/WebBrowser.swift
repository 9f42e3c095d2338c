import FoundationEssentials
import Glibc

/// The program `Benchmarks/browser`, which drives Chromium until this value ends.
final class WebBrowser {
    /// That of Python, with selenium.
    static let interpreter = Repository.path
        .appending(path: ".build/browser-driver/bin/python3").path

    private let process: pid_t
    private let commands: UnsafeMutablePointer<FILE>
    private let results: UnsafeMutablePointer<FILE>

    private struct Result: Decodable {
        let values: [Double]?
        let failure: String?
    }

    /// Throws if this machine lacks a program.
    static func check() throws {
        let files = [
            ("chromium", "/usr/bin/chromium"), ("chromedriver", "/usr/bin/chromedriver"),
            ("selenium", interpreter),
        ]
        let missing = files.filter { !FileManager.default.fileExists(atPath: $0.1) }
        guard missing.isEmpty else { throw NotMeasured(missing: missing.map(\.0)) }
    }

    init(at origin: String, trusting certificate: Certificate) throws {
        let (input, output) = (try Self.openPipe(), try Self.openPipe())
        let program = Program(
            words: [
                Self.interpreter, "-B", Repository.path.appending(path: "Benchmarks/browser").path,
                origin, try certificate.pin(),
            ],
            environment: ["no_proxy": "localhost"]
        )
        process = try program.begin { actions in
            posix_spawn_file_actions_adddup2(&actions, input.reading, STDIN_FILENO)
            posix_spawn_file_actions_adddup2(&actions, output.writing, STDOUT_FILENO)
        }
        close(input.reading)
        close(output.writing)
        guard
            let commands = fdopen(input.writing, "w"), let results = fdopen(output.reading, "r")
        else { throw BenchmarkFailure("no stream: \(String(cString: strerror(errno)))") }
        (self.commands, self.results) = (commands, results)
        // If the program ended, its result is missing: a command to it must not end this process.
        signal(SIGPIPE, SIG_IGN)
    }

    deinit {
        // The end of the commands ends the program, which closes the browser.
        fclose(commands)
        Program.waitForExit(of: process)
        fclose(results)
    }

    /// Sends a command, and returns the numbers of its result.
    func values(of command: String, count: Int) throws -> [Double] {
        fputs(command + "\n", commands)
        fflush(commands)
        let line = try nextLine()
        let result = try JSONDecoder().decode(Result.self, from: Data(line.utf8))
        guard let values = result.values, values.count == count else {
            throw BenchmarkFailure("\(command): \(result.failure ?? line)")
        }
        return values
    }

    private func nextLine() throws -> String {
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        guard getline(&line, &capacity, results) > 0, let line else {
            throw BenchmarkFailure("Benchmarks/browser ended")
        }
        return String(cString: line)
    }

    /// Closed in other programs that this process starts.
    private static func openPipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0, ends.allSatisfy({ fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }) else {
            throw BenchmarkFailure("no pipe: \(String(cString: strerror(errno)))")
        }
        return (ends[0], ends[1])
    }
}
