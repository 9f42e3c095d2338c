import StoreProgram
import TestSupport
import Testing
import Verification

@testable import Storage

/// A change of the owner of the tables, and the table that the failure names.
private struct Alteration: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let table: String
    let statements: String

    init(_ name: String, of table: String = "tally", _ statements: String) {
        (testDescription, self.table, self.statements) = (name, table, statements)
    }

    static let all = [
        Alteration("row security", "ALTER TABLE tally ENABLE ROW LEVEL SECURITY"),
        Alteration("forced row security", "ALTER TABLE tally FORCE ROW LEVEL SECURITY"),
        Alteration("a trigger", trigger),
        Alteration("a rule", "CREATE RULE r AS ON INSERT TO tally DO ALSO NOTHING"),
        Alteration(
            "a view",
            "ALTER TABLE tally RENAME TO other; CREATE VIEW tally AS SELECT * FROM other"
        ),
        Alteration("a child", "CREATE TABLE child () INHERITS (tally)"),
        Alteration("an unlogged table", "ALTER TABLE tally SET UNLOGGED"),
        Alteration("another column", "ALTER TABLE tally ADD COLUMN fork inet DEFAULT '::1'"),
        Alteration("another column, as a key", fork),
        Alteration("a missing key", of: "block", "ALTER TABLE block DROP CONSTRAINT block_pkey"),
        Alteration("another unique key", "CREATE UNIQUE INDEX u ON tally (count)"),
        Alteration("another type", "ALTER TABLE tally ALTER COLUMN count TYPE numeric"),
        Alteration("an optional value", "ALTER TABLE tally ALTER COLUMN count DROP NOT NULL"),
        Alteration(
            "a type of its own",
            "CREATE DOMAIN number AS bigint; ALTER TABLE tally ALTER COLUMN count TYPE number"
        ),
        Alteration(
            "a generated column",
            "ALTER TABLE tally ADD COLUMN next bigint GENERATED ALWAYS AS (count + 1) STORED"
        ),
        Alteration(
            "a check that calls a function",
            """
            ALTER TABLE tally
                ADD CHECK (set_config('search_path', 'other', false) IS NOT NULL)
            """
        ),
        Alteration(
            "a default that calls a function",
            "ALTER TABLE tally ALTER COLUMN count SET DEFAULT abs(1)"
        ),
        Alteration(
            "a check of the user",
            "ALTER TABLE tally ADD CHECK (CURRENT_USER <> 'countersign')"
        ),
        Alteration(
            "a check that uses the time by a text",
            "ALTER TABLE tally ADD CHECK (('now'::text)::timestamptz < '2999-01-01')"
        ),
        Alteration(
            "a default for one user",
            """
            ALTER TABLE tally ALTER COLUMN count
                SET DEFAULT CASE WHEN USER = 'countersign' THEN 1 ELSE 2 END
            """
        ),
        Alteration(
            "a unique key that is checked later",
            "ALTER TABLE tally ADD UNIQUE (count) DEFERRABLE INITIALLY DEFERRED"
        ),
        Alteration("an exclusion", "ALTER TABLE tally ADD EXCLUDE USING btree (count WITH =)"),
        Alteration(
            "a reference that deletes rows",
            of: "block",
            """
            ALTER TABLE block ADD FOREIGN KEY (id) REFERENCES tally (caller) ON DELETE CASCADE
            """
        ),
        Alteration(
            "a renamed column of the store's version",
            of: "countersign_store",
            "ALTER TABLE countersign_store RENAME COLUMN version TO number"
        ),
        Alteration(
            "an index with a function of its own",
            """
            CREATE FUNCTION f(bigint) RETURNS bigint IMMUTABLE LANGUAGE sql AS 'SELECT $1';
            CREATE INDEX i ON tally (f(count))
            """
        ),
        Alteration(
            "a reference from another table",
            "CREATE TABLE other (id bigint REFERENCES tally (caller) ON DELETE CASCADE)"
        ),
        Alteration(
            "another collation",
            of: "countersign_commits",
            #"ALTER TABLE countersign_commits ALTER COLUMN writer TYPE text COLLATE "POSIX""#
        ),
    ]

    private static let trigger = """
        CREATE FUNCTION t() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
        CREATE TRIGGER t BEFORE INSERT ON tally FOR EACH ROW EXECUTE FUNCTION t()
        """

    /// Each node gets the rows of its own address.
    private static let fork = """
        ALTER TABLE tally ADD COLUMN fork inet NOT NULL
            DEFAULT coalesce(inet_server_addr(), '127.0.0.1');
        ALTER TABLE tally DROP CONSTRAINT tally_pkey;
        ALTER TABLE tally ADD PRIMARY KEY (caller, fork);
        ALTER TABLE tally FORCE ROW LEVEL SECURITY;
        CREATE POLICY p ON tally USING (fork = inet_server_addr())
        """
}

/// The owner of the tables has no keys, but can define code and rows for each session.
@Suite(.needsPostgres) struct `The tables of a PostgreSQL store` {
    private let name: String
    private let database: String

