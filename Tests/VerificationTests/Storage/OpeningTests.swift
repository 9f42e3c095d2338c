import Foundation
import PrivateFiles
import StoreProgram
import TestSupport
import Testing
import Verification

@testable import Storage

/// A fault of a file, and the failure to open it.
private struct Fault: CustomTestStringConvertible {
    let testDescription: String
    let failure: StoreFailure
    let make: @Sendable (_ path: String) throws -> Void

    init(
        _ description: String,
        _ failure: StoreFailure,
        _ make: @escaping @Sendable (_ path: String) throws -> Void
    ) {
        testDescription = description
        self.failure = failure
        self.make = make
    }
}

private func move(_ path: String) throws -> String {
    try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
    return path + ".moved"
}

private let faults = [
    Fault("no file", .missing) { _ = try move($0) },
    Fault("a symbolic link", .unsafeFile(.symbolicLink)) {
        symlink(try move($0), $0)
    },
    Fault("a trigger", .foreign) {
        _ = try sqlite3($0, "CREATE TRIGGER t AFTER INSERT ON tally BEGIN DELETE FROM tally; END")
    },
    Fault("a view", .foreign) { _ = try sqlite3($0, "CREATE VIEW v AS SELECT 1") },
    Fault("an additional table", .foreign) { _ = try sqlite3($0, "CREATE TABLE extra (id)") },
    Fault("a missing table", .foreign) { _ = try sqlite3($0, "DROP TABLE block") },
    Fault("a hard link", .unsafeFile(.hardLinked)) { link($0, $0 + ".link") },
    Fault("a folder", .unsafeFile(.notRegular)) {
        _ = try move($0)
        mkdir($0, 0o700)
    },
    Fault("a FIFO", .unsafeFile(.notRegular)) {
        _ = try move($0)
        mkfifo($0, 0o600)
    },
    Fault("read by the group", .unsafeFile(.openToOthers)) { chmod($0, 0o640) },
    Fault("written by all", .unsafeFile(.openToOthers)) { chmod($0, 0o602) },
    Fault("read-only", .readOnly) { chmod($0, 0o400) },
    Fault("a folder that the group can write to", .unsafeFile(.folderOpenToOthers)) {
        chmod(URL(filePath: $0).deletingLastPathComponent().path, 0o770)
    },
    Fault("a log that is a link", .unsafeFile(.symbolicLink)) {
        symlink("/dev/null", $0 + "-wal")
    },
    Fault("a log that all users can read", .unsafeFile(.openToOthers)) {
        try Data().write(to: URL(filePath: $0 + "-wal"))
        chmod($0 + "-wal", 0o644)
    },
    Fault("a log next to a copy", .strayLog) {
        _ = try sqlite3($0, "PRAGMA journal_mode = DELETE")
        try Data("the commits of another file".utf8).write(to: URL(filePath: $0 + "-wal"))
        chmod($0 + "-wal", 0o600)
    },
    Fault("not a database", .foreign) {
        try Data(repeating: 0x41, count: 10_000).write(to: URL(filePath: $0))
    },
    Fault("an empty file", .foreign) { truncate($0, 0) },
    Fault("another program's database", .foreign) {
        _ = try sqlite3($0, "PRAGMA application_id = 7")
    },
    Fault("a newer version", .newer(version: 2)) {
        _ = try sqlite3($0, "PRAGMA user_version = 2")
    },
]

private let isRoot = geteuid() == 0

@Suite struct `A SQLite file that was replaced by another file` {
    @Test func `is no longer read or written`() async throws {
        let store = try TemporaryStore()
        let database = try store.open()
        let increment: Job<Void> = { connection throws(StoreFailure) in
            _ = try Tally.increment(1, on: connection)
        }
        try await database.write(increment)
        let aside = store.path + ".aside"
        #expect(rename(store.path, aside) == 0)
        try FileManager.default.copyItem(atPath: aside, toPath: store.path)
        await #expect(throws: StoreFailure.rolledBack) { try await database.write(increment) }
        await #expect(throws: StoreFailure.rolledBack) { try await database.read(Tally.counts) }
        #expect(rename(aside, store.path) == 0)
        try await database.write(increment)
        #expect(try await database.read(Tally.counts) == [1: 2])
        await database.close()
    }
}

