import CommandLineTool
import ConfigurationFiles
import Glibc
import ServerOperation

struct RunCommand: Command {
    static let name = "run"
    static let summary = "Run the server for devices and the bank's programs."
    static let discussion = """
        The members server and operation of the configuration name the addresses. The log is JSON \
        lines on standard error, without personal data except in the key of a forged row.

        SIGTERM and SIGINT start a graceful shutdown: the server accepts no new requests, completes \
        the current ones, and exits with 0. A second signal ends the process at once, with 130. \
        SIGHUP reloads the certificates. During the start, SIGTERM and SIGINT end the process at once.

        The service manager is notified about the start, reloads and the shutdown (NOTIFY_SOCKET). \
        Its sockets (LISTEN_FDS) replace server.listen. Sockets with the names bank and operation \
        replace bank.listen and operation.listen. If the service manager opens the file of the \
        encryption keys (OpenFile=), set encryptionKeys to "descriptor:NAME".

        Environment variables override members of the configuration, for every command. The name is \
        COUNTERSIGND_ and the member in capitals, with _ for each dot. Write strings as they are, and \
        all other values as JSON. An array can only be set as a whole. Unknown variables with this \
        prefix are rejected. No variable contains a secret: variables name the files with the secrets.

        \(ConfigurationTable.countersignd.variableList)
        Other commands can run at the same time.
        """

    @ConfigurationPath private var path: String
    static let signals = [SIGTERM, SIGINT, SIGHUP]

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let configuration = try Configuration(readingFileAt: path)
        guard configuration.origin != nil else {
            throw ConfigurationTable.countersignd.malformed(path, "the member server is missing")
        }
        let serving = try Serving(configuration, for: .ofEnvironment)
        try await serving.run(on: terminal)
    }
}
