import CommandLineTool
import Glibc
import ServerOperation

struct RunCommand: Command {
    static let name = "run"
    static let summary = "Run the ACS."
    static let discussion = """
        The log is JSON lines on standard error, without card numbers and personal data.

        SIGTERM and SIGINT start a graceful shutdown: the server accepts no new requests, completes \
        the current ones, and exits with 0. A second signal ends the process at once, with 130. \
        SIGHUP reloads the certificates of the listeners.

        The service manager is notified about the start, reloads and the shutdown (NOTIFY_SOCKET). \
        Other commands can run at the same time. With PostgreSQL, several nodes can run.
        """

    @ConfigurationPath private var path: String
    static let signals = [SIGTERM, SIGINT, SIGHUP]

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let configuration = try Configuration(readingFileAt: path)
        try await Serving(configuration, for: .ofEnvironment).run(on: terminal)
    }
}
