import CommandLineTool
import ConfigurationFiles
import Storage
import ThreeDSIssuer

struct CardRemoveCommand: Command {
    static let name = "card remove"
    static let summary = "Remove a card."
    static let discussion = """
        For the ACS the card is then unknown. A challenge that has begun continues. If the person \
        approves, it ends with N and the reason 12. The audit records stay. The same card can be \
        added again; it gets another reference, and its counts of payments without an approval \
        (frictionless) begin at zero.

        \(Installation.storeOnly)
        """

    @Argument(help: CardReference.help) private var reference: CardReference
    @ConfirmationFlag private var isConfirmed: Bool
    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        try terminal.confirm("Remove the card with this reference?", isConfirmed: isConfirmed)
        let installation = try Installation(readingFileAt: path)
        let isRemoved = try await installation.withStore { store throws(CommandFailure) in
            try await installation.write(to: store) { connection throws(StoreFailure) in
                try store.register(connection).remove(reference)
            }
        }
        guard isRemoved else { throw .noCard(reference) }
        try terminal.output.print("Removed \(reference).")
    }
}
