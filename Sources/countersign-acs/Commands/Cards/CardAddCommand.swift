import CommandLineTool
import Cryptography
import Storage
import ThreeDSIssuer
import ThreeDSProtocol

struct CardAddCommand: Command {
    static let name = "card add"
    static let summary = "Add a card, and print its reference."
    static let discussion = """
        The command reads the card number from a descriptor, or prompts for it on the terminal, \
        which does not show it. The number is never an argument:

            countersign-acs card add bank/main/4711 --card-fd 3 3<FILE

        The store keeps a keyed hash of the number and its last four digits. All other commands name \
        the card by its reference.

        The number must be in a range of a directory in the configuration. An existing card is not \
        changed: the command exits with 1, and prints its reference.

        To add many cards, use countersign-acs load. \(Installation.storeOnly)
        """

    @Argument(help: CardAccount.help) private var account: CardAccount
    @Option("card-fd", help: "Read the card number from this file descriptor.")
    private var descriptor: OpenDescriptor?
    private let checkDigit = CheckDigitFlag()
    @JSONFlag private var printsJSON: Bool
    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = try Installation(readingFileAt: path)
        let number = try number(for: installation.configuration, on: terminal)
        let card = try await installation.withStore { store throws(CommandFailure) in
            let new = try await installation.onStore { () throws(StoreFailure) in
                try NewCard(number, account, for: store)
            }
            let outcome = try await installation.write(to: store) {
                connection throws(StoreFailure) in
                try store.register(connection).add(new)
            }
            if case .exists(let card) = outcome { throw .cardExists(card) }
            return new.card
        }
        try terminal.output.print(
            ShownCard(card),
            inJSON: printsJSON,
            or: Table(facts: [
                ("Reference", card.reference.text), ("Last four digits", card.lastFour),
            ])
        )
    }

    private func number(
        for configuration: Configuration,
        on terminal: Terminal
    ) throws(CommandFailure) -> CardNumber {
        let rules = checkDigit.rules(for: configuration)
        let refusal = try translatingSystemFailure(
            rules.refusal(of: account),
            to: CommandFailure.init(_:)
        )
        if let refusal { throw CommandFailure(refusal) }
        let digits = try digits(on: terminal)
        let number = try digits.withBytes { digits throws(CommandFailure) in
            try translatingSystemFailure(rules.number(digits), to: CommandFailure.init(_:))
        }
        do throws(CardRefusal) {
            return try number.get()
        } catch {
            throw CommandFailure(error)
        }
    }

    private func digits(on terminal: Terminal) throws(CommandFailure) -> TypedSecret {
        let digits =
            if let descriptor {
                try secretLine(from: descriptor.number, named: "descriptor \(descriptor.number)")
            } else {
                try typedDigits(on: terminal)
            }
        guard let digits else {
            throw CommandFailure(.noInput, "there is no card number")
                .suggesting("type it, or name its descriptor, as in --card-fd 3 3<FILE")
        }
        return digits
    }

    /// A second time without a check digit, which would reveal a mistake.
    private func typedDigits(on terminal: Terminal) throws(CommandFailure) -> TypedSecret? {
        guard let digits = try terminal.secretResponse(to: "Card number:") else { return nil }
        guard !checkDigit.comparesCheckDigit else { return digits }
        guard try terminal.secretResponse(to: "Card number again:") == digits else {
            throw CommandFailure(.malformedInput, "the two card numbers are different")
        }
        return digits
    }
}

extension CommandFailure {
    init(_ refusal: CardRefusal) {
        let isArgument =
            switch refusal {
            case .otherEnterprise, .numberAsAccount: true
            default: false
            }
        self.init(isArgument ? .usage : .malformedInput, refusal.reason, hint: refusal.hint)
    }

    fileprivate static func cardExists(_ card: Card) -> CommandFailure {
        CommandFailure(
            .refused,
            "the card exists: \(card.reference), ending in \(card.lastFour), of \(card.account)"
        )
    }
}
