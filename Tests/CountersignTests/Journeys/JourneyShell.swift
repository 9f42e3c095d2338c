import Foundation
import ProgramTesting
import TestSupport

/// A shell on a terminal of 80 columns, in a new home folder, with both programs in its path.
final class JourneyShell {
    let home: TemporaryFolder
    private let session: TerminalSession
    private let environment: [String: String]

    init() throws {
        home = try TemporaryFolder()
        let programs = URL(filePath: BuiltProducts.path(of: "countersign"))
            .deletingLastPathComponent().path
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        environment = [
            "HOME": home.path, "PATH": "\(programs):\(path)", "NO_COLOR": "1", "TERM": "dumb",
            "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "", "XDG_STATE_HOME": "",
            "no_proxy": "127.0.0.1,localhost", "SWIFT_BACKTRACE": "enable=no", "PS1": "$ ",
            "PROMPT_COMMAND": "s=$?; [ $s = 0 ] || echo \"exit code $s\"",
        ]
        session = try TerminalSession(
            ["env", "--chdir", home.path, "bash", "--noprofile", "--norc", "--noediting", "-i"],
            columns: 80,
            environment: environment
        )
    }

    /// The output since the last call, as soon as the terminal waits at the expected last line.
    func output(until expected: ExpectedScreen) throws -> String {
        Self.visible(try session.output { expected.isComplete(Self.visible($0)) })
    }

    /// Without empty lines; a line that is drawn again counts as its last drawing.
    private static func visible(_ output: String) -> String {
        output.replacing("\r\n", with: "\n")
            .replacing(/(?:\r[^\r\n]*\u{1B}\[K)*\r([^\r\n]*)\u{1B}\[K/) { $0.1 }
            .replacing(/\n\n+/, with: "\n")
    }

    /// Types a line, or a control key such as `^C`.
    func type(_ text: String) throws {
        let keys = ["^C": "\u{3}", "^D": "\u{4}"]
        try session.type(keys[text] ?? text + "\n")
    }

    func runMeanwhile(_ command: String) throws {
        let run = try FinishedProcess.run(
            "bash",
            ["-c", "cd && \(command)"],
            environment: environment
        )
        guard run.exitCode == 0 else { throw Premises.Failure(output: run.errorOutput) }
    }

    func end() throws {
        try session.type("exit\n")
        _ = try session.end()
    }
}
