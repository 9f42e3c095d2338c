package import TestSupport
package import Verifier

/// The stores that one suite of tests runs on.
package enum StoreKind: CaseIterable, Sendable {
    case sqlite, postgreSQL

    /// Those that can be had on this machine.
    package static let installed = allCases.filter {
        $0 != .postgreSQL || PostgresServer.isInstalled
    }
}

/// An empty store of its own for one test, which may be opened more than once.
package struct TestStore: Sendable {
    private let place: Place

    private enum Place {
        case file(String, TemporaryFolder)
        case server(String)
    }

    package init(_ kind: StoreKind, migrations: [Migration]) throws {
        switch kind {
        case .sqlite:
            let folder = try TemporaryFolder()
            let path = folder.path + "/store.db"
            try SQLiteDatabase.create(path: path, migrations: migrations)
            place = .file(path, folder)
        case .postgreSQL:
            let database = try SharedServer.get().makeDatabase()
            try PostgresDatabase.create(database, migrations: migrations)
            place = .server(database)
        }
    }

    /// Where its files lie, where it is in files that a test may read.
    package var folder: String? {
        switch place {
        case .file(_, let folder): folder.path
        case .server: nil
        }
    }

    /// What the store program takes.
    package var address: String {
        switch place {
        case .file(let path, _): path
        case .server(let connectionString): connectionString
        }
    }

    package func open(
        migrations: [Migration],
        patience: Duration = .seconds(10)
    ) throws(StoreFailure) -> any Database {
        switch place {
        case .file(let path, _):
            try SQLiteDatabase(path: path, migrations: migrations, busyTimeout: patience)
        case .server(let connectionString):
            try PostgresDatabase(connectionString, migrations: migrations, patience: patience)
        }
    }
}

/// The one server of this test process, started when first needed.
package enum SharedServer {
    private static let server = Result { try PostgresServer() }

    package static func get() throws -> PostgresServer { try server.get() }
}
