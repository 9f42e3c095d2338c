import AuthenticationHandler
import CommandLineTool

/// Proves to the bank's program who is there.
struct LoginCommand: Command {
    static let name = "login"
    static let summary = "Log in to the bank, and print what its program redeems."
    static let discussion = """
        What is printed is good once and for two minutes, for the data that were signed with it.
        """

    static let parameters: [any Parameter] = [
        Approval.method, SigningData.text, SigningData.file, Account.option,
        SecretSource.descriptor, Flag.json, Session.vault,
    ]

    private let method: Method
    private let data: SigningData
    private let account: Account?
    private let descriptor: OpenDescriptor?
    private let printsJSON: Bool
    private let vault: FilePath?

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        method = try arguments[Approval.method] ?? .pin
        data = try SigningData(arguments)
        account = try arguments[Account.option]
        descriptor = try arguments[SecretSource.descriptor]
        printsJSON = arguments[.json]
        vault = try arguments[Session.vault]
        guard method != .consent else {
            throw CommandFailure(.usage, "nobody logs in by consent", hint: "--with pin")
        }
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let data = try data.bytes() ?? []
        let session = try await Session(in: vault)
        let login: String
        if method == .pin {
            let pin = try session.secrets(on: descriptor, or: terminal).pin()
            do throws(AuthenticationError) {
                login = try await session.handler.verifyPIN(pin, signing: data, for: account)
            } catch {
                throw CommandFailure(error)
            }
        } else {
            do throws(AuthenticationError) {
                login = try await session.handler.verifyBiometrics(signing: data, for: account)
            } catch {
                throw CommandFailure(error)
            }
        }
        if printsJSON {
            try terminal.output.print(json: Answer(login: login))
        } else {
            try terminal.output.print(login)
        }
    }

    private struct Answer: Encodable {
        let login: String
    }
}
