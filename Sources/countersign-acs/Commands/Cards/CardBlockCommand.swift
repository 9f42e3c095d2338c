import CommandLineTool
import Storage
import ThreeDSIssuer

struct CardBlockCommand: Command {
    static let name = "card block"
    static let summary = "Block a card until countersign-acs card unblock."
    static let discussion = """
        The ACS rejects payments with a blocked card. A challenge that has begun continues. If the \
        person approves, it ends with N and the reason 12.

        \(Installation.storeOnly)
        """

    @Argument(help: CardReference.help) private var reference: CardReference
    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        try await setBlocked(true, of: reference, by: path)
        try terminal.output.print("The card \(reference) is blocked.")
    }
}

struct CardUnblockCommand: Command {
    static let name = "card unblock"
    static let summary = "End the block of a card."
    static let discussion = Installation.storeOnly

    @Argument(help: CardReference.help) private var reference: CardReference
    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        try await setBlocked(false, of: reference, by: path)
        try terminal.output.print("The card \(reference) is active.")
    }
}

private func setBlocked(
    _ isBlocked: Bool,
    of reference: CardReference,
    by path: String
) async throws(CommandFailure) {
    let installation = try Installation(readingFileAt: path)
    let card = try await installation.withStore { store throws(CommandFailure) in
        try await installation.write(to: store) { connection throws(StoreFailure) in
            try store.register(connection).setBlocked(isBlocked, of: reference)
        }
    }
    guard card != nil else { throw .noCard(reference) }
}

extension CommandFailure {
    /// The typed reference can be a card number of 16 digits, so it is not printed.
    static func noCard(_ reference: CardReference) -> CommandFailure {
        let hints = ["countersign-acs card list shows the cards", secretHint(for: reference.text)]
        return CommandFailure(
            .noInput,
            "there is no card with this reference",
            hint: hints.compactMap { $0 }.joined(separator: "; ")
        )
    }
}
