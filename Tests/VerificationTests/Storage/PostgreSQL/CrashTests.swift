import Storage
import StoreProgram
import TestSupport
import Testing
import Verification

@Suite(.needsPostgres, .serialized) struct `A server that crashes` {
    /// One that no other test uses.
    private static let server = Result { try PostgresServer() }

    private let server: PostgresServer
    private let database: String

    init() throws {
        server = try Self.server.get()
        database = try server.makeDatabase()
        try PostgresDatabase.create(database, migrations: tallyMigrations)
    }

    /// Counts while `crash` is done again and again after a number of tellings.
    private func count(to times: Int, crash: @escaping @Sendable () throws -> Void) async throws {
        let opened = try PostgresDatabase(
            database,
            migrations: tallyMigrations,
            timeout: .seconds(20)
        )
        let tellings = AsyncStream<Void>.makeStream()
        async let told = Writers.count(to: times, in: opened) { tellings.continuation.yield() }
        var heard = 0
        for await _ in tellings.stream {
            heard += 1
            if heard % 400 == 200 { try crash() }
            if heard == 16 * times { break }
        }
        #expect(try await told == Array(repeating: Array(1...Int64(times)), count: 16))
        let kept = try await opened.read(Tally.counts)
        #expect(kept.values.allSatisfy { $0 == times } && kept.count == 16)
        await opened.close()
    }

    @Test func `in one of its sessions loses and doubles nothing`() async throws {
        let name = database.split(separator: "=").last.map(String.init) ?? ""
        let server = server
        try await count(to: 100) { try server.killSession(of: name) }
    }

    @Test func `as a whole and is started again loses and doubles nothing`() async throws {
        let server = server
        try await count(to: 100) {
            try server.kill()
            try server.start()
        }
    }

    @Test func `under two killed programs has kept all that they told`() async throws {
        let programs = [
            try RunningProgram("count", database, "100000"),
            try RunningProgram("count", database, "100000"),
        ]
        var told: [Int64: Int64] = [:]
        var number = 0
        for program in programs {
            let said = try program.output(atLeast: 3_000)
            let counts = (said + (try program.kill())).lines.compactMap { line in
                line.split(separator: " ").compactMap { Int64($0) }
            }
            for words in counts where words.count == 2 {
                told[words[0]] = max(told[words[0]] ?? 0, words[1])
                number += 1
            }
        }
        let opened = try PostgresDatabase(database, migrations: tallyMigrations)
        let kept = try await opened.read(Tally.counts)
        for (caller, count) in told { #expect(kept[caller] ?? 0 >= count) }
        // Of each caller at most the last one is there untold.
        let sum = Int(kept.values.reduce(0, +))
        #expect((number...number + 32).contains(sum))
        await opened.close()
    }
}
