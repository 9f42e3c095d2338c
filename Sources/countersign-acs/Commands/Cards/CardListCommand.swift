import CommandLineTool
import Storage
import ThreeDSIssuer

struct CardListCommand: Command {
    static let name = "card list"
    static let summary = "List the cards: references, last four digits, states and accounts."
    static let discussion = Installation.storeOnly

    @Option("account", help: "List only the cards of this account.")
    private var account: CardAccount?
    @JSONFlag private var printsJSON: Bool
    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = try Installation(readingFileAt: path)
        let cards = try await installation.withStore { store throws(CommandFailure) in
            try await allCards(in: store, of: installation)
        }
        guard !cards.isEmpty else { throw CommandFailure(.nothingPending, "there are no cards") }
        try terminal.output.print(
            NamedValue("cards", cards),
            inJSON: printsJSON,
            or: Table(ShownCard.heading, cards.map(\.columns))
        )
    }

    private static let pageSize = 1000

    private func allCards(
        in store: IssuerStore,
        of installation: Installation
    ) async throws(CommandFailure) -> [ShownCard] {
        var (cards, last) = ([ShownCard](), "")
        while true {
            let page = try await installation.read(store) {
                [account, last] connection throws(StoreFailure) in
                let table = store.cards(connection)
                return if let account {
                    try table.cards(of: account, after: last, limit: Self.pageSize)
                } else {
                    try table.cards(after: last, limit: Self.pageSize)
                }
            }
            guard let end = page.last else { return cards }
            last = end.card.reference.text
            cards += page.map { ShownCard($0.card) }
        }
    }
}
