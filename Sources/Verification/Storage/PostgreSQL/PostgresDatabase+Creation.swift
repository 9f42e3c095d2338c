extension PostgresDatabase {
    /// Makes the tables of an empty store in a database that has none.
    ///
    /// Never done by opening: a verifier that is led to another database must not begin from nothing.
    package static func create(
        _ connectionString: String,
        migrations: [Migration]
    ) throws(StoreFailure) {
        let address = try PostgresAddress(connectionString, timeout: .seconds(10))
        do throws(PostgresFailure) {
            let connection = try PostgresConnection(address, isPatient: true)
            _ = try connection.execute("BEGIN")
            _ = try connection.execute(PostgresTables.creation(version: migrations.count))
            try connection.take(migrations[...])
            try connection.commit()
        } catch {
            // Somebody makes the same tables at this moment.
            throw error == .refused(.conflict) ? .exists : error.storeFailure
        }
    }
}

extension PostgresAddress {
    /// Takes all steps that are missing in one transaction; others that begin meanwhile wait.
    func migrate(by migrations: [Migration], ifBehind migrates: Bool) throws(StoreFailure) {
        do throws(PostgresFailure) {
            let connection = try PostgresConnection(self, isPatient: true)
            let version = try connection.beginMigrating()
            guard version <= migrations.count else {
                throw .refused(.newer(version: version))
            }
            guard version < migrations.count else { return }
            guard migrates else { throw .refused(.older(version: version)) }
            try connection.take(migrations[version...])
            try connection.commit(after: PostgresTables.setVersion(migrations.count))
        } catch {
            throw error.storeFailure
        }
    }
}

extension PostgresConnection {
    fileprivate func beginMigrating() throws(PostgresFailure) -> Int {
        _ = try execute("BEGIN ISOLATION LEVEL READ COMMITTED")
        do throws(PostgresFailure) {
            let answers = try execute(PostgresTables.versionForWriting)
            guard let version = answers[0].number else { throw .refused(.damaged) }
            return Int(version)
        } catch {
            // The statement is right: there is no such table.
            throw error == .refused(.misuse) ? .refused(.foreign) : error
        }
    }

    fileprivate func take(_ migrations: ArraySlice<Migration>) throws(PostgresFailure) {
        for migration in migrations { _ = try execute(migration.statements(.postgreSQL)) }
    }
}
