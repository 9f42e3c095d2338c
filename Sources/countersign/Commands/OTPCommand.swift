import AuthenticationHandler
import CommandLineTool

struct OTPCommand: Command {
    static let name = "otp"
    static var summary: String {
        localized(
            "Make a one-time code to type elsewhere, without a network.",
            german: "Erzeugt ohne Netz einen Einmalcode, den Sie anderswo eingeben."
        )
    }
    static var discussion: String {
        localized(
            """
            If you sign data, the code is valid for these data only. This machine cannot detect a
            wrong PIN: the result is then a code that the bank rejects.
            """,
            german: """
                Signieren Sie Daten, gilt der Code nur für diese Daten. Dieser Rechner kann eine
                falsche PIN nicht erkennen: Die Bank lehnt den Code dann ab.
                """
        )
    }

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
        let assumed = try await session.accounts().assumed(unless: account)
        let pin = try secrets.source(in: session, or: terminal).pin(of: assumed)
        let (handler, account) = (session.handler, account ?? assumed)
        let code: OneTimeCode
        do throws(AuthenticationError) {
            code = try await handler.oneTimeCode(pin: pin, signing: data, for: account)
        } catch  where error.isOfUnknownAccount {
            throw .unknownAccount
        } catch {
            throw CommandFailure(error)
        }
        try terminal.output.print("code", code.text, inJSON: printsJSON, or: [code.text])
    }
}
