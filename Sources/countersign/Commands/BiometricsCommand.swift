import AuthenticationHandler
import CommandLineTool

/// Lets a person be recognised instead of typing the PIN, or no longer.
struct BiometricsCommand: Command {
    static let name = "biometrics"
    static let summary = "Have this machine recognise you instead of asking for the PIN, or not."
    static let discussion = """
        What recognises you is a program of this machine that "biometrics" names in
        ~/.config/countersign/countersign.json. It releases a key and never says yes: without that
        key nothing is approved.

        To turn them on asks for the PIN, and the bank has to allow them. The PIN stays good.
        """

    enum Setting: String, CaseIterable, ArgumentValue {
        case on, off
    }

    static let setting = Argument<Setting>("on|off", help: "For one account.")
    static let parameters: [any Parameter] = [
        setting, Account.option, SecretSource.descriptor, Session.vault,
    ]

    private let setting: Setting
    private let account: Account?
    private let descriptor: OpenDescriptor?
    private let vault: FilePath?

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        setting = try arguments[Self.setting]
        account = try arguments[Account.option]
        descriptor = try arguments[SecretSource.descriptor]
        vault = try arguments[Session.vault]
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let session = try await Session(in: vault)
        _ = try await session.accounts()
        let secrets = session.secrets(on: descriptor, or: terminal)
        try await update(try wanted(asking: secrets), by: session.handler)
        try terminal.output.print("biometrics are \(setting.rawValue)")
    }

    private func wanted(
        asking secrets: SecretSource
    ) throws(CommandFailure) -> AuthenticationTypeUpdate {
        switch setting {
        case .on: .turnOn(.biometric, pin: try secrets.pin())
        case .off: .turnOff(.biometric)
        }
    }

    private func update(
        _ update: consuming AuthenticationTypeUpdate,
        by handler: AuthenticationHandler
    ) async throws(CommandFailure) {
        do throws(AuthenticationError) {
            try await handler.updateAuthenticationType(update, for: account)
        } catch {
            throw CommandFailure(error)
        }
    }
}
