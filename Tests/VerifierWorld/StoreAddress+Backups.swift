import Cryptography
import Foundation
import Storage
import TestSupport
import Verification

extension StoreAddress {
    /// Backs up the store, which can be in use.
    package func backUp(to path: String) async throws {
        switch self {
        case .file(let file):
            let store = try SQLiteDatabase(path: file, migrations: Schema.migrations)
            try await store.backup(for: path).finish()
            await store.close()
        case .server(let database):
            try PostgresServer.dump(of: database)
                .write(toFile: path, atomically: true, encoding: .utf8)
        }
    }

    /// Replaces the store by a backup; a SQLite store must be closed.
    package func putBack(_ backup: String) throws {
        switch self {
        case .file(let file):
            for suffix in ["", "-wal", "-shm"] { unlink(file + suffix) }
            try FileManager.default.copyItem(atPath: backup, toPath: file)
        case .server(let database):
            _ = try PostgresServer.psql(
                ["--command=DROP SCHEMA public CASCADE; CREATE SCHEMA public"],
                in: database
            )
            _ = try PostgresServer.psql(["--file=\(backup)"], in: database)
        }
    }

    /// A copy of this closed store, in a folder or on the tests' server.
    func copied(to folder: TemporaryFolder) throws -> StoreAddress {
        switch self {
        case .file(let file):
            let copy = folder.path + "/store"
            try FileManager.default.copyItem(atPath: file, toPath: copy)
            return .file(copy)
        case .server(let database):
            return .server(try PostgresServer.shared().makeDatabase(copying: database))
        }
    }

    /// The statements that recreate the closed store.
    func dump() throws -> String {
        switch self {
        case .file:
            // `.dump` does not write these two.
            try ["application_id", "user_version"].map { name in
                "PRAGMA \(name) = "
                    + (try output(of: "PRAGMA \(name)")).replacing("\n", with: ";\n")
            }.joined() + output(of: ".dump")
        case .server(let database): try PostgresServer.dump(of: database)
        }
    }

    /// Runs the statements of a file in an empty store.
    func filled(by statements: String) throws -> StoreAddress {
        switch self {
        case .file(let file):
            let output = try output(of: ".read '\(statements)'")
            guard output.isEmpty, chmod(file, S_IRUSR | S_IWUSR) == 0 else {
                throw Bank.Unexpected()
            }
        case .server: try putBack(statements)
        }
        return self
    }

    /// The output of the engine's own program.
    package func output(of statements: String) throws -> String {
        switch self {
        case .file(let file):
            let process = try FinishedProcess.run("sqlite3", [file, statements])
            return process.output + process.errorOutput
        case .server(let database):
            return try PostgresServer.psql(["--command=\(statements)"], in: database)
        }
    }

    /// Whether the store contains these bytes, raw or in hexadecimal.
    package func contains(_ bytes: some Sequence<UInt8>) throws -> Bool {
        let bytes = Array(bytes)
        let digits = TextEncoding.hexadecimal.encode(bytes.span)
        let image = try image()
        return [bytes, Array(digits.utf8)].contains { image.range(of: Data($0)) != nil }
    }

    /// All stored data: the files, or the statements that recreate it.
    private func image() throws -> Data {
        switch self {
        case .file(let file):
            try ["", "-wal"].map { file + $0 }
                .filter { FileManager.default.fileExists(atPath: $0) }
                .reduce(into: Data()) { $0 += try Data(contentsOf: URL(filePath: $1)) }
        case .server(let database): Data(try PostgresServer.dump(of: database).utf8)
        }
    }
}
