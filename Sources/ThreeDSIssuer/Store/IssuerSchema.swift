package import Storage

/// The tables of an ACS.
///
/// A row has the columns by which it is found, and its content sealed. The seal is bound to these
/// columns, so a writer of the database can remove rows, but not make or change one.
package enum IssuerSchema {
    package static let migrations = [
        Migration(version1), Migration(version2), Migration(version3), Migration(version4),
    ]

    @Sendable
    private static func version1(_ dialect: SQLDialect) -> String {
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
                sealed \(bytes) NOT NULL
            ) \(keyedTable);

            CREATE TABLE authentications (
                id TEXT PRIMARY KEY,
                directory_id TEXT NOT NULL UNIQUE,
                made \(integer) NOT NULL,
                page TEXT UNIQUE,
                awaited TEXT,
                due \(integer),
                result_due \(integer),
                sealed \(bytes) NOT NULL,
                sealed_key \(bytes)
            ) \(keyedTable);
            CREATE INDEX authentications_made ON authentications (made);
            CREATE INDEX authentications_awaited ON authentications (id)
                WHERE awaited IS NOT NULL;
            CREATE INDEX authentications_due ON authentications (due)
                WHERE due IS NOT NULL;
            CREATE INDEX authentications_result_due ON authentications (result_due)
                WHERE result_due IS NOT NULL;

            CREATE TABLE records (
                number \(integer) PRIMARY KEY,
                content TEXT NOT NULL,
                mac \(bytes) NOT NULL
            ) \(dialect.tableOptions);
            """
    }

    /// Programs list cards by account, and background work finds its rows without all others.
    @Sendable
    private static func version2(_ dialect: SQLDialect) -> String {
        let (integer, bytes) = (dialect.integer, dialect.bytes)
        let keyedTable = dialect.keyedTableOptions
        return """
            ALTER TABLE cards ADD COLUMN account \(bytes);
            CREATE INDEX cards_account ON cards (account, reference);

            ALTER TABLE authentications ADD COLUMN live TEXT;
            ALTER TABLE authentications ADD COLUMN call_due \(integer);
            CREATE INDEX authentications_live ON authentications (live)
                WHERE live IS NOT NULL;
            CREATE INDEX authentications_call_due ON authentications (call_due)
                WHERE call_due IS NOT NULL;
            DROP INDEX authentications_awaited;
            CREATE INDEX authentications_awaited ON authentications (awaited, id)
                WHERE awaited IS NOT NULL;
            DROP INDEX authentications_made;
            CREATE INDEX authentications_made ON authentications (made, id);

            CREATE TABLE checks (
                key TEXT PRIMARY KEY,
                number \(integer) NOT NULL UNIQUE,
                made \(integer) NOT NULL,
                sealed \(bytes) NOT NULL
            ) \(keyedTable);
            CREATE INDEX checks_made ON checks (made);

            CREATE TABLE notifications (
                authentication TEXT PRIMARY KEY,
                made \(integer) NOT NULL,
                due \(integer),
                sealed \(bytes) NOT NULL
            ) \(keyedTable);
            CREATE INDEX notifications_due ON notifications (due, authentication)
                WHERE due IS NOT NULL;
            """
    }

    /// A change of an authentication no longer seals its ARes again.
    @Sendable
    private static func version3(_ dialect: SQLDialect) -> String {
        "ALTER TABLE authentications ADD COLUMN sealed_response \(dialect.bytes);"
    }

    /// Gives each ARes a row of its own, and keeps the rows of authentications in the order of their
    /// insertion.
    ///
    /// SQLite writes a whole row for each change. If rows are stored in the order of their keys, the
    /// inner pages of the tree contain rows, too. With long rows, the tree is deep.
    @Sendable
    private static func version4(_ dialect: SQLDialect) -> String {
        let (integer, bytes, table) = (dialect.integer, dialect.bytes, dialect.tableOptions)
        let columns: StaticString = """
            id, directory_id, made, page, awaited, due, result_due, sealed, sealed_key, live, call_due
            """
        return """
            ALTER TABLE authentications RENAME TO former_authentications;
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
            INSERT INTO authentications (\(columns))
                SELECT \(columns) FROM former_authentications ORDER BY made;
            CREATE TABLE responses (
                authentication TEXT PRIMARY KEY,
                made \(integer) NOT NULL,
                sealed \(bytes) NOT NULL
            ) \(table);
            INSERT INTO responses (authentication, made, sealed)
                SELECT id, made, sealed_response FROM former_authentications
                WHERE sealed_response IS NOT NULL ORDER BY made;
            CREATE INDEX responses_made ON responses (made);
            DROP TABLE former_authentications;
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
