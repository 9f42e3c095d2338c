import CommandLineTool
import TransactionApproval
import Verification

/// Draws the address of an activation for a camera.
struct ActivationQRCommand: BankCommand {
    static let name = "activation qr"
    static let summary = "Draw the address of an open activation as a QR code."
    static let discussion = """
        In characters of half a block for a screen that is dark, or for a page or a letter:

            countersignd activation qr bank/main/4711 8QK3M5TX0B --svg >letter.svg

        Where the policy's codeInActivationURI says so, the code is in it: whoever sees it can then
        activate a device for the account.

        \(APIEndpoint.discussion)
        """

    static let svg = Flag("svg", help: "Draw it as SVG.")
    static let parameters: [any Parameter] =
        [AccountReference.argument, ActivationID.argument, svg] + APIEndpoint.parameters

    let way: APIEndpoint
    private let account: AccountReference
    private let id: ActivationID
    private let isSVG: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        way = try APIEndpoint(arguments)
        account = try arguments[AccountReference.argument]
        id = try arguments[ActivationID.argument]
        isSVG = arguments[Self.svg]
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        let path = account.path(of: id) + (isSVG ? "/qr.svg" : "/qr.txt")
        let code = try await bank.ask(APIRequest(.get, path, of: "open activation"))
        try terminal.output.write(String(decoding: code, as: UTF8.self))
    }
}
