import AuthenticationHandler
import CommandLineTool

/// Shows the accounts of this device.
struct AccountsCommand: Command {
    static let name = "accounts"
    static let summary = "Show the accounts that this machine is activated for."

    static let parameters: [any Parameter] = [Flag.json, Session.vault]

    private let printsJSON: Bool
    private let vault: FilePath?

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        printsJSON = arguments[.json]
        vault = try arguments[Session.vault]
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let accounts = try await Session(in: vault).accounts()
        if printsJSON {
            let answer = Answer(accounts: accounts.map { ShownAccount($0) })
            return try terminal.output.print(json: answer)
        }
        for account in accounts { try terminal.output.print("\(account)") }
    }

    private struct Answer: Encodable {
        let accounts: [ShownAccount]
    }
}
