/// A property of a table, such as the name and the type of a column.
struct TableFact: Hashable {
    let table: String
    let text: String
}

/// The columns and the unique keys of a store, in each version.
///
/// The owner of the tables can add code that runs with each statement, or show other rows to each
/// node. So a session begins only if the tables are those of the migrations.
struct TableDefinitions: Sendable {
    /// By version.
    private let versions: [Set<TableFact>]
    /// The names of all versions.
    let tables: Set<String>

    /// Runs the migrations in SQLite, which needs no server.
    init(_ migrations: [Migration]) throws(StoreFailure) {
        let empty = try SQLiteConnection(":memory:", .readWrite, busyTimeout: .zero)
        try empty.execute(PostgresTables.creation(version: 0))
        var versions = [try empty.tableFacts]
        for migration in migrations {
            try empty.execute(migration.statements(.sqlite))
            versions.append(try empty.tableFacts)
        }
        self.versions = versions
        tables = versions.reduce(into: []) { $0.formUnion($1.map(\.table)) }
    }

    /// Compares the facts that the server reported about tables in `version`.
    func failure(of facts: [TableFact], version: Int?) -> StoreFailure? {
        guard let version, version >= 0 else { return .damaged }
        guard version < versions.count else { return .newer(version: version) }
        let (expected, found) = (versions[version], Set(facts))
        guard Set(expected.map(\.table)).isSubset(of: found.map(\.table)) else { return .foreign }
        let tables = expected.symmetricDifference(found).map(\.table)
        return tables.min().map { .altered(table: $0) }
    }
}
