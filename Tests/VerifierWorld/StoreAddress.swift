package import Verification

/// Where a store is, as the words of a command say it.
package enum StoreAddress: Sendable {
    /// SQLite's, by its path.
    case file(String)
    /// PostgreSQL's, by a connection string.
    case server(String)

    package init(_ text: String) {
        self = text.hasPrefix("/") ? .file(text) : .server(text)
    }

    package var text: String {
        switch self {
        case .file(let text), .server(let text): text
        }
    }

    package func create(migrations: [Migration]) throws(StoreFailure) {
        switch self {
        case .file(let path): try SQLiteDatabase.create(path: path, migrations: migrations)
        case .server(let database): try PostgresDatabase.create(database, migrations: migrations)
        }
    }

    package func open(
        migrations: [Migration],
        migrates: Bool = true,
        timeout: Duration = .seconds(10)
    ) throws(StoreFailure) -> any Database {
        switch self {
        case .file(let path):
            try SQLiteDatabase(
                path: path,
                migrations: migrations,
                migrates: migrates,
                busyTimeout: timeout
            )
        case .server(let database):
            try PostgresDatabase(
                database,
                migrations: migrations,
                migrates: migrates,
                timeout: timeout
            )
        }
    }
}