@Suite struct `Opening a SQLite store` {
    @Test(arguments: faults)
    fileprivate func `fails without changing any file`(_ fault: Fault) async throws {
        let store = try TemporaryStore()
        try fault.make(store.path)
        let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.path).sorted()
        let before = fileBytes(of: names, in: store)
        #expect(await failure(opening: store.path) == fault.failure)
        let after = try FileManager.default.contentsOfDirectory(atPath: store.folder.path).sorted()
        #expect(after == names)
        #expect(fileBytes(of: names, in: store) == before)
    }

    /// The kernel reports EIO for page 0, where no process has memory.
    @Test func `reports a disk that cannot be read, and not a foreign file`() {
        let failure = #expect(throws: StoreFailure.unavailable) {
            _ = try FileHeader(ofFileAt: "/proc/\(getpid())/mem")
        }
        // SQLITE_IOERR_READ or SQLITE_IOERR_CORRUPTFS
        #expect([.sqlite(266), .sqlite(8458)].contains(failure?.cause))
    }

    private func fileBytes(of names: [String], in store: TemporaryStore) -> [Data?] {
        names.map { name in
            let path = store.folder.path + "/" + name
            var status = stat()
            // Reading a FIFO would wait for a writer.
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            return FileManager.default.contents(atPath: path)
        }
    }

    @Test(.enabled("only root can give a file to another user") { isRoot })
    func `fails for a file of another user`() async throws {
        let store = try TemporaryStore()
        #expect(chown(store.path, 65_534, 65_534) == 0)
        #expect(await failure(opening: store.path) == .unsafeFile(.foreignOwner))
    }

    @Test(.enabled("root may write to any folder") { !isRoot })
    func `fails in a folder that is not writable`() async throws {
        let store = try TemporaryStore()
        chmod(store.folder.path, 0o500)
        #expect(await failure(opening: store.path) == .readOnly)
        chmod(store.folder.path, 0o700)
    }

    @Test(arguments: ["", "/", "no such folder/store.db"])
    func `fails for a path without a file`(_ path: String) async {
        #expect(await failure(opening: path) == .missing)
    }

    @Test func `works with a symbolic link to the folder`() async throws {
        let store = try TemporaryStore()
        let link = try TemporaryFolder()
        symlink(store.folder.path, link.path + "/link")
        #expect(await failure(opening: link.path + "/link/./store.db") == nil)
    }

    @Test func `refuses a negative version, which only the log has`() async throws {
        let store = try TemporaryStore()
        let database = try store.open()
        #expect(try sqlite3(store.path, "PRAGMA user_version = -5") == "")
        #expect(await failure(opening: store.path) == .damaged)
        await database.close()
    }

    @Test func `keeps the log of a newer store that was not closed`() async throws {
        let store = try TemporaryStore()
        let database = try store.open()
        #expect(try sqlite3(store.path, "PRAGMA user_version = 7") == "")
        let copy = try TemporaryFolder()
        for (name, bytes) in try store.contents() where !name.hasSuffix("-shm") {
            try bytes.write(to: URL(filePath: copy.path + "/" + name))
            chmod(copy.path + "/" + name, 0o600)
        }
        await database.close()
        let log = FileManager.default.contents(atPath: copy.path + "/store.db-wal")
        #expect(try #require(log).count > 0)
        #expect(await failure(opening: copy.path + "/store.db") == .newer(version: 7))
        #expect(FileManager.default.contents(atPath: copy.path + "/store.db-wal") == log)
    }

    // An exit test, because every thread of a process has the same umask.
    @Test func `creates private files with any umask`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let path = folder.path + "/store.db"
            umask(0)
            try SQLiteDatabase.create(path: path, migrations: tallyMigrations)
            let database = try SQLiteDatabase(path: path, migrations: tallyMigrations)
            _ = try await database.write { connection throws(StoreFailure) in
                try Tally.increment(1, on: connection)
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names.sorted() == ["store.db", "store.db-shm", "store.db-wal"])
            for name in names {
                let attributes = try FileManager.default.attributesOfItem(
                    atPath: folder.path + "/" + name
                )
                #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
            }
            await database.close()
        }
    }

    @Test func `never creates a file, and a store can be created only once`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/store.db"
        #expect(await failure(opening: path) == .missing)
        try SQLiteDatabase.create(path: path, migrations: tallyMigrations)
        #expect(throws: StoreFailure.exists) {
            try SQLiteDatabase.create(path: path, migrations: tallyMigrations)
        }
    }

    @Test(arguments: ["-wal", "-shm", "-journal"])
    func `creating a store fails next to files of another store`(_ suffix: String) throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("", to: "store.db" + suffix)
        #expect(throws: StoreFailure.exists) {
            try SQLiteDatabase.create(path: folder.path + "/store.db", migrations: tallyMigrations)
        }
    }

    @Test func `never migrates a store of another program`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/store.db"
        let other = [Migration { _ in "CREATE TABLE cards (reference TEXT PRIMARY KEY);" }]
        try SQLiteDatabase.create(path: path, migrations: other)
        let content = FileManager.default.contents(atPath: path)
        #expect(await failure(opening: path) == .foreign)
        #expect(FileManager.default.contents(atPath: path) == content)
    }
}
