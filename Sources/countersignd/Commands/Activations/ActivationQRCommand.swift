import CommandLineTool
import TransactionApproval

struct ActivationQRCommand: BankCommand {
    static let name = "activation qr"
    static let summary = "Print the address of an open activation as a QR code."
    static let discussion = """
        The default is block characters for a dark terminal. For a web page or a letter, use SVG:

            countersignd activation qr bank/main/4711 8QK3M5TX0B --svg >letter.svg

        If the policy sets codeInActivationURI, the image contains the code. Then it is enough to \
        activate a device, so keep it secret. With --server, the token also needs the scope \
        activations.codes for such an image.

        \(EndpointOptions.discussion)
        """

    @Argument(help: AccountPath.help) private var account: AccountPath
    @Argument(help: ActivationID.help) private var id: ActivationID
    @Flag("svg", help: "Print SVG.") private var isSVG: Bool
    let endpoint = EndpointOptions()

    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        let code = try await client.qrCode(of: id, of: account, as: isSVG ? .svg : .txt)
        try terminal.output.write(code)
    }
}
