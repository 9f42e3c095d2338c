import CommandLineTool
import TransactionApproval
import VerifierServer

/// Shows which enterprises there are.
struct EnterpriseListCommand: BankCommand {
    static let name = "enterprise list"
    static let summary = "Show which enterprises there are."
    static let discussion = """
        countersignd policy set --new makes one, with what it allows.

        \(APIEndpoint.discussion)
        """

    static let parameters: [any Parameter] = [Flag.json] + APIEndpoint.parameters

    let way: APIEndpoint
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        way = try APIEndpoint(arguments)
        printsJSON = arguments[.json]
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        let request = APIRequest(.get, EnterpriseID.allPath, of: "enterprise")
        let list = try await bank.ask(request, for: EnterpriseList.self)
        guard !list.enterprises.isEmpty else {
            throw CommandFailure(
                .nothingPending,
                "there is no enterprise yet",
                hint: "countersignd policy set --new makes one"
            )
        }
        if printsJSON { return try terminal.output.print(json: list) }
        for enterprise in list.enterprises { try terminal.output.print(enterprise.id.text) }
    }
}
