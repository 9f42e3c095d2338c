import CommandLineTool
import TransactionApproval
import Verifier

/// Shows which tokens there are.
struct TokenListCommand: Command {
    static let name = "token list"
    static let summary = "Show the tokens of the bank's programs, and how long they are good."

    static let parameters: [any Parameter] = [Configuration.option]

    private let path: String

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        path = try Configuration.path(in: arguments)
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = Installation(configuration: try Configuration(readingFileAt: path))
        try await installation.withVerifier { verifier throws(CommandFailure) in
            let tokens = try await installation.onVerifier { () throws(Verifier.Failure) in
                try await verifier.tokens()
            }
            guard !tokens.isEmpty else {
                throw CommandFailure(.nothingPending, "there is no token")
            }
            let width = max(4, tokens.map(\.name.text.count).max() ?? 0)
            try terminal.output.print(row(["NAME", "ROLE", "STATE", "ENTERPRISE"], width))
            for token in tokens {
                try terminal.output.print(row(token.columns(at: verifier.now), width))
            }
        }
    }

    private func row(_ columns: [String], _ nameWidth: Int) -> String {
        let widths = [nameWidth, 15, 14]
        let padded = zip(columns, widths).map { $0.padded(to: $1) }
        return (padded + columns.dropFirst(widths.count)).joined(separator: "  ")
    }
}

extension BankToken {
    fileprivate func columns(at now: Timestamp) -> [String] {
        [name.text, role.rawValue, state(at: now), reach.text]
    }

    private func state(at now: Timestamp) -> String {
        guard revoked == nil else { return "revoked" }
        guard isGood(at: now) else { return "expired" }
        let seconds = expiry.elapsed(since: now).components.seconds
        return counted(seconds / (24 * 60 * 60), "day") + " left"
    }
}

extension BankToken.Reach {
    fileprivate var text: String {
        switch self {
        case .enterprise(let enterprise): enterprise.text
        case .all: "(all)"
        }
    }
}
