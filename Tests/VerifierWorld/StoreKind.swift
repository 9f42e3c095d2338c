import Foundation
package import TestSupport
package import Verifier

/// The stores that one suite of tests runs on.
package enum StoreKind: CaseIterable, Sendable {
    case sqlite, postgreSQL

    /// The one that a bank is on where nobody says which.
    @TaskLocal package static var current = StoreKind.sqlite

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

    /// All that is in it: its files, or what a server tells of it.
    func image() throws -> Data {
        switch place {
        case .file(_, let folder): try folder.contents()
        case .server(let database): Data(try PostgresServer.dump(of: database).utf8)
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

/// The one server of this test process, started when first needed; it is never cut from power.
package enum SharedServer {
    private static let server = Result { try PostgresServer(syncs: false) }

    package static func get() throws -> PostgresServer { try server.get() }
}

extension TemporaryFolder {
    /// All that lies in it, one file after the other.
    func contents() throws -> Data {
        try FileManager.default.contentsOfDirectory(atPath: path)
            .map { try Data(contentsOf: URL(filePath: path + "/" + $0)) }
            .reduce(Data(), +)
    }
}
