import Foundation
import Storage
import StoreProgram
import TestSupport
import Testing
import Verification
import VerifierWorld

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
}
