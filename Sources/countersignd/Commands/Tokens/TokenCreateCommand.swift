import CommandLineTool
import Cryptography
import OneTimePassword
import TransactionApproval
import Verification

/// Makes what lets a program of the bank use its API.
struct TokenCreateCommand: Command {
    static let name = "token create"
    static let summary = "Make a token for a program of the bank, and show it once."
    static let discussion = """
        What a role includes, /openapi.json says. The token is the only line on standard output:

            (umask 077; countersignd token create core issuer --enterprise bank >core.token)

        Nobody can have it again, and the store holds only its hash. Where it is lost, revoke it and
        make another.

        \(Installation.storeAlone)
        """

    static let label = Argument<String>(
        "NAME",
        help: "What the audit trail calls it for ever; no two tokens have one name."
    )
    static let role = Argument<BankToken.Role>(help: "Whose program it is for.")
    static let enterprise = Option<String?>(
        "enterprise",
        value: "ENTERPRISE",
        help: "The one enterprise it is good for."
    )
    static let all = Flag("all", help: "It is good for every enterprise.")
    static let days = Option<UInt64?>("days", help: "How long it is good: 1 to 3650, or else 90.")
    static let parameters: [any Parameter] = [
        label, role, enterprise, all, days, Configuration.option,
    ]

    private let path: String
    private let label: BankTokenName
    private let role: BankToken.Role
    private let reach: BankToken.Reach
    private let days: UInt64

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        path = try Configuration.path(in: arguments)
        label = try BankTokenName(argument: arguments[Self.label], of: "NAME")
        role = try arguments[Self.role]
        switch (try arguments[Self.enterprise], arguments[Self.all]) {
        case (let name?, false):
            reach = .enterprise(try EnterpriseID(argument: name, of: "--enterprise"))
        case (nil, true): reach = .all
        default: throw CommandFailure(.usage, "either --enterprise or --all must be given")
        }
        days = try arguments[Self.days] ?? 90
        guard 1...3650 ~= days else {
            throw CommandFailure(.usage, "--days must be from 1 to 3650")
        }
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = Installation(configuration: try Configuration(readingFileAt: path))
        try await installation.withVerifier { verifier throws(CommandFailure) in
            let answer: BankTokenResult
            do throws(Verifier.Failure) {
                answer = try await verifier.makeToken(
                    named: label,
                    for: role,
                    reaching: reach,
                    lasting: .seconds(days * 24 * 60 * 60),
                    by: .operatorCommand
                )
            } catch {
                throw CommandFailure(error, of: installation.configuration)
            }
            switch consume answer {
            case .made(let token): try show(token, on: terminal.output)
            case .unknownEnterprise:
                throw CommandFailure(
                    .noInput,
                    "there is no enterprise of this name",
                    hint: "countersignd enterprise list shows those that there are"
                )
            case .nameTaken:
                throw CommandFailure(
                    .cannotCreate,
                    "there is or was a token of this name",
                    hint: "countersignd token list shows them; choose another name"
                )
            }
        }
    }

    private func show(
        _ token: borrowing BankTokenText,
        on output: Output
    ) throws(CommandFailure) {
        let line: String
        do throws(CryptographyFailure) {
            // It leaves the process here.
            let text = try token.text()
            line = text.withBytes { String(decoding: $0.array, as: UTF8.self) }
        } catch {
            throw CommandFailure(SystemFailure(error))
        }
        try output.print(line)
    }
}

extension BankToken.Role: ArgumentValue {}
