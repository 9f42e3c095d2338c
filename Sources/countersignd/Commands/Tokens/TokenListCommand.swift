import CommandLineTool
import TransactionApproval
import Verification

struct TokenListCommand: Command {
    static let name = "token list"
    static let summary = "List the API tokens and their expiry."
    static let discussion = Installation.storeOnly

    @JSONFlag private var printsJSON: Bool
    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = try Installation(readingFileAt: path)
        let (found, now) = try await installation.withVerifier { verifier throws(CommandFailure) in
            try await installation.onVerifier(
                (try await verifier.tokens(), verifier.now)
            )
        }
        let (tokens, forged) = found
        guard !tokens.isEmpty || !forged.isEmpty else {
            throw CommandFailure(.nothingPending, "there are no tokens")
        }
        try terminal.output.print(
            NamedValue("tokens", tokens.map { ShownToken($0, at: now) }),
            inJSON: printsJSON,
            or: Table(["NAME", "ROLE", "STATE", "ENTERPRISE"], tokens.map { $0.columns(at: now) })
        )
        // The others are shown in any case: an operator may have to revoke them now.
        if let failure = forged.first {
            throw CommandFailure(
                Verifier.Failure.store(failure),
                of: installation.configuration
            )
        }
    }
}

private struct ShownToken: Encodable {
    let name: BankTokenName
    let role: String
    /// Nil for all enterprises.
    let enterprise: EnterpriseID?
    let isGood: Bool
    let created: Timestamp
    let expiry: Timestamp
    let revoked: Timestamp?

    init(_ token: BankToken, at now: Timestamp) {
        name = token.name
        role = token.role.rawValue
        enterprise = token.reach.enterprise
        isGood = token.isGood(at: now)
        (created, expiry, revoked) = (token.created, token.expiry, token.revoked)
    }
}

extension BankToken {
    fileprivate func columns(at now: Timestamp) -> [String] {
        [name.text, role.rawValue, state(at: now), reach.enterprise?.text ?? "(all)"]
    }

    private func state(at now: Timestamp) -> String {
        guard revoked == nil else { return "revoked" }
        guard isGood(at: now) else { return "expired" }
        let seconds = expiry.elapsed(since: now).components.seconds
        return counted(seconds / (24 * 60 * 60), "day") + " left"
    }
}

extension BankToken.Reach {
    fileprivate var enterprise: EnterpriseID? {
        if case .enterprise(let enterprise) = self { enterprise } else { nil }
    }
}
