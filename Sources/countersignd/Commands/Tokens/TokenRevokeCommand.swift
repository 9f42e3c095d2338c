import CommandLineTool
import Verification

/// Ends what a token is good for.
struct TokenRevokeCommand: Command {
    static let name = "token revoke"
    static let summary = "End a token at once and for good."
    static let discussion = Installation.storeAlone

    static let label = Argument<String>("NAME", help: "The name that it was made with.")
    static let parameters: [any Parameter] = [label, Configuration.option]

    private let path: String
    private let label: BankTokenName

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        path = try Configuration.path(in: arguments)
        label = try BankTokenName(argument: arguments[Self.label], of: "NAME")
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = Installation(configuration: try Configuration(readingFileAt: path))
        let isRevoked = try await installation.withVerifier { verifier throws(CommandFailure) in
            try await installation.onVerifier { () throws(Verifier.Failure) in
                try await verifier.revokeToken(named: label, by: .operatorCommand)
            }
        }
        guard isRevoked else {
            throw CommandFailure(
                .noInput,
                "no token of this name is good for anything",
                hint: "countersignd token list shows those that there are"
            )
        }
        try terminal.output.print("\(label.text) is revoked")
    }
}
