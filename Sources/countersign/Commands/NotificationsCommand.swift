import AuthenticationHandler
import CommandLineTool

/// Says whether the verifier is to tell this machine that something waits.
struct NotificationsCommand: Command {
    static let name = "notifications"
    static let summary = "Have this machine told of what waits, or have it ask by itself."

    enum Setting: String, CaseIterable, ArgumentValue {
        case on, off
    }

    static let setting = Argument<Setting>("on|off", help: "For all accounts.")
    static let parameters: [any Parameter] = [setting, Session.vault]

    private let setting: Setting
    private let vault: FilePath?

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        setting = try arguments[Self.setting]
        vault = try arguments[Session.vault]
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let handler = try await Session(in: vault).handler
        do throws(AuthenticationError) {
            try await handler.setPush(setting == .on ? .events : .off)
        } catch {
            throw CommandFailure(error)
        }
        try terminal.output.print("notifications are \(setting.rawValue)")
    }
}
