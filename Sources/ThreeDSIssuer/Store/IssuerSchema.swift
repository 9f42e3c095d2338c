package import Storage

/// The tables of an ACS.
///
/// A row has the columns by which it is found, and its content sealed. The seal is bound to these
/// columns, so a writer of the database can remove rows, but not make or change one.
package enum IssuerSchema {
    /// No store has one of the first three versions any more.
    package static let migrations = Migration.forgotten(3) + [Migration(version4)]

    @Sendable
    private static func version4(_ dialect: SQLDialect) -> String {
        [cards, authentications].map { $0(dialect) }.joined(separator: "\n")
    }

    private static func cards(_ dialect: SQLDialect) -> String {
        let (integer, bytes) = (dialect.integer, dialect.bytes)
        let keyedTable = dialect.keyedTableOptions
        return """
            CREATE TABLE secrets (
                name TEXT PRIMARY KEY,
                sealed \(bytes) NOT NULL
            ) \(keyedTable);

            CREATE TABLE cards (
                reference TEXT PRIMARY KEY,
                digest \(bytes) NOT NULL UNIQUE,
                sealed \(bytes) NOT NULL,
                account \(bytes)
            ) \(keyedTable);
            CREATE INDEX cards_account ON cards (account, reference);

            CREATE TABLE records (
                number \(integer) PRIMARY KEY,
                content TEXT NOT NULL,
                mac \(bytes) NOT NULL
            ) \(dialect.tableOptions);

            CREATE TABLE checks (
                key TEXT PRIMARY KEY,
                number \(integer) NOT NULL UNIQUE,
                made \(integer) NOT NULL,
                sealed \(bytes) NOT NULL
            ) \(keyedTable);
            CREATE INDEX checks_made ON checks (made);
            """
    }

    /// Each ARes has a row of its own, and rows are in the order of their insertion.
    ///
    /// SQLite writes a whole row for each change. If rows are stored in the order of their keys, the
    /// inner pages of the tree contain rows, too. With long rows, the tree is deep.
    private static func authentications(_ dialect: SQLDialect) -> String {
        let (integer, bytes, table) = (dialect.integer, dialect.bytes, dialect.tableOptions)
        return """
            CREATE TABLE authentications (
                id TEXT PRIMARY KEY,
                directory_id TEXT NOT NULL UNIQUE,
                made \(integer) NOT NULL,
                page TEXT UNIQUE,
                awaited TEXT,
                due \(integer),
                result_due \(integer),
                live TEXT,
                call_due \(integer),
                sealed_key \(bytes),
                sealed \(bytes) NOT NULL
            ) \(table);
            CREATE INDEX authentications_made ON authentications (made, id);
            CREATE INDEX authentications_awaited ON authentications (awaited, id)
                WHERE awaited IS NOT NULL;
            CREATE INDEX authentications_due ON authentications (due, id)
                WHERE due IS NOT NULL;
            CREATE INDEX authentications_result_due ON authentications (result_due, id)
                WHERE result_due IS NOT NULL;
            CREATE INDEX authentications_live ON authentications (live)
                WHERE live IS NOT NULL;
            CREATE INDEX authentications_call_due ON authentications (call_due, id)
                WHERE call_due IS NOT NULL;

            CREATE TABLE responses (
                authentication TEXT PRIMARY KEY,
                made \(integer) NOT NULL,
                sealed \(bytes) NOT NULL
            ) \(table);
            CREATE INDEX responses_made ON responses (made);

            CREATE TABLE notifications (
                authentication TEXT PRIMARY KEY,
                made \(integer) NOT NULL,
                due \(integer),
                sealed \(bytes) NOT NULL
            ) \(dialect.keyedTableOptions);
            CREATE INDEX notifications_due ON notifications (due, authentication)
                WHERE due IS NOT NULL;
            """
    }
}

extension IssuerSchema {
    /// Whether nothing was written, as after an interrupted creation.
    ///
    /// Rows of all other tables follow one of these.
    static func isEmpty(_ connection: any SQLConnection) throws(StoreFailure) -> Bool {
        try connection.rows(.anyRow, []).isEmpty
    }
}

extension Statement {
    fileprivate static let anyRow = Statement(
        """
        SELECT 1 FROM secrets UNION ALL SELECT 1 FROM cards
        UNION ALL SELECT 1 FROM authentications UNION ALL SELECT 1 FROM records LIMIT 1
        """
    )
}

extension Column {
    static let name = Column("name")
    static let sealed = Column("sealed")
    static let reference = Column("reference")
    static let digest = Column("digest")
    /// A keyed hash of the account of a card.
    static let account = Column("account")
    /// The idempotency key of a call.
    static let key = Column("key")
    /// The authentication of a notification, or of an ARes.
    static let authentication = Column("authentication")
    static let id = Column("id")
    /// `Authentication.directoryKey`.
    static let directoryID = Column("directory_id")
    static let made = Column("made")
    /// A hash of the handle of the page in a browser.
    static let page = Column("page")
    /// The transaction at the verifier whose end is awaited.
    static let awaited = Column("awaited")
    /// When the clock of the challenge must be read, or a notification is sent next.
    static let due = Column("due")
    /// When the RReq is sent next.
    static let resultDue = Column("result_due")
    /// The card of a challenge that has no result yet.
    static let live = Column("live")
    /// When the verifier must be called to create or withdraw the transaction.
    static let callDue = Column("call_due")
    /// The content that a change replaces.
    static let formerContent = Column("former_content")
    /// The key of the secure channel.
    static let sealedKey = Column("sealed_key")
    static let hasResponse = Column("has_response")
    static let count = Column("count")
    static let number = Column("number")
    static let content = Column("content")
    static let mac = Column("mac")
}

extension Table {
    static let secrets = Table("secrets", key: [.name], [.sealed])
    static let cards = Table("cards", key: [.reference], [.digest, .account, .sealed])
    static let authentications = Table(
        "authentications",
        key: [.id],
        [
            .directoryID, .made, .page, .awaited, .due, .resultDue, .live, .callDue, .sealedKey,
            .sealed,
        ]
    )
    /// The AReses.
    static let responses = Table("responses", key: [.authentication], [.made, .sealed])
    static let checks = Table("checks", key: [.key], [.number, .made, .sealed])
    static let notifications = Table(
        "notifications",
        key: [.authentication],
        [.made, .due, .sealed]
    )
    static let records = Table("records", key: [.number], [.content, .mac])
}
