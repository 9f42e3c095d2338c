package import Storage
import TestSupport
import Verification

/// The stores on which a suite runs.
package enum StoreKind: CaseIterable, Sendable {
    case sqlite, postgreSQL

    /// The default store of a bank.
    @TaskLocal package static var current = StoreKind.sqlite

    /// The stores that are installed on this system.
    package static let installed = allCases.filter { kind in
        kind != .postgreSQL || PostgresServer.isInstalled
    }

    /// A new, initialized store, in a folder or on a server.
    func newStore(
        in folder: TemporaryFolder,
        on server: PostgresServer? = nil
    ) throws -> StoreAddress {
        guard let server else {
            return try Self.empty[self].unwrapped().get().address.copied(to: folder)
        }
        let address = try newAddress(in: folder, on: server)
        try address.create(migrations: Schema.migrations)
        return address
    }

    /// Copying tables is faster than creating them.
    private static let empty = Dictionary(
        uniqueKeysWithValues: installed.map { kind in
            (kind, Result { try TestStore(kind, migrations: Schema.migrations) })
        }
    )

    /// The address of a store that does not exist yet.
    func newAddress(
        in folder: TemporaryFolder,
        on server: PostgresServer? = nil
    ) throws -> StoreAddress {
        switch self {
        case .sqlite: .file(folder.path + "/store")
        case .postgreSQL: .server(try (server ?? .shared()).makeDatabase())
        }
    }
}

/// An empty store for one test, which can be opened more than once.
package struct TestStore: Sendable {
    let address: StoreAddress
    private let temporaryFolder: TemporaryFolder

    package init(_ kind: StoreKind, migrations: [Migration]) throws {
        temporaryFolder = try TemporaryFolder()
        address = try kind.newAddress(in: temporaryFolder)
        try address.create(migrations: migrations)
    }

    package func open(
        migrations: [Migration],
        migrates: Bool = true,
        timeout: Duration = .seconds(10)
    ) throws(StoreFailure) -> any Database {
        try address.open(migrations: migrations, migrates: migrates, timeout: timeout)
    }
}
