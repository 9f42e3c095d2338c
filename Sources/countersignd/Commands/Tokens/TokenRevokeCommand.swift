import CommandLineTool
import ConfigurationFiles
import Verification

struct TokenRevokeCommand: Command {
    static let name = "token revoke"
    static let summary = "Revoke an API token permanently."
    static let discussion = Installation.storeOnly

    @Argument("NAME", help: "The name of the token.") private var label: BankTokenName
    @ConfirmationFlag private var isConfirmed: Bool
    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        try terminal.confirm(
            "Revoke the token \(label.text) permanently? Programs that use it lose their access.",
            isConfirmed: isConfirmed
        )
        let installation = try Installation(readingFileAt: path)
        let isRevoked = try await installation.withVerifier { verifier throws(CommandFailure) in
            try await installation.onVerifier(
                try await verifier.revokeToken(named: label, by: .operatorCommand)
            )
        }
        guard isRevoked else {
            throw CommandFailure(.noInput, "there is no valid token with this name")
                .suggesting("countersignd token list shows the tokens")
        }
        try terminal.output.print("Revoked \(label.text).")
    }
}
