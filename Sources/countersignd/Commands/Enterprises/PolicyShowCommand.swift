import CommandLineTool
import TransactionApproval
import Verification

/// Shows the policy of an enterprise.
struct PolicyShowCommand: BankCommand {
    static let name = "policy show"
    static let summary = "Show the policy of an enterprise."
    static let discussion = """
        The policy is shown as it was set, and can be set again:

            countersignd policy show bank >policy.json

        Each member that is absent has the standard value, which the README lists.

        \(APIEndpoint.discussion)
        """

    static let enterprise = Argument<String>("ENTERPRISE", help: "Whose policy.")
    static let parameters: [any Parameter] = [enterprise] + APIEndpoint.parameters

    let way: APIEndpoint
    private let enterprise: EnterpriseID

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        way = try APIEndpoint(arguments)
        enterprise = try EnterpriseID(partOfPath: arguments[Self.enterprise])
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        let document = try await bank.ask(.policy(.get, of: enterprise))
        let text = String(decoding: document, as: UTF8.self)
        try terminal.output.write(text + (text.hasSuffix("\n") ? "" : "\n"))
    }
}
