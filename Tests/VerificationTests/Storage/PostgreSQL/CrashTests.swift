import Storage
import StoreProgram
import TestSupport
import Testing
import Verification

@Suite(.needsPostgres, .serialized) struct `A crash of the PostgreSQL server` {
    /// A server that no other test uses.
    private static let server = Result { try PostgresServer() }

    private let server: PostgresServer
    private let database: String

    init() throws {
        server = try Self.server.get()
        database = try server.makeDatabase()
        try PostgresDatabase.create(database, migrations: tallyMigrations)
    }

    /// Counts with 16 callers, and runs `crash` again and again after a number of results.
    private func count(to times: Int, crash: @escaping @Sendable () throws -> Void) async throws {
        let opened = try PostgresDatabase(
            database,
            migrations: tallyMigrations,
            timeout: .seconds(120)
        )
        let reports = AsyncStream<Void>.makeStream()
        async let counts = Writers.count(to: times, in: opened) { reports.continuation.yield() }
        var reportCount = 0
        for await _ in reports.stream {
            reportCount += 1
            if reportCount % 400 == 200 { try crash() }
            if reportCount == 16 * times { break }
        }
        #expect(try await counts == Array(repeating: Array(1...Int64(times)), count: 16))
        let kept = try await opened.read(Tally.counts)
        #expect(kept.values.allSatisfy { $0 == times } && kept.count == 16)
        await opened.close()
    }

    @Test func `in one session loses and repeats nothing`() async throws {
        let name = database.split(separator: "=").last.map(String.init) ?? ""
        let server = server
        try await count(to: 100) { try server.killSession(of: name) }
    }

    @Test func `and a restart lose and repeat nothing`() async throws {
        let server = server
        try await count(to: 100) {
            try server.kill()
            try server.start()
        }
    }

    @Test func `two killed programs lose no reported result`() async throws {
        let programs = [
            try RunningProgram("count", database, "100000"),
            try RunningProgram("count", database, "100000"),
        ]
        var reported: [Int64: Int64] = [:]
        var number = 0
        for program in programs {
            let output = try program.output(atLeast: 3_000)
            let counts = (output + (try program.kill())).lines.compactMap { line in
                line.split(separator: " ").compactMap { Int64($0) }
            }
            for words in counts where words.count == 2 {
                reported[words[0]] = max(reported[words[0]] ?? 0, words[1])
                number += 1
            }
        }
        let opened = try PostgresDatabase(database, migrations: tallyMigrations)
        let kept = try await opened.read(Tally.counts)
        for (caller, count) in reported { #expect(kept[caller] ?? 0 >= count) }
        // At most one increment of each caller is committed but not reported.
        let sum = Int(kept.values.reduce(0, +))
        #expect((number...number + 32).contains(sum))
        await opened.close()
    }
}
