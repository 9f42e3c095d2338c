import CommandLineTool

/// Takes what a notification brought.
struct PushCommand: Command {
    static let name = "push"
    static let summary = "Show the request that a notification names, and approve it."
    static let discussion = """
        A notification proves nothing: what it names is asked of the bank, and what does not fit is
        not shown. Without a terminal the request is only shown.
        """

    static let payload = Argument<FilePath>(help: "The notification; - reads standard input.")
    static let parameters: [any Parameter] = [
        payload, Approval.method, SecretSource.descriptor, Flag.json, Session.vault,
    ]

    private let payload: FilePath
    private let method: Method?
    private let descriptor: OpenDescriptor?
    private let printsJSON: Bool
    private let vault: FilePath?

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        payload = try arguments[Self.payload]
        method = try arguments[Approval.method]
        descriptor = try arguments[SecretSource.descriptor]
        printsJSON = arguments[.json]
        vault = try arguments[Session.vault]
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let payload = try payload.contents(atMost: 1 << 20)
        let session = try await Session(in: vault)
        let transaction = try await session.pending(push: payload)
        guard terminal.hasPerson else {
            return try terminal.output.print(transaction, inJSON: printsJSON)
        }
        let approval = Approval(
            transaction: transaction,
            handler: session.handler,
            secrets: session.secrets(on: descriptor, or: terminal)
        )
        let type = try await approval.run(with: method)
        try terminal.output.print(.approved(type), on: transaction, inJSON: printsJSON)
    }
}
