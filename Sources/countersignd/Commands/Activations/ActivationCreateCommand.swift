import CommandLineTool
import TransactionApproval
import Verification
import VerifierServer

/// Begins the activation of a device for an account.
struct ActivationCreateCommand: BankCommand {
    static let name = "activation create"
    static let summary = "Begin the activation of a device, and show what the person needs."
    static let discussion = """
        Whoever has id and code makes a device for the account: let the two reach the person by
        different ways, and nobody else by any. The code is shown this once, on standard output and
        nowhere else; on a screen the address is shown as a QR code too, for a camera. It holds the
        code only where the policy's codeInActivationURI says so.

        An open activation of the account from before is revoked.

        \(APIEndpoint.discussion)
        """

    static let parameters: [any Parameter] =
        [AccountReference.argument, IdempotencyKey.option, Flag.json] + APIEndpoint.parameters

    let way: APIEndpoint
    private let account: AccountReference
    private let key: IdempotencyKey
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        way = try APIEndpoint(arguments)
        account = try arguments[AccountReference.argument]
        key = try IdempotencyKey.given(in: arguments)
        printsJSON = arguments[.json]
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        let request = APIRequest(
            .post,
            account.path + "/activations",
            of: "account",
            content: Array("{}".utf8),
            key: key
        )
        let activation = try await bank.ask(request, for: ActivationResource.self)
        if printsJSON { return try terminal.output.print(json: activation) }
        try terminal.output.print(activation.page)
        guard terminal.output.isScreen, activation.state == .open else { return }
        let path = account.path(of: activation.id) + "/qr.txt"
        let code = try await bank.ask(APIRequest(.get, path, of: "activation"))
        try terminal.output.write("\n" + String(decoding: code, as: UTF8.self))
    }
}

extension ActivationResource {
    var page: Table {
        Table(facts: [
            ("Activation", id.text),
            ("State", state.rawValue),
            ("Code", code),
            ("Issued", issued.text),
            ("Good until", deadline.text),
            ("Ended", closed?.text),
            ("Address", uri),
        ])
    }
}
