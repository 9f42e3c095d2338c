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
        let on = localized("notifications are on", german: "Benachrichtigungen sind eingeschaltet")
        let off = localized(
            "notifications are off",
            german: "Benachrichtigungen sind ausgeschaltet"
        )
        try terminal.output.print(setting == .on ? on : off)
    }
}
