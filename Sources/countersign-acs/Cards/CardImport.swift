import CommandLineTool
import Storage
import ThreeDSIssuer

/// Adds the cards of a file to a store, up to 1000 in a transaction.
struct CardImport {
    static let batchSize = 1000

    let installation: Installation
    let store: IssuerStore
    let rules: CardRules
    let report: CardImportReport

    /// A row, in the order of the file.
    private typealias Row = (line: Int, card: Result<NewCard, CardRowRefusal>)

    func run(_ file: CardFile) async throws(CommandFailure) {
        var batch: [Row] = []
        while let row = try file.next() {
            batch.append((row.line, try card(in: row)))
            guard batch.count == Self.batchSize else { continue }
            try await add(batch)
            batch = []
            report.show(file.bytesRead, of: file.byteCount)
        }
        try await add(batch)
    }

    private func card(
        in row: CardFileRow
    ) throws(CommandFailure) -> Result<NewCard, CardRowRefusal> {
        try row.parsed { digits, account throws(CommandFailure) in
            do throws(StoreFailure) {
                return try NewCard.made(of: digits, account, by: rules, for: store)
                    .mapError { .card($0) }
            } catch {
                throw CommandFailure(error, of: installation.store.place)
            }
        }
    }

    private func add(_ batch: [Row]) async throws(CommandFailure) {
        let cards = batch.compactMap { row in
            if case .success(let card) = row.card { card } else { nil }
        }
        let outcomes = try await installation.write(to: store) {
            [store] connection throws(StoreFailure) in
            let register = store.register(connection)
            return try cards.map { card throws(StoreFailure) in try register.add(card) }
        }
        var rest = zip(cards, outcomes).makeIterator()
        for (line, card) in batch {
            if case .failure(let refusal) = card {
                report.refuse(line, refusal)
            } else if let (card, outcome) = rest.next() {
                report.note(line, card, outcome)
            }
        }
    }
}
