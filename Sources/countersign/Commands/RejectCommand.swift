import AuthenticationHandler
import CommandLineTool

struct RejectCommand: Command {
    static let name = "reject"
    static var summary: String {
        localized(
            "Reject a request, without a PIN.",
            german: "Lehnt einen Auftrag ab, ohne PIN."
        )
    }
    static var discussion: String {
        localized(
            """
            This needs no PIN, so it works during a temporary lock. Without an ID, it rejects the
            only pending request and shows it. If several requests are pending, or those of an
            account are unknown, it lists them instead.
            """,
            german: """
                Das geht ohne PIN, also auch während einer befristeten Sperre. Ohne ID lehnt der
                Befehl den einzigen offenen Auftrag ab und zeigt ihn. Sind mehrere Aufträge offen
                oder die eines Zugangs nicht bekannt, zeigt er stattdessen die Liste.
                """
        )
    }

    @RequestID private var id: String?
    @Option(
        "reason",
        help: localized(
            "The reason that the bank receives.",
            german: "Der Grund, den die Bank erfährt."
        )
    )
    private var namedReason: RejectionReason?
    @Flag(
        "not-me",
        help: localized(
            "Report that another person made this request.",
            german: "Meldet, dass eine andere Person diesen Auftrag erteilt hat."
        )
    )
    private var isNotMe: Bool
    @JSONFlag private var printsJSON: Bool
    private let vault = VaultOption()

    private var reason: RejectionReason { isNotMe ? .notMe : namedReason ?? .unspecified }

    func validate(for program: Program) throws(CommandFailure) {
        guard namedReason == nil || !isNotMe else {
            let message = localized(
                "use either --reason or --not-me",
                german: "entweder --reason oder --not-me"
            )
            throw CommandFailure(.usage, message)
        }
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let session = try await vault.openSession()
        let transaction = try await session.pending(
            id,
            requiringAll: true,
            on: terminal
        )
        if id == nil { try terminal.messages.print(RequestSentences.rejection(of: transaction)) }
        try await reportingErrors(
            deciding: transaction.id,
            at: terminal,
            try await session.handler.reject(transaction, reason: reason)
        )
        try terminal.output.print(.rejected(reason), on: transaction, inJSON: printsJSON)
    }
}

extension RejectionReason: ArgumentValue {}
