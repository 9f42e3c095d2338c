import CommandLineTool
import Storage
import ThreeDSIssuer

struct AuditListCommand: Command {
    static let name = "audit list"
    static let summary = "List the audit records: authentications, changes of cards, and new keys."
    static let discussion = """
        The subject of a record is an authentication, the reference of a card, or the number of a key \
        for authentication values. The details are codes of the protocol, transactions of the \
        verifier, or the fingerprint of a key. For a change of a card, they are its origin: a command \
        or the issuer's API. No record has a card number, or data of a person.

        A record is about one subject, so a list is of one authentication, of one card, or of all.

        With --json, each record is one line. To continue an earlier list, give the number of its \
        last record with --after. All records before it are verified, too. The record must exist: \
        after a restore, give the number of the last record of the backup.

        Exits with 1 if a record is missing or not authentic. The list ends before this record.

        \(Installation.storeOnly)
        """

    @Option("after", help: "Start after this record. Default: start at the first record.")
    private var after: UInt64?
    @Option("authentication", help: "List only the records of this acsTransID.")
    private var authentication: ChallengeID?
    @Option("card", help: "List only the records of this card, by its reference.")
    private var card: CardReference?
    @JSONFlag private var printsJSON: Bool
    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        guard authentication == nil || card == nil else {
            throw CommandFailure(
                .usage,
                "audit list takes --authentication or --card, not both",
                hint: "a record is about one of them; run the command for each"
            )
        }
        let installation = try Installation(readingFileAt: path)
        let (count, last, broken) = try await installation.withStore {
            store throws(CommandFailure) in
            try await list(store, of: installation, on: terminal.output)
        }
        if let broken { throw .brokenTrail(broken) }
        if let after, after > UInt64(last) { throw .noRecord(last: last) }
        guard count > 0 else { throw CommandFailure(.nothingPending, "there are no records") }
    }

    private static let pageSize = 1000

    /// The number of printed records, the last record, and the first one that is not authentic.
    private func list(
        _ store: IssuerStore,
        of installation: Installation,
        on output: Output
    ) async throws(CommandFailure) -> (count: Int, last: Int64, broken: Int64?) {
        var (count, cursor) = (0, RecordTable.Cursor.start)
        while true {
            let page = try await installation.read(store) {
                [cursor] connection throws(StoreFailure) in
                try store.records(connection).records(after: cursor, limit: Self.pageSize)
            }
            let shown = page.records.filter(isShown).map(ShownRecord.init)
            try print(shown, on: output)
            count += shown.count
            cursor = page.end
            guard page.broken == nil, !page.records.isEmpty else {
                return (count, cursor.number, page.broken)
            }
        }
    }

    private func isShown(_ record: RecordTable.NumberedRecord) -> Bool {
        guard record.number > Int64(clamping: after ?? 0) else { return false }
        let wanted: IssuerRecord.Subject? =
            authentication.map { .authentication($0.text) } ?? card.map { .card($0) }
        return wanted.map { $0 == record.record.subject } ?? true
    }

    private func print(
        _ records: [ShownRecord],
        on output: Output
    ) throws(CommandFailure) {
        guard printsJSON else {
            guard !records.isEmpty else { return }
            return try output.print(Table(ShownRecord.heading, records.map(\.columns)))
        }
        for record in records { try output.print(json: record) }
    }
}

extension CommandFailure {
    fileprivate static func brokenTrail(_ number: Int64) -> CommandFailure {
        CommandFailure(
            .refused,
            "record \(number) is missing or not authentic; the list ends before it",
            hint: "countersign-acs audit verify checks the whole store"
        )
    }

    /// A store that was replaced by a backup lacks records that were exported.
    ///
    /// The typed number can be one of a card, so it is not printed.
    fileprivate static func noRecord(last: Int64) -> CommandFailure {
        CommandFailure(
            .noInput,
            "there is no such record: "
                + (last > 0 ? "the last one is \(last)" : "the store has none"),
            hint: "after a restore, continue after the last record of the backup"
        )
    }
}
