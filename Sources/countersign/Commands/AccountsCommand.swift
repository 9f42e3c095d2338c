import AuthenticationHandler
import CommandLineTool

struct AccountsCommand: Command {
    static let name = "accounts"
    static let summary = "Show the activated accounts of this machine."

    @JSONFlag private var printsJSON: Bool
    private let vault = VaultOption()

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let accounts = try await vault.openSession().accounts()
        if printsJSON {
            let list = NamedValue("accounts", accounts.map { ShownAccount($0) })
            return try terminal.output.print(json: list)
        }
        for account in accounts { try terminal.output.print("\(account)") }
    }
}
