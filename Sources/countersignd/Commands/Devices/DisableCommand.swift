import CommandLineTool
import TransactionApproval
import Verifier

/// Switches a credential off.
struct DisableCommand: BankCommand {
    static let name = "disable"
    static let summary = "Switch a credential off until countersignd enable."
    static let discussion = """
        Its codes are refused, and none of them is charged. The device's other credentials go on.

        \(BankWay.discussion)
        """

    static let parameters: [any Parameter] =
        [AccountReference.argument, DeviceID.argument, CredentialKind.argument]
        + BankWay.parameters

    let way: BankWay
    private let credential: HeldCredentialName

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        way = try BankWay(arguments)
        credential = try HeldCredentialName(arguments)
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        let path = credential.path + "/enabling"
        try await bank.ask(Question(.delete, path, of: "device or credential"))
        try terminal.output.print("\(credential.text) is off")
    }
}
