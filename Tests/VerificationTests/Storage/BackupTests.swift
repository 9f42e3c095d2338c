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
        async let backup: Void = database.backUp(to: copy, marking: nothing)
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
        try await database.backUp(to: copy, marking: nothing)
        _ = try await database.write { connection throws(StoreFailure) in
            try connection.run(.erase, [])
        }
        try await database.backUp(to: copy + "2", marking: nothing)
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
            try await database.backUp(to: path, marking: nothing)
        }
        #expect(try await increment(1) == 1)
    }

    @Test func `are refused in a missing folder, or one that other users can write to`()
        async throws
    {
        let other = try TemporaryFolder()
        chmod(other.path, 0o777)
        await #expect(throws: StoreFailure.unsafeFile(.folderOpenToOthers)) {
            try await database.backUp(to: other.path + "/copy.db", marking: nothing)
        }
        await #expect(throws: StoreFailure.missing) {
            try await database.backUp(to: other.path + "/none/copy.db", marking: nothing)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: other.path) == [])
    }

    @Test func `leave no file under their name if they are killed`() async throws {
        for _ in 0..<300 {
            try await database.write { connection throws(StoreFailure) in
                try Tally.enlarge(by: 100_000, on: connection)
            }
        }
        await database.close()
        let program = try RunningProgram("backup", store.path)
        func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
        }
        try await waitUntil {
            try !program.isRunning || names().contains { $0.hasSuffix(".incomplete") }
        }
        #expect(try program.kill().isEmpty)
        #expect(try !names().contains("store.db.copy"))
        #expect(await failure(opening: store.path) == nil)
    }
}
