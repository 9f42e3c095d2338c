import AuthenticationHandler
import CommandLineTool

struct AccountsCommand: Command {
    static let name = "accounts"
    static var summary: String {
        localized(
            "Show the activated accounts of this machine.",
            german: "Zeigt die eingerichteten Zugänge dieses Rechners."
        )
    }

    @JSONFlag private var printsJSON: Bool
    private let vault = VaultOption()

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let accounts = try await vault.openSession().accounts()
        let shown = accounts.map { ShownAccount($0) }
        let lines = accounts.map(\.description)
        try terminal.output.print("accounts", shown, inJSON: printsJSON, or: lines)
    }
}
