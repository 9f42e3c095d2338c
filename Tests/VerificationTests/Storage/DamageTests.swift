import Foundation
import Storage
import StoreProgram
import TestSupport
import Testing
import Verification

extension Statement {
    fileprivate static let fill = Statement(
        """
        WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number LIMIT 400)
        INSERT INTO named (name, content) SELECT 'row ' || n, 'content ' || n FROM number
        """
    )
    fileprivate static let all = Statement("SELECT name, content FROM named ORDER BY name")
}

private let migrations = [
    Migration { dialect in
        """
        CREATE TABLE named (
            id \(dialect.integer) PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            content TEXT NOT NULL
        ) \(dialect.tableOptions);
        """
    }
]

@Sendable
private func all(on connection: any SQLConnection) throws(StoreFailure) -> [Row] {
    try connection.rows(.all, [])
}

@Suite struct `A damaged SQLite file` {
    private let folder: TemporaryFolder
    private let intact: Data
    private let rows: [Row]

    init() async throws {
        let store = try TemporaryStore(migrations: migrations)
        let database = try store.open(migrations: migrations)
        _ = try await database.write { connection throws(StoreFailure) in
            try connection.run(.fill, [])
        }
        rows = try await database.read(all)
        await database.close()
        intact = try #require(FileManager.default.contents(atPath: store.path))
        folder = store.folder
    }

    /// The rows of a store with these bytes, or the failure to read them.
    private func contents(of bytes: Data) async throws -> Result<[Row], StoreFailure> {
        let path = folder.path + "/store.db"
        try bytes.write(to: URL(filePath: path))
        defer { for suffix in ["-wal", "-shm"] { unlink(path + suffix) } }
        do throws(StoreFailure) {
            let database = try SQLiteDatabase(path: path, migrations: migrations)
            do throws(StoreFailure) {
                let rows = try await database.read(all)
                await database.close()
                return .success(rows)
            } catch {
                await database.close()
                return .failure(error)
            }
        } catch {
            return .failure(error)
        }
    }

    @Test func `is refused if it is cut at any length`() async throws {
        var lengths = Array(stride(from: 0, to: intact.count, by: 509))
        lengths += [1, 15, 16, 99, 100, 101, 4095, 4096, 4097, 8192, intact.count - 1]
        for length in lengths {
            let result = try await contents(of: intact.prefix(length))
            #expect([.failure(.foreign), .failure(.damaged)].contains(result), "\(length) bytes")
        }
        #expect(try await contents(of: intact) == .success(rows))
    }

    /// SQLite's format stores only indexed values twice.
    ///
    /// So a changed content of the same length is not detected.
    @Test func `is refused after a changed byte, or differs only in contents`() async throws {
        var refused = 0
        let names = try rows.map { try $0.values[0].text }
        for offset in stride(from: 0, to: intact.count, by: 37) {
            var bytes = intact
            bytes[offset] ^= 0x11
            switch try await contents(of: bytes) {
            case .failure(let failure):
                #expect([.foreign, .damaged, .newer(version: 16), .misuse].contains(failure))
                refused += 1
            case .success(let found):
                #expect(try found.map { try $0.values[0].text } == names, "offset \(offset)")
            }
        }
        #expect(refused > 0)
    }

    @Test func `is refused if pages are lost or swapped`() async throws {
        let page = 4096
        for index in 0..<intact.count / page {
            var bytes = intact
            bytes.replaceSubrange(index * page..<(index + 1) * page, with: Data(count: page))
            let result = try await contents(of: bytes)
            #expect([.failure(.foreign), .failure(.damaged)].contains(result), "page \(index)")
        }
        var bytes = intact
        let second = bytes[page..<2 * page]
        bytes.replaceSubrange(page..<2 * page, with: intact[2 * page..<3 * page])
        bytes.replaceSubrange(2 * page..<3 * page, with: second)
        #expect(try await contents(of: bytes) == .failure(.damaged))
    }
}
