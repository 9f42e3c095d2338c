import AuthenticationHandler
import CommandLineTool

/// Makes a code without a network.
struct OTPCommand: Command {
    static let name = "otp"
    static let summary = "Make a code to type elsewhere; it needs no network."
    static let discussion = """
        With data to sign, the code is good for them alone. Nothing here can tell a wrong PIN: it
        makes a code that the bank does not take.
        """

    static let parameters: [any Parameter] = [
        SigningData.text, SigningData.file, Account.option, SecretSource.descriptor, Flag.json,
        Session.vault,
    ]

    private let data: SigningData
    private let account: Account?
    private let descriptor: OpenDescriptor?
    private let printsJSON: Bool
    private let vault: FilePath?

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        data = try SigningData(arguments)
        account = try arguments[Account.option]
        descriptor = try arguments[SecretSource.descriptor]
        printsJSON = arguments[.json]
        vault = try arguments[Session.vault]
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let data = try data.bytes()
        let session = try await Session(in: vault)
        _ = try await session.accounts()
        let pin = try session.secrets(on: descriptor, or: terminal).pin()
        let code: OneTimeCode
        do throws(AuthenticationError) {
            code = try await session.handler.generateOTP(for: account, using: pin, signing: data)
        } catch {
            throw CommandFailure(error)
        }
        if printsJSON {
            try terminal.output.print(json: Answer(code: code.text))
        } else {
            try terminal.output.print(code.text)
        }
    }

    private struct Answer: Encodable {
        let code: String
    }
}
