import CommandLineTool
import Glibc
import Verification

/// Is the verifier that devices and the bank's programs ask.
struct RunCommand: Command {
    static let name = "run"
    static let summary = "Serve devices and the bank's programs, until it is told to stop."
    static let discussion = """
        Where it listens, the configuration says in server and operation; what happens, one line
        of JSON each on standard error, with nothing in it of who anybody is.

        SIGTERM and SIGINT stop it: it takes nobody in any more, answers what it was asked, and
        ends with 0. A second one ends it at once, with 130. SIGHUP has it read certificates again.
        Before it listens, as while it reads through a large store, either of the two ends it at once.

        A service manager is told when it is ready, reloads and stops (NOTIFY_SOCKET). Sockets that
        it hands over (LISTEN_FDS) take the place of server.listen, and one that its unit names
        operation, the place of operation.listen. A file of encryption keys that it hands over is
        found by its name: "descriptor:NAME".

        For every command, a variable takes the place of a member of the configuration: COUNTERSIGND_
        and the member in capitals, with a line for each dot. A text is set as it is, and all else is
        JSON, as in the file; of an array only the whole is set. One of this beginning that means no
        member is refused. Like the file they name secrets and never hold one.

        \(ConfigurationVariables.list)
        Other commands may be run beside it.
        """

    static let parameters: [any Parameter] = [Configuration.option]
    static let signals = [SIGTERM, SIGINT, SIGHUP]

    private let path: String

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        path = try Configuration.path(in: arguments)
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let configuration = try Configuration(readingFileAt: path)
        guard let server = configuration.server else {
            throw CommandFailure(
                .malformedInput,
                "\(path): the member server is missing",
                hint: "countersignd help init shows a whole configuration"
            )
        }
        try await Serving(configuration, server, for: .ofEnvironment).run(on: terminal)
    }
}
