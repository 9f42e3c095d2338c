import CommandLineTool
import TransactionApproval
import Verification

/// Where a command finds the bank's API.
enum APIEndpoint: Sendable {
    /// In this process, over the store that the configuration names, whether or not others use it.
    case store(configuration: String)
    case server(RemoteVerifier)

    private static let server = Option<String?>(
        "server",
        value: "URL",
        help: "Ask this verifier over the network instead of the store itself."
    )
    private static let token = Option<FilePath?>(
        "token",
        help: "With --server: the file that countersignd token create was written to."
    )
    private static let authorities = Option<FilePath?>(
        "authorities",
        help: "With --server: who vouches for it, in PEM, if not those whom the system trusts."
    )

    static let parameters: [any Parameter] = [server, token, authorities, Configuration.option]

    /// For the help of commands that take these.
    static let discussion = """
        Works in the store, whether or not a verifier runs beside it; with --server and --token,
        over the network, for whoever has neither store nor keys.
        """

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        let (token, authorities) = (try arguments[Self.token], try arguments[Self.authorities])
        guard let server = try arguments[Self.server] else {
            guard token == nil, authorities == nil else {
                throw CommandFailure(.usage, "--token and --authorities go with --server")
            }
            self = .store(configuration: try Configuration.path(in: arguments))
            return
        }
        guard try arguments[Configuration.option] == nil else {
            throw CommandFailure(
                .usage,
                "either --server or --config says where to look, and not both"
            )
        }
        guard let origin = ServerOrigin(server) else {
            throw CommandFailure(
                .usage,
                "--server must be https://HOST or https://HOST:PORT",
                hint: "plain http:// is for 127.0.0.1 and localhost alone"
            )
        }
        guard let token else { throw CommandFailure(.usage, "--server asks for --token") }
        self = .server(RemoteVerifier(origin: origin, token: token, authorities: authorities))
    }

    /// Lets `body` ask, and tells a person where.
    func lead(
        on terminal: Terminal,
        _ body: (Bank) async throws(CommandFailure) -> Void
    ) async throws(CommandFailure) {
        try tell(on: terminal)
        switch self {
        case .store(let path):
            let installation = Installation(configuration: try Configuration(readingFileAt: path))
            try await installation.withBank(body)
        case .server(let verifier):
            try await body(try verifier.bank())
        }
    }

    /// Tells a person where something is done.
    func tell(on terminal: Terminal) throws(CommandFailure) {
        guard terminal.isWatched else { return }
        let place =
            switch self {
            case .store(let path):
                "in \(Part(try Configuration(readingFileAt: path).store).name)"
            case .server(let verifier): "at \(verifier.origin)"
            }
        try terminal.messages.print("countersignd: \(place)")
    }
}

/// A command that is a client of the bank's API, and so cannot do more than a bank's program.
protocol BankCommand: Command {
    var way: APIEndpoint { get }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure)
}

extension BankCommand {
    func run(on terminal: Terminal) async throws(CommandFailure) {
        try await way.lead(on: terminal) { bank throws(CommandFailure) in
            try await run(asking: bank, on: terminal)
        }
    }
}
