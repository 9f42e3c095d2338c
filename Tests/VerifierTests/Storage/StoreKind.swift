import TestSupport
import Testing
import Verifier

/// The stores that one suite of tests runs on.
enum StoreKind: CaseIterable, CustomTestStringConvertible {
    case sqlite, postgreSQL

    /// Those that can be had on this machine.
    static let installed = allCases.filter { $0 != .postgreSQL || PostgresServer.isInstalled }

    var testDescription: String {
        switch self {
        case .sqlite: "SQLite"
        case .postgreSQL: "PostgreSQL"
        }
    }
}

/// An empty store of its own for one test, which may be opened more than once.
struct TestStore: Sendable {
    private let place: Place

    private enum Place {
        case file(String, TemporaryFolder)
        case server(String)
    }

    init(_ kind: StoreKind, migrations: [Migration]) throws {
        switch kind {
        case .sqlite:
            let folder = try TemporaryFolder()
            let path = folder.path + "/store.db"
            try SQLiteDatabase.create(path: path, migrations: migrations)
            place = .file(path, folder)
        case .postgreSQL:
            let database = try PostgresServer.shared().makeDatabase()
            try PostgresDatabase.create(database, migrations: migrations)
            place = .server(database)
        }
    }

    /// Where its files lie, where it is in files that a test may read.
    var folder: String? {
        switch place {
        case .file(_, let folder): folder.path
        case .server: nil
        }
    }

    /// What the store program takes.
    var address: String {
        switch place {
        case .file(let path, _): path
        case .server(let connectionString): connectionString
        }
    }

    func open(
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

extension Trait where Self == ConditionTrait {
    /// Says that a test was not run where it cannot be.
    static var needsPostgres: Self {
        .enabled(
            if: PostgresServer.isInstalled,
            "Not run: /usr/lib/postgresql/15/bin holds no server (Debian's postgresql package)."
        )
    }
}
