package import Storage
import Verification

/// The address of a store, as a command's arguments state it.
package enum StoreAddress: Sendable {
    /// A path, for SQLite.
    case file(String)
    /// A connection string, for PostgreSQL.
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
