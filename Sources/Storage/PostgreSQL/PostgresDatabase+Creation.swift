import FailureTranslation

extension PostgresDatabase {
    /// Makes the tables of an empty store in a database that has none.
    ///
    /// Opening never does that: a verifier with a wrong address must not start from nothing.
    package static func create(
        _ connectionString: String,
        migrations: [Migration]
    ) throws(StoreFailure) {
        let address = try PostgresAddress(connectionString, timeout: .seconds(10))
        let definitions = try TableDefinitions(migrations)
        try translating(
            address.create(migrations, definitions),
            to: \PostgresFailure.ofCreation
        )
    }
}

extension PostgresFailure {
    fileprivate var ofCreation: StoreFailure {
        // Another process is making the same tables.
        storeFailure == .conflict ? StoreFailure(.exists, storeFailure.cause) : storeFailure
    }
}

extension PostgresAddress {
    fileprivate func create(
        _ migrations: [Migration],
        _ definitions: TableDefinitions
    ) throws(PostgresFailure) {
        let connection = try PostgresConnection(self, nil, waitsForever: true)
        _ = try connection.execute("BEGIN")
        _ = try connection.execute(PostgresTables.creation(version: migrations.count))
        try connection.apply(migrations[...])
        // An event trigger of the database can have added to them.
        try connection.compareTables(with: definitions)
        try connection.commit()
    }

    /// Applies all missing steps in one transaction; other processes that start wait.
    func migrate(
        by migrations: [Migration],
        _ definitions: TableDefinitions
    ) throws(PostgresFailure) {
        let connection = try PostgresConnection(self, definitions, waitsForever: true)
        _ = try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
        let version = try connection.version(by: PostgresTables.versionForWriting)
        guard version <= migrations.count else { throw .refused(.newer(version: version)) }
        guard version < migrations.count else { return }
        try connection.apply(migrations[version...])
        _ = try connection.execute(PostgresTables.setVersion(migrations.count))
        try connection.compareTables(with: definitions)
        try connection.commit()
    }

    /// Fails if the tables have another version or cannot be changed; waits for no other process.
    func check(version: Int, _ definitions: TableDefinitions) throws(PostgresFailure) {
        let connection = try PostgresConnection(self, definitions)
        // Ends without a commit, which could wait for a standby.
        _ = try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
        let found = try connection.version(by: PostgresTables.version)
        try connection.check(Int64(found), version)
        // A server that is read-only refuses it.
        _ = try connection.execute(PostgresTables.versionForWriting.text + " SKIP LOCKED")
    }
}

extension PostgresConnection {
    fileprivate func version(by statement: Statement) throws(PostgresFailure) -> Int {
        let results = try execute(statement.text)
        guard let version = results[0].number, version >= 0 else { throw .refused(.damaged) }
        return Int(version)
    }

    fileprivate func apply(_ migrations: ArraySlice<Migration>) throws(PostgresFailure) {
        for migration in migrations { _ = try execute(migration.statements(.postgreSQL)) }
    }
}
