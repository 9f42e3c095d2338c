import CommandLineTool
import Cryptography
import TransactionApproval
import Verification

struct TokenCreateCommand: Command {
    static let name = "token create"
    static let summary = "Create an API token for a program of the bank."
    static let discussion = """
        A role has these scopes, and /openapi.json lists the scope of each operation:

            issuer           read, accounts, activations, activations.codes,
                             transactions, codes
            customerService  read, activations, support
            auditor          read, audit
            administrator    read, administration
            codeDelivery     activations.codes
            cards            cards

        The token is the only line on standard output:

            (umask 077; countersignd token create core issuer --enterprise bank >core.token)

        The token is printed only once, because the store contains only its hash. If it is lost, \
        revoke it and create a new one.

        Calls in bank.secondPerson need two tokens. They are two persons only if different persons \
        hold them: give each person only their own.

        \(Installation.storeOnly)
        """

    @Argument("NAME", help: "The name of the token in the audit trail. It must be unique.")
    private var label: BankTokenName
    @Argument("ROLE", help: "The role of the program.") private var role: BankToken.Role
    @Option("enterprise", help: "The token gives access to this enterprise.")
    private var enterprise: EnterpriseID?
    @Flag("all", help: "The token gives access to all enterprises.") private var reachesAll: Bool
    @Option("days", help: "The number of days until the token expires: 1 to 3650. Default: 90.")
    private var givenDays: UInt64?
    @ConfigurationPath private var path: String

    private var days: UInt64 { givenDays ?? 90 }
    private var reach: BankToken.Reach { enterprise.map { .enterprise($0) } ?? .all }

    func validate(for program: Program) throws(CommandFailure) {
        guard (enterprise == nil) == reachesAll else {
            throw CommandFailure(.usage, "give either --enterprise or --all")
        }
        guard 1...3650 ~= days else {
            throw CommandFailure(.usage, "--days must be between 1 and 3650")
        }
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = try Installation(readingFileAt: path)
        try await installation.withVerifier { verifier throws(CommandFailure) in
            let result = try await installation.onVerifier(
                try await verifier.makeToken(
                    named: label,
                    for: role,
                    reaching: reach,
                    lasting: .seconds(days * 24 * 60 * 60),
                    by: .operatorCommand
                )
            )
            switch consume result {
            case .made(let token): try show(token, on: terminal.output)
            case .refused(.unknownEnterprise):
                throw CommandFailure(.noInput, "this enterprise does not exist")
                    .suggesting("countersignd enterprise list shows the enterprises")
            case .refused(.nameTaken):
                throw CommandFailure(.cannotCreate, "a token with this name exists or existed")
                    .suggesting("choose another name; countersignd token list shows the tokens")
            }
        }
    }

    private func show(
        _ token: borrowing BankTokenText,
        on output: Output
    ) throws(CommandFailure) {
        do throws(CommandFailure) {
            let text = try translatingSystemFailure(token.text(), to: CommandFailure.init(_:))
            // The token leaves the process here, so a String is acceptable.
            try output.print(text.withBytes { String(decoding: $0.array, as: UTF8.self) })
        } catch {
            let name = label.text
            throw error.suggesting(
                "the token \(name) exists, but is lost: run countersignd token revoke \(name)"
            )
        }
    }
}

extension BankToken.Role: ArgumentValue {}

extension BankTokenName: ArgumentValue {}
