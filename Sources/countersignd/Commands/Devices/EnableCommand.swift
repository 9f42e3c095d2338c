import CommandLineTool
import TransactionApproval
import Verifier

/// Switches a credential on again.
struct EnableCommand: BankCommand {
    static let name = "enable"
    static let summary = "Switch a credential on again that was switched off."
    static let discussion = BankWay.discussion

    static let parameters: [any Parameter] = DisableCommand.parameters

    let way: BankWay
    private let credential: HeldCredentialName

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        way = try BankWay(arguments)
        credential = try HeldCredentialName(arguments)
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        let path = credential.path + "/enabling"
        try await bank.ask(Question(.put, path, of: "device or credential"))
        try terminal.output.print("\(credential.text) is on")
    }
}
