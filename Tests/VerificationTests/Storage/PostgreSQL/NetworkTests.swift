import Foundation
import Glibc
import Storage
import StoreProgram
import TestSupport
import Testing
import Verification

@Suite(.needsPostgres) struct `A server over TCP` {
    private let folder: TemporaryFolder
    private let server: PostgresServer
    private let database: String
    private let port: UInt16

    init() throws {
        folder = try TemporaryFolder()
        port = UInt16(try freePort())
        server = try PostgresServer(syncs: false, tcpPort: port)
        _ = try server.query("ALTER USER bank PASSWORD '4711'")
        _ = try server.query("CREATE DATABASE verifier")
        database = "host=127.0.0.1 port=\(port) user=bank dbname=verifier"
    }

    private func address(withPassword password: String) throws -> String {
        let file = try folder.write("127.0.0.1:\(port):verifier:bank:\(password)\n", to: password)
        chmod(file, 0o600)
        return database + " passfile=\(file)"
    }

    @Test func `accepts jobs of a client with the password in a file`() async throws {
        let address = try address(withPassword: "4711")
        try PostgresDatabase.create(address, migrations: tallyMigrations)
        let opened = try PostgresDatabase(address, migrations: tallyMigrations)
        let counts = try await Writers.count(to: 5, in: opened)
        #expect(counts == Array(repeating: Array(1...5), count: 16))
        await opened.close()
    }

    @Test func `refuses a client with another password`() throws {
        let address = try address(withPassword: "4712")
        #expect(throws: StoreFailure.unavailable) {
            try PostgresDatabase.create(address, migrations: tallyMigrations)
        }
    }
}
