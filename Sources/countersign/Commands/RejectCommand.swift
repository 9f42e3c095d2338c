import AuthenticationHandler
import CommandLineTool

/// Says no to a transaction.
struct RejectCommand: Command {
    static let name = "reject"
    static let summary = "Reject a request; that needs no PIN, and works while the PIN is locked."

    static let id = Argument<String>(
        "ID",
        help: "Its id or the end of it, as countersign pending shows it."
    )
    static let reason = Option<RejectionReason?>("reason", help: "What the bank is told.")
    static let notMe = Flag("not-me", help: "Tell the bank that somebody else asked for it.")
    static let parameters: [any Parameter] = [id, reason, notMe, Flag.json, Session.vault]

    private let id: String
    private let reason: RejectionReason
    private let printsJSON: Bool
    private let vault: FilePath?

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        id = try arguments[Self.id]
        switch (try arguments[Self.reason], arguments[Self.notMe]) {
        case (let reason, false): self.reason = reason ?? .unspecified
        case (nil, true): reason = .notMe
        default: throw CommandFailure(.usage, "--reason and --not-me exclude each other")
        }
        printsJSON = arguments[.json]
        vault = try arguments[Session.vault]
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let session = try await Session(in: vault)
        let transaction = try await session.pending(id)
        do throws(AuthenticationError) {
            try await session.handler.cancelTransaction(transaction, reason: reason)
        } catch {
            throw CommandFailure(error)
        }
        try terminal.output.print(.rejected(reason), on: transaction, inJSON: printsJSON)
    }
}

extension RejectionReason: ArgumentValue {}
