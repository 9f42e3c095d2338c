import Foundation
import StoreProgram
import TestSupport
import Testing
import VerifierWorld

@testable import Sealing
@testable import Storage
@testable import Verification

/// A store in a temporary folder.
struct TemporaryStore: Sendable {
    let folder: TemporaryFolder
    let path: String

    init(migrations: [Migration] = tallyMigrations) throws {
        folder = try TemporaryFolder()
        path = folder.path + "/store.db"
        try SQLiteDatabase.create(path: path, migrations: migrations)
    }

    func open(
        migrations: [Migration] = tallyMigrations,
        busyTimeout: Duration = .seconds(5)
    ) throws(StoreFailure) -> SQLiteDatabase {
        try SQLiteDatabase(path: path, migrations: migrations, busyTimeout: busyTimeout)
    }

    func byteCount(of name: String) -> Int {
        var status = stat()
        return lstat(folder.path + "/" + name, &status) == 0 ? Int(status.st_size) : 0
    }

    /// The contents of all files in the folder, by name.
    func contents() throws -> [String: Data] {
        try Dictionary(
            uniqueKeysWithValues: FileManager.default.contentsOfDirectory(atPath: folder.path)
                .map { ($0, try Data(contentsOf: URL(filePath: folder.path + "/" + $0))) }
        )
    }
}

/// Returns the failure to open a store; nil if it opens.
func failure(opening path: String, migrations: [Migration] = tallyMigrations) async -> StoreFailure?
{
    do throws(StoreFailure) {
        await (try SQLiteDatabase(path: path, migrations: migrations)).close()
        return nil
    } catch {
        return error
    }
}

/// Returns the output of the sqlite3 program for a command.
func sqlite3(_ path: String, _ command: String) throws -> String {
    let process = try FinishedProcess.run("sqlite3", [path, command])
    return (process.output + process.errorOutput).trimmingCharacters(in: .newlines)
}

extension Premises {
    /// Changes the closed store as an attacker does.
    func tamper(_ statements: String) throws {
        #expect(try store.output(of: statements) == "")
    }

    /// Changes the closed store as an attacker with the encryption keys does.
    func tamperWithKeys(_ statements: String) async throws {
        try tamper(statements)
        let (store, ring) = (try openStore(), KeyRing(keys))
        try await store.write { connection throws(StoreFailure) in
            let ledger = Ledger(connection, ring)
            let names = try ledger.storeNames()
            guard let authenticator = try ledger.authenticator(ring.versionInUse, of: names) else {
                throw .misuse
            }
            for table in TaggedTable.all + [.verifier] {
                var last: [SQLValue]?
                while let page = try ledger.page(
                    table.select,
                    of: table.table,
                    after: last,
                    limit: 100
                ) {
                    last = page.last
                    for row in page.rows {
                        let key = try row[table.table.key]
                        for (part, update) in table.parts {
                            let new = KnownRow(version: 1, digests: try row.digests(of: part))
                            let tag = try authenticator.tag(of: RowName(part, key), new)
                            _ = try connection.run(update, [.bytes(tag.stored)] + key)
                        }
                    }
                }
            }
        }
        await store.close()
    }

    /// Keeps the rows of a table, to put them back later.
    func keepRows(of table: Table) throws {
        try tamper("CREATE TABLE kept AS SELECT * FROM \(table.name)")
    }

    /// Puts back the kept rows with their tags.
    func putBackRows(of table: Table) throws {
        let columns = table.values.map { "\($0.name)" }.joined(separator: ", ")
        let isSame = table.key.map { "kept.\($0.name) = \(table.name).\($0.name)" }
            .joined(separator: " AND ")
        try tamper(
            """
            UPDATE \(table.name) SET (\(columns)) = (SELECT \(columns) FROM kept WHERE \(isSame))
            WHERE EXISTS (SELECT 1 FROM kept WHERE \(isSame));
            DROP TABLE kept
            """
        )
    }
}
