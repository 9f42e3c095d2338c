import BankIntegration
import CommandLineTool
import TransactionApproval
import VerifierServer

struct ActivationCreateCommand: BankCommand {
    static let name = "activation create"
    static let summary = "Start the activation of a device, and print its ID and code."
    static let discussion = """
        The ID and the code together activate a device for the account. Send them to the person by \
        two different channels. With --server, the code is printed only if the token has the scope \
        activations.codes. On a terminal, the activation address is also printed as a QR code. The \
        address contains the code only if it is printed and the policy sets codeInActivationURI.

        With --web, the activation is for a web browser. Its address is a link that the camera of a \
        phone opens. The policy must allow web devices, and the verifier must serve them: see \
        server.web in the configuration.

        The command revokes an earlier open activation of the account.

        \(EndpointOptions.discussion)
        """

    @Argument(help: AccountPath.help) private var account: AccountPath
    @Flag("web", help: "Activate a web browser.") private var isWeb: Bool
    private let idempotency = IdempotencyOption()
    @JSONFlag private var printsJSON: Bool
    let endpoint = EndpointOptions()

    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        let request = APIRequest(
            .post,
            account.path + "/activations",
            of: "account",
            body: Array((isWeb ? #"{"web":true}"# : "{}").utf8),
            key: try idempotency.key()
        )
        let activation: ActivationResource = try await client.send(request)
        if printsJSON { return try terminal.output.print(json: activation) }
        try terminal.output.print(activation.page)
        guard terminal.output.isScreen, activation.state == .open else { return }
        let code = try await client.qrCode(of: activation.id, of: account, as: .txt)
        try terminal.output.write("\n" + code)
    }
}

extension ActivationResource {
    var page: Table {
        Table(facts: [
            ("Activation", id.text),
            ("State", state.rawValue),
            ("Device", web ? "web browser" : nil),
            ("Code", code),
            ("Created", issued.text),
            ("Valid until", deadline.text),
            ("Ended", closed?.text),
            ("Address", uri),
        ])
    }
}
