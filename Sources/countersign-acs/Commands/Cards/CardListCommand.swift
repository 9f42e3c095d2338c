import CommandLineTool
import Storage
import ThreeDSIssuer

struct CardListCommand: Command {
    static let name = "card list"
    static let summary = "List the cards: references, last four digits, states and accounts."
    static let discussion = """
        Exits with 65 if another program changed a card in the store. The other cards are listed.

        \(Installation.storeOnly)
        """

    @Option("account", help: "List only the cards of this account.")
    private var account: CardAccount?
    @JSONFlag private var printsJSON: Bool
    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = try Installation(readingFileAt: path)
        let (cards, unreadable) = try await installation.withStore { store throws(CommandFailure) in
            try await allCards(in: store, of: installation)
        }
        if !cards.isEmpty {
            try terminal.output.print(
                NamedValue("cards", cards),
                inJSON: printsJSON,
                or: Table(ShownCard.heading, cards.map(\.columns))
            )
        }
        guard unreadable.count == 0 else { throw .unreadable(unreadable) }
        guard !cards.isEmpty else { throw CommandFailure(.nothingPending, "there are no cards") }
    }

    private static let pageSize = 1000

    private func allCards(
        in store: IssuerStore,
        of installation: Installation
    ) async throws(CommandFailure) -> ([ShownCard], ReportedRows) {
        var (cards, unreadable) = ([ShownCard](), ReportedRows())
        var last: SQLValue?
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
            guard let end = page.end else { return (cards, unreadable) }
            last = end
            for row in page.unreadable { unreadable.append(row.text) }
            cards += page.elements.map { ShownCard($0.card) }
        }
    }
}

extension CommandFailure {
    /// For a list that has only the other rows.
    static func unreadable(_ rows: ReportedRows) -> CommandFailure {
        CommandFailure(
            .malformedInput,
            "\(counted(rows.count, "row")) cannot be read: \(rows.text)",
            hint: hintAfterForgery
        )
    }
}

extension ReportedRows {
    /// The first names.
    var text: String { names.joined(separator: ", ") + (count > names.count ? ", …" : "") }
}
