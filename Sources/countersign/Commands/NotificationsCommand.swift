import AuthenticationHandler
import CommandLineTool

struct NotificationsCommand: Command {
    static let name = "notifications"
    static var summary: String {
        localized(
            "Turn the bank's notifications to this machine on or off.",
            german: "Schaltet Benachrichtigungen der Bank an diesen Rechner ein oder aus."
        )
    }

    @Argument(
        "on|off",
        help: localized(
            "The new setting, for all accounts.",
            german: "Die neue Einstellung, für alle Zugänge."
        )
    )
    private var setting: OnOff
    private let vault = VaultOption()

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let handler = try await vault.openSession().handler
        try await reportingErrors(try await handler.setPush(setting == .on ? .bankService : .off))
        let on = localized("notifications are on", german: "Benachrichtigungen sind eingeschaltet")
        let off = localized(
            "notifications are off",
            german: "Benachrichtigungen sind ausgeschaltet"
        )
        try terminal.output.print(setting == .on ? on : off)
    }
}
