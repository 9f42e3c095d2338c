import AuthenticationHandler
import CommandLineTool

struct LoginCommand: Command {
    static let name = "login"
    static var summary: String {
        localized(
            "Log in to the bank, and print the login id.",
            german: "Meldet Sie bei der Bank an und gibt die Anmelde-ID aus."
        )
    }
    static var discussion: String {
        localized(
            """
            The bank's program redeems the login id once, within two minutes, with the same data.

            Prompts for the PIN. With --with biometric, it uses biometrics first, and the PIN if
            they fail.
            """,
            german: """
                Das Programm der Bank löst die Anmelde-ID einmal ein, innerhalb von zwei Minuten und
                mit denselben Daten.

                Fragt nach der PIN. Mit --with biometric nutzt der Befehl zuerst Biometrie und fragt
                nach der PIN, falls das misslingt.
                """
        )
    }

    @Option(
        "with",
        help: localized(
            "The authentication method. Default: pin.",
            german: "Die Art der Bestätigung. Vorgabe: pin."
        )
    )
    private var method: LoginMethod?
    private let data = SigningData()
    @AccountOption private var account: Account?
    private let secrets = SecretOption()
    @JSONFlag private var printsJSON: Bool
    private let vault = VaultOption()

    func validate(for program: Program) throws(CommandFailure) {
        try data.validate()
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let data = try data.bytes()
        let session = try await vault.openSession()
        let secrets = secrets.source(in: session, or: terminal)
        let assumed = try await session.accounts().assumed(unless: account)
        let authentication = Authentication(secrets: secrets, account: assumed)
        let (handler, account) = (session.handler, account ?? assumed)
        let type: AuthenticationType = method == .biometric ? .biometric : .userPIN
        let login = try await authentication.run(among: [type]) {
            type async throws(CommandFailure) in
            let method = try authentication.method(type)
            do throws(AuthenticationError) {
                return .success(try await handler.logIn(with: method, signing: data, for: account))
            } catch  where error.isOfUnknownAccount {
                throw .unknownAccount
            } catch {
                return .failure(error)
            }
        }
        try terminal.output.print("login", login, inJSON: printsJSON, or: [login])
    }
}

/// The method of a login, which needs more than consent.
enum LoginMethod: String, CaseIterable, ArgumentValue {
    case pin, biometric
}
