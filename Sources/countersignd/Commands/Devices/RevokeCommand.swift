import CommandLineTool
import ConfigurationFiles
import TransactionApproval

struct RevokeCommand: BankCommand {
    static let name = "revoke"
    static let summary = "Revoke a device or a hardware token permanently."
    static let discussion = """
        A revoked device stays revoked, also after a restore from a backup. Pending transactions \
        remain for other devices of the account.

        \(EndpointOptions.discussion)
        """

    @Argument(help: AccountPath.help) private var account: AccountPath
    @Argument(help: DeviceID.help) private var device: DeviceID
    @ConfirmationFlag private var isConfirmed: Bool
    let endpoint = EndpointOptions()

    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        try terminal.confirm(
            "Revoke the device \(device) of \(account.text) permanently?",
            isConfirmed: isConfirmed
        )
        try await client.send(APIRequest(.delete, account.path(of: device), of: "device"))
        try terminal.output.print("Revoked \(device).")
    }
}
