import TestSupport
package import Verification

/// The stores that one suite of tests runs on.
package enum StoreKind: CaseIterable, Sendable {
    case sqlite, postgreSQL

    /// The one that a bank is on where nobody says which.
    @TaskLocal package static var current = StoreKind.sqlite

    /// Those that can be had on this machine.
    package static let installed = allCases.filter { kind in
        kind != .postgreSQL || PostgresServer.isInstalled
    }

    /// An empty one of a verifier, in a folder or on a server.
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

    /// Tables take longer to be made than to be copied.
    private static let empty = Dictionary(
        uniqueKeysWithValues: installed.map { kind in
            (kind, Result { try TestStore(kind, migrations: Schema.migrations) })
        }
    )

    /// Where there is none yet: in a folder, or on a server.
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

/// An empty store of its own for one test, which may be opened more than once.
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
