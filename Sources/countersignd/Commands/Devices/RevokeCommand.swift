import CommandLineTool
import TransactionApproval
import Verification

/// Ends a device for good.
struct RevokeCommand: BankCommand {
    static let name = "revoke"
    static let summary = "End a device or a token at once and for good."
    static let discussion = """
        Nothing brings it back, a restored backup neither. What waits for the account stays for
        other devices.

        \(APIEndpoint.discussion)
        """

    static let parameters: [any Parameter] =
        [AccountReference.argument, DeviceID.argument, Flag.yes] + APIEndpoint.parameters

    let way: APIEndpoint
    private let account: AccountReference
    private let device: DeviceID
    private let isAgreed: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        way = try APIEndpoint(arguments)
        account = try arguments[AccountReference.argument]
        device = try arguments[DeviceID.argument]
        isAgreed = arguments[.yes]
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        try terminal.agree(
            to: "End the device \(device) of \(account.text), for good?",
            isAgreed: isAgreed
        )
        try await bank.ask(APIRequest(.delete, account.path(of: device), of: "device"))
        try terminal.output.print("\(device) is revoked")
    }
}
