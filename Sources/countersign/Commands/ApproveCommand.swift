import CommandLineTool

/// Shows a transaction, has a person say yes, and signs what was shown.
struct ApproveCommand: Command {
    static let name = "approve"
    static let summary = "Approve a request, once you have seen it and said yes."
    static let discussion = """
        Shows exactly what is signed, asks whether it is right, and then for the PIN. Where the bank
        shows a number, it is to be typed here first. Where the request takes several ways, asks which;
        after a wrong PIN asks again while tries are left, and where you are not recognised offers the
        PIN.

        Without a terminal, an approval names its ID, says --yes, and has the PIN on a descriptor:
            countersign show 5c0f
            countersign approve 5c0f --yes --pin-fd 3 3<pin
        """

    static let id = Argument<String?>(
        "ID",
        help: "Its id or the end of it; without it, the only one that waits."
    )
    static let yes = Flag("yes", help: "Do not ask: what the whole ID means was looked at before.")
    static let parameters: [any Parameter] = [
        id, Approval.method, yes, SecretSource.descriptor, Flag.json, Session.vault,
    ]

    private let id: String?
    private let method: Method?
    private let isConfirmed: Bool
    private let descriptor: OpenDescriptor?
    private let printsJSON: Bool
    private let vault: FilePath?

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        id = try arguments[Self.id]
        method = try arguments[Approval.method]
        isConfirmed = arguments[Self.yes]
        descriptor = try arguments[SecretSource.descriptor]
        printsJSON = arguments[.json]
        vault = try arguments[Session.vault]
        guard !isConfirmed || id != nil else {
            throw CommandFailure(
                .usage,
                "--yes needs the ID of what it says yes to",
                hint: "look at it first: countersign show"
            )
        }
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        if !isConfirmed { try Approval.checkPerson(at: terminal) }
        let session = try await Session(in: vault)
        let transaction = try await session.pending(id, wholly: isConfirmed)
        let approval = Approval(
            transaction: transaction,
            handler: session.handler,
            secrets: session.secrets(on: descriptor, or: terminal)
        )
        let type = try await approval.run(with: method, isConfirmed: isConfirmed)
        try terminal.output.print(.approved(type), on: transaction, inJSON: printsJSON)
    }
}
