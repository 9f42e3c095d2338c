import CommandLineTool
import ConfigurationFiles
import TransactionApproval

/// The receiver of a command's requests: the API in this process, over the store, or a server.
enum APIEndpoint: Sendable {
    case store(Installation)
    case server(NetworkVerifier)

    func withClient(
        on terminal: Terminal,
        _ body: (BankAPIClient) async throws(CommandFailure) -> Void
    ) async throws(CommandFailure) {
        try showPlace(on: terminal)
        switch self {
        case .store(let installation): try await installation.withClient(body)
        case .server(let verifier): try await body(try verifier.client())
        }
    }

    /// Prints which store or server the command uses, for a person.
    func showPlace(on terminal: Terminal) throws(CommandFailure) {
        guard terminal.isWatched else { return }
        let place =
            switch self {
            case .store(let installation): "in \(installation.storePlace.name)"
            case .server(let verifier): "at \(verifier.origin)"
            }
        try terminal.messages.print("countersignd: \(place.onOneLine)")
    }
}

/// The options that select an endpoint.
struct EndpointOptions: Sendable {
    @Option("server", value: "URL", help: "Send requests to this verifier over the network.")
    private var server: String?
    @Option("token", help: "With --server: the file with a token of countersignd token create.")
    private var token: FilePath?
    @Option(
        "ca-certificates",
        help: "With --server: trusted CA certificates in PEM. Default: the system's."
    )
    private var caCertificates: FilePath?
    @Option(
        "client-certificate",
        help: "With --server: a client certificate with its key, in PEM, if the verifier needs one."
    )
    private var clientCertificate: FilePath?
    @Option(
        "confirms",
        value: "ID",
        help: "With --server: confirm a requested call as the second person."
    )
    private var confirms: String?
    @ConfigurationPath private var configuration: String

    var isConfirming: Bool { confirms != nil }

    /// For the help of commands with these options.
    static let discussion = """
        The command uses the local store, also while a verifier is running. With --server and \
        --token, it uses a verifier over the network and needs neither store nor keys.
        """

    /// The options as words of a command line with the same endpoint.
    var words: [String] {
        let named = [
            ("--server", server), ("--token", token?.text),
            ("--ca-certificates", caCertificates?.text),
            ("--client-certificate", clientCertificate?.text), ("--confirms", confirms),
            ("--config", _configuration.isGiven ? configuration : nil),
        ]
        return named.flatMap { name, value in value.map { [name, $0] } ?? [] }
    }

    func endpoint() throws(CommandFailure) -> APIEndpoint {
        if let verifier = try validated() { return .server(verifier) }
        return .store(try Installation(readingFileAt: configuration))
    }

    /// Checks the combination of options; nil for the local store.
    @discardableResult
    func validated() throws(CommandFailure) -> NetworkVerifier? {
        guard let server else {
            guard
                token == nil, caCertificates == nil, clientCertificate == nil, confirms == nil
            else {
                let options = "--token, --ca-certificates, --client-certificate and --confirms"
                throw CommandFailure(.usage, "\(options) need --server")
            }
            return nil
        }
        guard !_configuration.isGiven else {
            throw CommandFailure(.usage, "--server and --config cannot be combined")
        }
        guard let origin = ServerOrigin(server) else {
            throw CommandFailure(.usage, "--server must be https://HOST or https://HOST:PORT")
                .suggesting("http:// is accepted only for 127.0.0.1 and localhost")
        }
        guard let token else { throw CommandFailure(.usage, "--server needs --token") }
        return NetworkVerifier(
            origin: origin,
            token: token,
            caCertificates: caCertificates,
            clientCertificate: clientCertificate,
            confirms: try confirms.map(NetworkVerifier.requestedCall)
        )
    }
}

/// A command that is a client of the bank's API, with the same rights as a program of the bank.
protocol BankCommand: Command {
    var endpoint: EndpointOptions { get }

    func validateArguments() throws(CommandFailure)
    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure)
}

extension BankCommand {
    func validateArguments() throws(CommandFailure) {}

    func validate(for program: Program) throws(CommandFailure) {
        try endpoint.validated()
        try validateArguments()
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        try await endpoint.endpoint().withClient(on: terminal) { client throws(CommandFailure) in
            try await run(with: client, on: terminal)
        }
    }
}
