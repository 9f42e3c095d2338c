import AuthenticationHandler
import CommandLineTool

struct RejectCommand: Command {
    static let name = "reject"
    static let summary = "Reject a request; needs no PIN and works during a temporary lock."

    @Argument("ID", help: "The request, by its id or the end of it.") private var id: String
    @Option("reason", help: "The reason that the bank receives.")
    private var namedReason: RejectionReason?
    @Flag("not-me", help: "Report that another person made this request.")
    private var isNotMe: Bool
    @JSONFlag private var printsJSON: Bool
    private let vault = VaultOption()

    private var reason: RejectionReason { isNotMe ? .notMe : namedReason ?? .unspecified }

    func validate(for program: Program) throws(CommandFailure) {
        guard namedReason == nil || !isNotMe else {
            throw CommandFailure(.usage, "use either --reason or --not-me")
        }
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let session = try await vault.openSession()
        let transaction = try await session.pending(id)
        try await reportingErrors(try await session.handler.reject(transaction, reason: reason))
        try terminal.output.print(.rejected(reason), on: transaction, inJSON: printsJSON)
    }
}

extension RejectionReason: ArgumentValue {}
