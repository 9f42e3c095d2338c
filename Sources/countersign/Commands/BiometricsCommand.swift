import AuthenticationHandler
import CommandLineTool

struct BiometricsCommand: Command {
    static let name = "biometrics"
    static var summary: String {
        localized(
            "Turn biometrics on or off as an alternative to the PIN.",
            german: "Schaltet Biometrie als Alternative zur PIN ein oder aus."
        )
    }
    static var discussion: String {
        localized(
            """
            A program of this machine recognizes you: the one that "biometrics" names in
            ~/.config/countersign/countersign.json. It releases a key, and approvals need that key.

            To turn biometrics on, you need the PIN, and the bank must allow them. The PIN remains
            valid.
            """,
            german: """
                Ein Programm dieses Rechners erkennt Sie. Es steht unter "biometrics" in
                ~/.config/countersign/countersign.json. Es gibt einen Schlüssel heraus, den die
                Freigaben brauchen.

                Zum Einschalten brauchen Sie die PIN, und die Bank muss Biometrie erlauben. Die PIN
                gilt weiter.
                """
        )
    }

    @Argument("on|off", help: localized("The new setting.", german: "Die neue Einstellung."))
    private var setting: OnOff
    @AccountOption private var account: Account?
    private let secrets = SecretOption()
    private let vault = VaultOption()

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let session = try await vault.openSession()
        let assumed = try await session.accounts().assumed(unless: account)
        switch setting {
        case .on:
            let authentication = Authentication(
                secrets: secrets.source(in: session, or: terminal),
                account: assumed
            )
            try await authentication.run(among: [.userPIN]) { _ async throws(CommandFailure) in
                let pin = try authentication.pin()
                do throws(AuthenticationError) {
                    let handler = session.handler
                    return .success(try await handler.enableBiometrics(pin: pin, for: account))
                } catch  where error.isOfUnknownAccount {
                    throw .unknownAccount
                } catch {
                    return .failure(error)
                }
            }
        case .off:
            do throws(AuthenticationError) {
                try await session.handler.disableBiometrics(for: account)
            } catch {
                throw error.isOfUnknownAccount ? .unknownAccount : CommandFailure(error)
            }
        }
        let on = localized("biometrics are on", german: "Biometrie ist eingeschaltet")
        let off = localized("biometrics are off", german: "Biometrie ist ausgeschaltet")
        try terminal.output.print(setting == .on ? on : off)
    }
}

/// A setting on the command line.
enum OnOff: String, CaseIterable, ArgumentValue {
    case on, off
}
