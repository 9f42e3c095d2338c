import CommandLineTool
import TransactionApproval
import Verifier

/// Shows the policy of an enterprise.
struct PolicyShowCommand: Command {
    static let name = "policy show"
    static let summary = "Show the policy of an enterprise."
    static let discussion = """
        The policy is shown as it was set, and can be set again:

            countersignd policy show bank >policy.json

        Each member that is absent has the standard value, which the README lists.
        """

    static let enterprise = Argument<String>("ENTERPRISE", help: "Whose policy.")
    static let parameters: [any Parameter] = [enterprise, Configuration.option]

    private let path: String
    private let enterprise: EnterpriseID

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        path = try Configuration.path(in: arguments)
        enterprise = try EnterpriseID(argument: arguments[Self.enterprise], of: "ENTERPRISE")
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = Installation(configuration: try Configuration(readingFileAt: path))
        try await installation.withCheckedStore { store throws(CommandFailure) in
            let policy = try await installation.read(store) { ledger throws(StoreFailure) in
                try ledger.enterprise(enterprise)
            }
            guard let policy else { throw .unknownEnterprise() }
            let end = policy.document.hasSuffix("\n") ? "" : "\n"
            try terminal.output.write(policy.document + end)
        }
    }
}