    init() throws {
        database = try PostgresServer.shared().makeDatabase()
        name = database.split(separator: "=").last.map(String.init) ?? ""
    }

    private func psql(_ statement: String) throws {
        _ = try PostgresServer.shared().query(statement, in: name)
    }

    private func open(
        _ options: String = "",
        maximumSessionAge: Duration = .seconds(60)
    ) throws(StoreFailure) -> PostgresDatabase {
        try PostgresDatabase(
            database + options,
            migrations: tallyMigrations,
            maximumSessionAge: maximumSessionAge
        )
    }

    private func increment(_ caller: Int64, in store: PostgresDatabase) async throws -> Int64 {
        try await store.write { connection throws(StoreFailure) in
            try Tally.increment(caller, on: connection)
        }
    }

    @Test(arguments: Alteration.all)
    fileprivate func `SEC-101: are refused with an addition of their owner`(
        _ alteration: Alteration
    ) async throws {
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        await (try open()).close()
        try psql(alteration.statements)
        #expect(throws: StoreFailure.altered(table: alteration.table)) { try open() }
        #expect(throws: StoreFailure.altered(table: alteration.table)) {
            try PostgresDatabase(database, migrations: tallyMigrations, migrates: false)
        }
        #expect(throws: StoreFailure.altered(table: alteration.table)) {
            try PostgresDatabase(database, migrations: longMigrations(rowCount: 1))
        }
    }

    private static let pairMigrations = [
        Migration { dialect in
            """
            CREATE TABLE pair (
                id \(dialect.integer) PRIMARY KEY,
                first \(dialect.integer),
                second \(dialect.integer),
                UNIQUE (first, second)
            ) \(dialect.tableOptions);
            """
        }
    ]

    @Test(arguments: [
        "(first) INCLUDE (second)", "NULLS NOT DISTINCT (first, second)",
        "(first, second) DEFERRABLE",
    ])
    func `are refused with another rule of a unique key`(_ key: String) async throws {
        func open() throws(StoreFailure) -> PostgresDatabase {
            try PostgresDatabase(database, migrations: Self.pairMigrations)
        }
        try PostgresDatabase.create(database, migrations: Self.pairMigrations)
        await (try open()).close()
        try psql("ALTER TABLE pair DROP CONSTRAINT pair_first_second_key")
        try psql("ALTER TABLE pair ADD UNIQUE \(key)")
        #expect(throws: StoreFailure.altered(table: "pair")) { try open() }
        try psql("ALTER TABLE pair ADD UNIQUE (first, second)")
        #expect(throws: StoreFailure.altered(table: "pair")) { try open() }
    }

    /// A rule that an event trigger adds to each new table.
    private static let addition = """
        CREATE FUNCTION e() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
            IF to_regclass('tally') IS NOT NULL THEN
                CREATE OR REPLACE RULE r AS ON INSERT TO tally DO ALSO NOTHING;
            END IF;
        END $$;
        CREATE EVENT TRIGGER e ON ddl_command_end WHEN TAG IN ('CREATE TABLE')
            EXECUTE FUNCTION e()
        """

    @Test func `SEC-101: are not created with an addition of their owner`() async throws {
        try psql(Self.addition)
        #expect(throws: StoreFailure.altered(table: "tally")) {
            try PostgresDatabase.create(database, migrations: tallyMigrations)
        }
        try psql("DROP EVENT TRIGGER e")
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        let store = try open()
        #expect(try await increment(1, in: store) == 1)
        await store.close()
    }

    @Test func `can have other indexes, and tables of other programs next to them`() async throws {
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        try psql("CREATE INDEX i ON tally (count); CREATE TABLE other (id int); ANALYZE")
        let store = try open()
        #expect(try await increment(1, in: store) == 1)
        await store.close()
    }

    @Test func `SEC-101: are refused while a session lasts, until the addition is removed`()
        async throws
    {
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        let store = try open(maximumSessionAge: .zero)
        #expect(try await increment(1, in: store) == 1)
        try psql("CREATE RULE r AS ON INSERT TO tally DO INSTEAD NOTHING")
        await #expect(throws: StoreFailure.altered(table: "tally")) {
            try await increment(1, in: store)
        }
        await #expect(throws: StoreFailure.altered(table: "tally")) {
            try await store.read(Tally.counts)
        }
        try psql("DROP RULE r ON tally")
        #expect(try await increment(1, in: store) == 2)
        #expect(try await store.read(Tally.counts) == [1: 2])
        await store.close()
    }

    /// Code of the owner can change a session while a table is exchanged.
    @Test func `SEC-101: are read by a new session, without the settings of an old one`()
        async throws
    {
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        try psql("CREATE SCHEMA evil; CREATE TABLE evil.tally AS SELECT * FROM tally")
        let store = try open(maximumSessionAge: .zero)
        let path = Statement("SELECT length(set_config('search_path', 'evil, public', false))")
        _ = try await store.write { connection throws(StoreFailure) in try connection.rows(path, [])
        }
        #expect(try await increment(1, in: store) == 1)
        #expect(try await store.read(Tally.counts) == [1: 1])
        await store.close()
    }

    @Test func `are those of the migrations in a database that quotes all names`() async throws {
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        try psql("ALTER DATABASE \(name) SET quote_all_identifiers = on")
        let type = "SELECT format_type('text'::regtype, NULL)"
        #expect(try PostgresServer.shared().query(type, in: name) == "\"text\"")
        let store = try open()
        #expect(try await increment(1, in: store) == 1)
        await store.close()
    }

    /// A superuser, as in the other tests, sees all rows.
    @Test func `SEC-101: with row security are refused at the next statement`() async throws {
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        try psql(
            """
            CREATE ROLE \(name) LOGIN;
            ALTER TABLE countersign_store OWNER TO \(name);
            ALTER TABLE countersign_commits OWNER TO \(name);
            ALTER TABLE tally OWNER TO \(name); ALTER TABLE block OWNER TO \(name);
            ALTER DATABASE \(name) SET row_security = on
            """
        )
        let store = try open(" user=\(name)")
        #expect(try await increment(1, in: store) == 1)
        try psql("ALTER TABLE tally ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY")
        await #expect(throws: StoreFailure.missingRight) { try await increment(1, in: store) }
        await store.close()
    }

    /// Another operator of the same name would make each row equal to none.
    private static let evil = """
        CREATE SCHEMA evil;
        CREATE FUNCTION evil.never(bigint, bigint) RETURNS boolean LANGUAGE sql AS 'SELECT false';
        CREATE FUNCTION evil.never(oid, oid) RETURNS boolean LANGUAGE sql AS 'SELECT false';
        CREATE FUNCTION evil.never(bigint, int) RETURNS boolean LANGUAGE sql AS 'SELECT false';
        CREATE OPERATOR evil.= (leftarg = bigint, rightarg = bigint, function = evil.never);
        CREATE OPERATOR evil.= (leftarg = oid, rightarg = oid, function = evil.never);
        CREATE OPERATOR evil.= (leftarg = bigint, rightarg = int, function = evil.never);
        CREATE FUNCTION evil.current_schema() RETURNS name LANGUAGE sql AS $$ SELECT 'evil'::name $$;
        CREATE FUNCTION evil.to_regclass(text) RETURNS regclass LANGUAGE sql AS 'SELECT NULL::regclass';
        CREATE FUNCTION public.concat_ws(text, name, text, text, text, text) RETURNS text
            LANGUAGE sql AS $$ SELECT 'x' $$;
        CREATE TABLE evil.pg_class (LIKE pg_catalog.pg_class);
        CREATE TABLE evil.tally (caller bigint PRIMARY KEY, count bigint NOT NULL);
        """

    @Test func `SEC-101: are found without operators and tables of another schema`() async throws {
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        let store = try open()
        #expect(try await increment(1, in: store) == 1)
        await store.close()
        try psql(Self.evil)
        try psql("ALTER DATABASE \(name) SET search_path = evil, pg_catalog, public")
        let shadowed = try PostgresServer.shared().query(
            "SELECT count(*) FROM tally; SELECT 1::bigint = 1::bigint",
            in: name
        )
        #expect(shadowed == "0\nf")
        let again = try open()
        #expect(try await increment(1, in: again) == 2)
        #expect(try await again.read(Tally.counts) == [1: 2])
        await again.close()
        // The tables are compared without them, too.
        try psql("ALTER TABLE public.tally ADD COLUMN fork inet")
        #expect(throws: StoreFailure.altered(table: "tally")) { try open() }
    }

    @Test(arguments: ["connection", "database"])
    func `are in the schema that the operator chose`(_ place: String) async throws {
        try psql(#"CREATE SCHEMA "the Bank's""#)
        let options =
            place == "connection" ? #" options='-c search_path="the\\ Bank\'s"'"# : ""
        if place == "database" {
            try psql(#"ALTER DATABASE \#(name) SET search_path = "the Bank's", public"#)
        }
        try PostgresDatabase.create(database + options, migrations: tallyMigrations)
        let store = try open(options)
        #expect(try await increment(1, in: store) == 1)
        await store.close()
        let later = try PostgresDatabase(
            database + options,
            migrations: longMigrations(rowCount: 3)
        )
        #expect(try await later.read(Tally.counts) == [1: 1])
        await later.close()
        let count = try PostgresServer.shared().query(
            #"SELECT count(*) FROM "the Bank's".long; RESET search_path"#,
            in: name
        )
        #expect(count.hasPrefix("3"))
    }

    @Test func `of another program are not a store`() throws {
        let others = [
            Migration { "CREATE TABLE another (id \($0.integer) PRIMARY KEY) \($0.tableOptions);" }
        ]
        try PostgresDatabase.create(database, migrations: others)
        #expect(throws: StoreFailure.foreign) { try open() }
        #expect(throws: StoreFailure.foreign) {
            try PostgresDatabase(database, migrations: longMigrations(rowCount: 1))
        }
    }
}
