import Foundation
import Glibc
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
        let (reserved, port) = try boundSocket()
        close(reserved)
        self.port = port
        server = try PostgresServer(syncs: false, tcpPort: port)
        _ = try server.query("ALTER USER bank PASSWORD '4711'", port: port)
        _ = try server.query("CREATE DATABASE verifier", port: port)
        database = "host=127.0.0.1 port=\(port) user=bank dbname=verifier"
    }

    private func address(withPassword password: String) throws -> String {
        let file = try folder.write("127.0.0.1:\(port):verifier:bank:\(password)\n", to: password)
        chmod(file, 0o600)
        return database + " passfile=\(file)"
    }

    @Test func `takes works from who has the password in a file`() async throws {
        let address = try address(withPassword: "4711")
        try PostgresDatabase.create(address, migrations: tallyMigrations)
        let opened = try PostgresDatabase(address, migrations: tallyMigrations)
        let told = try await Writers.count(to: 5, in: opened)
        #expect(told == Array(repeating: Array(1...5), count: 16))
        await opened.close()
    }

    @Test func `takes nothing from who has another`() throws {
        let address = try address(withPassword: "4712")
        #expect(throws: StoreFailure.unavailable) {
            try PostgresDatabase.create(address, migrations: tallyMigrations)
        }
    }
}

/// A socket at a port of this machine that nobody else has.
func boundSocket() throws -> (socket: Int32, port: UInt16) {
    let bound = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let found = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(bound, $0, size) == 0 && getsockname(bound, $0, &size) == 0
        }
    }
    guard found else { throw POSIXError(.EADDRNOTAVAIL) }
    return (bound, UInt16(bigEndian: address.sin_port))
}
