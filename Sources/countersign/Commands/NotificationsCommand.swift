import AuthenticationHandler
import CommandLineTool

struct NotificationsCommand: Command {
    static let name = "notifications"
    static let summary = "Turn the bank's notifications to this machine on or off."

    @Argument("on|off", help: "The new setting, for all accounts.") private var setting: OnOff
    private let vault = VaultOption()

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let handler = try await vault.openSession().handler
        try await reportingErrors(try await handler.setPush(setting == .on ? .events : .off))
        try terminal.output.print("notifications are \(setting.rawValue)")
    }
}
