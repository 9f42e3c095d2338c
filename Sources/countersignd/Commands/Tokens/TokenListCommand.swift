import CommandLineTool
import TransactionApproval
import Verification

/// Shows which tokens there are.
struct TokenListCommand: Command {
    static let name = "token list"
    static let summary = "Show the tokens of the bank's programs, and how long they are good."
    static let discussion = Installation.storeAlone

    static let parameters: [any Parameter] = [Flag.json, Configuration.option]

    private let path: String
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        path = try Configuration.path(in: arguments)
        printsJSON = arguments[.json]
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = Installation(configuration: try Configuration(readingFileAt: path))
        let (tokens, now) = try await installation.withVerifier { verifier throws(CommandFailure) in
            try await installation.onVerifier { () throws(Verifier.Failure) in
                (try await verifier.tokens(), verifier.now)
            }
        }
        guard !tokens.isEmpty else {
            throw CommandFailure(.nothingPending, "there is no token")
        }
        if printsJSON {
            let list = ShownTokenList(tokens: tokens.map { ShownToken($0, at: now) })
            return try terminal.output.print(json: list)
        }
        let rows = tokens.map { $0.columns(at: now) }
        try terminal.output.print(Table(["NAME", "ROLE", "STATE", "ENTERPRISE"], rows))
    }
}

private struct ShownTokenList: Encodable {
    let tokens: [ShownToken]
}

private struct ShownToken: Encodable {
    let name: BankTokenName
    let role: String
    /// Absent where it is good for all.
    let enterprise: EnterpriseID?
    let isGood: Bool
    let created: Timestamp
    let expiry: Timestamp
    let revoked: Timestamp?

    init(_ token: BankToken, at now: Timestamp) {
        name = token.name
        role = token.role.rawValue
        enterprise =
            switch token.reach {
            case .enterprise(let enterprise): enterprise
            case .all: nil
            }
        isGood = token.isGood(at: now)
        (created, expiry, revoked) = (token.created, token.expiry, token.revoked)
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
