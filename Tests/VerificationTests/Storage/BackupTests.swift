import Foundation
import PrivateFiles
import Storage
import StoreProgram
import TestSupport
import Testing
import Verification

extension Statement {
    fileprivate static let erase = Statement("DELETE FROM block")
    fileprivate static let insert = Statement("INSERT INTO block (bytes) VALUES ($1)")
}

@Suite struct `Backups of a SQLite store` {
    private let nothing: Job<Void> = { _ in }
    private let store: TemporaryStore
    private let database: SQLiteDatabase
    private let copy: String

    init() throws {
        store = try TemporaryStore()
        database = try store.open()
        copy = store.folder.path + "/copy.db"
    }

    private func backUp(to path: String) async throws(StoreFailure) {
        try await database.copy(for: path, marking: nothing).finish()
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: store.folder.path).sorted()
    }

    private func increment(_ caller: Int64) async throws(StoreFailure) -> Int64 {
        try await database.write { connection throws(StoreFailure) in
            try Tally.increment(caller, on: connection)
        }
    }

    @Test func `have one consistent state, and do not block writers`() async throws {
        for _ in 0..<200 {
            try await database.write { connection throws(StoreFailure) in
                try Tally.enlarge(by: 100_000, on: connection)
            }
        }
        let before = try await increment(1)
        async let backup: Void = backUp(to: copy)
        let during = try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<20 { _ = try await increment(1) }
                }
            }
            try await group.waitForAll()
            return try await increment(1)
        }
        try await backup
        #expect(try sqlite3(copy, "PRAGMA integrity_check") == "ok")
        let attributes = try FileManager.default.attributesOfItem(atPath: copy)
        #expect(attributes[.posixPermissions] as? Int == 0o600)

        let restored = try SQLiteDatabase(path: copy, migrations: tallyMigrations)
        let count = try await restored.read(Tally.counts)[1]
        #expect((before...during).contains(try #require(count)))
        #expect(try await restored.read(Tally.blockCount) == 200)
        await restored.close()
    }

    @Test func `do not contain deleted data`() async throws {
        let secret = (0..<64).map { _ in UInt8.random(in: 0...255) }
        _ = try await database.write { connection throws(StoreFailure) in
            try connection.run(.insert, [.bytes(secret)])
        }
        try await backUp(to: copy)
        _ = try await database.write { connection throws(StoreFailure) in
            try connection.run(.erase, [])
        }
        try await backUp(to: copy + "2")
        let later = try #require(FileManager.default.contents(atPath: copy + "2"))
        let earlier = try #require(FileManager.default.contents(atPath: copy))
        #expect(earlier.range(of: Data(secret)) != nil)
        #expect(later.range(of: Data(secret)) == nil)
        await database.close()
        let file = try #require(FileManager.default.contents(atPath: store.path))
        #expect(file.range(of: Data(secret)) == nil)
    }

    @Test(arguments: ["store.db", "there"])
    func `never overwrite a file`(_ name: String) async throws {
        _ = try store.folder.write("something", to: "there")
        let path = store.folder.path + "/" + name
        await #expect(throws: StoreFailure.exists) {
            try await backUp(to: path)
        }
        #expect(try await increment(1) == 1)
    }

    @Test func `are refused in a missing folder, or one that other users can write to`()
        async throws
    {
        let other = try TemporaryFolder()
        chmod(other.path, 0o777)
        await #expect(throws: StoreFailure.unsafeFile(.folderOpenToOthers)) {
            try await backUp(to: other.path + "/copy.db")
        }
        await #expect(throws: StoreFailure.missing) {
            try await backUp(to: other.path + "/none/copy.db")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: other.path) == [])
    }

    @Test func `leave no file under their name if they are killed, and remove it the next time`()
        async throws
    {
        for _ in 0..<300 {
            try await database.write { connection throws(StoreFailure) in
                try Tally.enlarge(by: 100_000, on: connection)
            }
        }
        await database.close()
        let program = try RunningProgram("backup", store.path)
        try await waitUntil {
            try !program.isRunning || names().contains { $0.hasSuffix(".incomplete") }
        }
        #expect(try program.kill().isEmpty)
        #expect(try !names().contains("store.db.copy"))
        #expect(try names().contains { $0.hasPrefix(".backup.") })
        let again = try SQLiteDatabase(path: store.path, migrations: tallyMigrations)
        try await again.copy(for: copy, marking: nothing).finish()
        await again.close()
        #expect(try names() == ["copy.db", "store.db"])
    }

    @Test func `have no name before they are finished, and are removed without it`() async throws {
        do {
            let unnamed = try await database.copy(for: copy, marking: nothing)
            #expect(try sqlite3(unnamed.path, "PRAGMA integrity_check") == "ok")
            #expect(try !names().contains("copy.db"))
            _ = try store.folder.write("other", to: "copy.db")
            #expect(throws: StoreFailure.exists) { try unnamed.finish() }
        }
        #expect(try names().filter { !$0.hasPrefix("store.db") } == ["copy.db"])
    }

    @Test func `remove only the leftovers of backups`() async throws {
        let prefix = ".backup."
        let foreign = [
            "monday.db", "monday.db.1a2b.incomplete", prefix + "incomplete",
            prefix + "1A2B.incomplete", prefix + "my-copy.incomplete", prefix + "1a2b",
            prefix + "1a2b.incomplete.txt", prefix + "01a2b.incomplete",
            prefix + "zzzzzzzzzzzzzz.incomplete",
        ]
        for name in foreign { chmod(try store.folder.write("mine", to: name), 0o600) }
        // They have the right name, but are not private files of their owner.
        symlink("monday.db", store.folder.path + "/\(prefix)2.incomplete")
        mkdir(store.folder.path + "/\(prefix)3.incomplete", 0o700)
        chmod(try store.folder.write("mine", to: prefix + "4.incomplete"), 0o644)
        let kept = (foreign + [2, 3, 4].map { "\(prefix)\($0).incomplete" } + ["copy.db"]).sorted()
        for suffix in ["", "-journal", "-wal", "-shm"] {
            let name = "\(prefix)1a2b.incomplete\(suffix)"
            chmod(try store.folder.write("left", to: name), 0o600)
        }
        try await backUp(to: copy)
        #expect(try names().filter { !$0.hasPrefix("store.db") } == kept)
    }

    @Test func `do not remove a copy that another backup is making`() async throws {
        let first = try await database.copy(for: copy, marking: nothing)
        try await backUp(to: copy + "2")
        try first.finish()
        #expect(try sqlite3(copy, "PRAGMA integrity_check") == "ok")
    }
}
