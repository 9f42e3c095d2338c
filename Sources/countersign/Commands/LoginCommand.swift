import AuthenticationHandler
import CommandLineTool

/// Proves to the bank's program who is there.
struct LoginCommand: Command {
    static let name = "login"
    static let summary = "Log in to the bank, and print what its program redeems."
    static let discussion = """
        What is printed is good once and for two minutes, for the data that were signed with it.

        Asks for the PIN, or has you recognised where --with biometric says so, and then offers the
        PIN where that fails.
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
        let secrets = session.secrets(on: descriptor, or: terminal)
        let login = try await Proving(secrets: secrets).prove(among: [method.type]) {
            type async throws(CommandFailure) in
            try await logIn(by: type, over: data, in: session, secrets)
        }
        if printsJSON {
            try terminal.output.print(json: Answer(login: login))
        } else {
            try terminal.output.print(login)
        }
    }

    private func logIn(
        by type: AuthenticationType,
        over data: [UInt8],
        in session: Session,
        _ secrets: SecretSource
    ) async throws(CommandFailure) -> Result<String, AuthenticationError> {
        let handler = session.handler
        guard type == .userPIN else {
            do throws(AuthenticationError) {
                return .success(try await handler.verifyBiometrics(signing: data, for: account))
            } catch {
                return .failure(error)
            }
        }
        let pin = try secrets.pin()
        do throws(AuthenticationError) {
            return .success(try await handler.verifyPIN(pin, signing: data, for: account))
        } catch {
            return .failure(error)
        }
    }

    private struct Answer: Encodable {
        let login: String
    }
}
