import StoreProgram
import TestSupport
import Testing
import Verification
import VerifierWorld

@testable import Storage

extension Column {
    fileprivate static let id = Column("id")
    fileprivate static let owner = Column("owner")
    fileprivate static let value = Column("value")
}

extension Table {
    fileprivate static let pieces = Table("piece", key: [.id], [.owner, .value])
}

private let migrations = [
    Migration { dialect in
        """
        CREATE TABLE piece (
            id \(dialect.integer) PRIMARY KEY,
            owner \(dialect.integer) NOT NULL,
            value \(dialect.integer) NOT NULL
        ) \(dialect.tableOptions);
        INSERT INTO piece (id, owner, value) VALUES (0, 0, 0), (1, 1, 0), (2, 2, 0), (3, 0, 1);
        """
    }
]

/// A query as two statements with one text: the jobs foresee the first one only.
private struct Twins {
    let prefetched: Statement
    let other: Statement

    init(_ sql: SQL) { (prefetched, other) = (Statement(sql), Statement(sql)) }

    static let all: [Twins] = [
        Twins("SELECT \(Table.pieces.columns) FROM piece WHERE \(match: [.id])"),
        Twins("SELECT \(Table.pieces.columns) FROM piece WHERE \(match: [.owner]) ORDER BY id"),
        Twins("SELECT \(Table.pieces.columns) FROM piece WHERE \(match: [.id, .owner])"),
        Twins(
            """
            SELECT \(Table.pieces.columns) FROM piece WHERE \(match: [.owner]) AND value > $2
            ORDER BY id
            """
        ),
        Twins(
            """
            SELECT \(Table.pieces.columns) FROM piece WHERE \(match: [.owner]) OR value > $2
            ORDER BY id
            """
        ),
        Twins(
            """
            SELECT \(Table.pieces.columns) FROM piece
            WHERE \(match: [.owner]) AND value >= (SELECT MIN(value) FROM piece WHERE value > $2)
            ORDER BY id
            """
        ),
    ]
}

extension Statement {
    fileprivate static let insert = Statement("INSERT INTO piece \(insert: Table.pieces.columns)")
    fileprivate static let insertOrChange = Statement(
        """
        INSERT INTO piece \(insert: Table.pieces.columns)
        ON CONFLICT (id) DO UPDATE SET value = 3
        """
    )
    fileprivate static let copy = Statement(
        """
        INSERT INTO piece (id, owner, value)
            SELECT id + $2, owner, value FROM piece WHERE \(match: [.owner]) AND id < 100
        """
    )
    fileprivate static let set = Statement(
        "UPDATE piece SET \(set: [.value]) WHERE \(match: [.id])"
    )
    fileprivate static let setOfOwner = Statement(
        "UPDATE piece SET \(set: [.value]) WHERE \(match: [.owner])"
    )
    fileprivate static let move = Statement(
        "UPDATE piece SET \(set: [.owner]) WHERE \(match: [.id])"
    )
    fileprivate static let raise = Statement(
        "UPDATE piece SET value = value + 1 WHERE \(match: [.owner]) OR id = $2"
    )
    fileprivate static let delete = Statement("DELETE FROM piece WHERE \(match: [.id])")
    fileprivate static let deleteWithValue = Statement("DELETE FROM piece WHERE value = $1")
    fileprivate static let random = Statement(
        """
        SELECT \(.value, from: "CAST(random() * 1000000000 AS BIGINT)") FROM piece
        WHERE \(match: [.id])
        """
    )
}

/// A step of a job, with values that fit its statement.
private enum Step: Sendable {
    case query(Int, [SQLValue])
    case change(Statement, [SQLValue])

    static func random(_ number: Int64) -> Step {
        let (id, owner, value) = (
            SQLValue.integer(.random(in: 0..<6)), SQLValue.integer(.random(in: 0..<3)),
            SQLValue.integer(.random(in: 0..<3))
        )
        // Numbers that no other step uses.
        let (new, distance) = (
            SQLValue.integer(100 + number), SQLValue.integer(1000 * (1 + number))
        )
        switch Int.random(in: 0..<22) {
        case 0: return .change(.insert, [new, owner, value])
        case 1: return .change(.insertOrChange, [id, owner, value])
        case 2: return .change(.copy, [owner, distance])
        case 3: return .change(.set, [value, id])
        case 4: return .change(.setOfOwner, [value, owner])
        case 5: return .change(.move, [owner, id])
        case 6: return .change(.raise, [owner, id])
        case 7: return .change(.delete, [id])
        case 8: return .change(.deleteWithValue, [value])
        case 9...12: return .query(0, [id])
        case 13...15: return .query(1, [owner])
        case 16: return .query(2, [id, owner])
        case 17...18: return .query(3, [owner, value])
        case 19: return .query(4, [owner, value])
        default: return .query(5, [owner, value])
        }
    }
}

/// On PostgreSQL, the queries of a group are made together at its begin.
@Suite struct `Prefetched queries` {
    private static let kinds = StoreKind.installed

    @Test(arguments: kinds)
    func `have the result of the moment, whatever the group has changed`(
        _ kind: StoreKind
    ) async throws {
        let store = try TestStore(kind, migrations: migrations)
        let database = try store.open(migrations: migrations)
        var number: Int64 = 0
        for _ in 0..<60 {
            var group = JobGroup<Int>()
            for _ in 0..<12 {
                let steps = (0..<6).map { _ in
                    number += 1
                    return Step.random(number)
                }
                let queries = steps.compactMap { step -> Query? in
                    guard case .query(let kind, let values) = step else { return nil }
                    return Query(Twins.all[kind].prefetched, values)
                }
                group.add(reading: queries, job(of: steps))
            }
            for outcome in try await group.outcomes(in: database) {
                #expect(outcome == .success(0))
            }
        }
        await database.close()
    }

    /// Returns the number of queries whose results differ from those of their twins.
    private func job(of steps: [Step]) -> Job<Int> {
        { connection throws(StoreFailure) in
            var differences = 0
            for step in steps {
                switch step {
                case .change(let statement, let values):
                    try connection.change(statement, values, rowCount: nil)
                case .query(let kind, let values):
                    let rows = try connection.rows(Twins.all[kind].prefetched, values)
                    let others = try connection.rows(Twins.all[kind].other, values)
                    if rows != others { differences += 1 }
                }
            }
            return differences
        }
    }

    /// The result of this query differs each time that it is made.
    private static let random = Query(.random, [.integer(1)])

    @Test(.needsPostgres)
    func `are sent once for all jobs of a group`() async throws {
        let store = try TestStore(.postgreSQL, migrations: migrations)
        let database = try #require(try store.open(migrations: migrations) as? PostgresDatabase)
        var group = JobGroup<SQLValue>()
        for number in 0..<16 as Range<Int64> {
            group.add(reading: [Self.random]) { connection throws(StoreFailure) in
                let first = try connection.rows(Self.random)[0].values[0]
                try connection.change(.set, [.integer(number), .integer(2)], rowCount: 1)
                let second = try connection.rows(Self.random)[0].values[0]
                guard first == second else { throw .misuse }
                return first
            }
        }
        let before = database.commits.groups
        let values = try await group.outcomes(in: database).map { try $0.get() }
        let groupCount = database.commits.groups - before
        #expect(groupCount < 16)
        #expect(Set(values).count <= groupCount)
        await database.close()
    }

    @Test(.needsPostgres)
    func `are sent again after a change`() async throws {
        let store = try TestStore(.postgreSQL, migrations: migrations)
        let database = try store.open(migrations: migrations)
        let values = try await database.write(reading: [Self.random]) {
            connection throws(StoreFailure) in
            let first = try connection.rows(Self.random)[0].values[0]
            try connection.change(.set, [.integer(0), .integer(1)], rowCount: 1)
            let second = try connection.rows(Self.random)[0].values[0]
            return [first, second]
        }
        #expect(Set(values).count == 2)
        await database.close()
    }

    private static let dividing = Query(
        Statement("SELECT \(.id, from: "1 / (value - value)") FROM piece"),
        []
    )

    /// It fails when it is executed, after its writer has begun a transaction.
    @Test(.needsPostgres)
    func `that fail on the server, fail their job only, with their own reason`() async throws {
        let store = try TestStore(.postgreSQL, migrations: migrations)
        let database = try store.open(migrations: migrations)
        let reading: Job<Int> = { connection throws(StoreFailure) in
            try connection.rows(Self.dividing).count
        }
        // The first group of a writer registers it.
        for _ in 1...2 {
            let failure = await #expect(throws: StoreFailure.self) {
                try await database.write(reading: [Self.dividing], reading)
            }
            #expect(failure?.cause == .sqlState("22012"))
        }
        var group = JobGroup<Int>()
        for number in 0..<4 {
            group.add(reading: number == 2 ? [Self.dividing] : []) {
                connection throws(StoreFailure) in
                if number == 2 { _ = try connection.rows(Self.dividing) }
                return try connection.run(.set, [.integer(5), .integer(1)])
            }
        }
        let outcomes = try await group.outcomes(in: database)
        expectFailure(of: 2, in: outcomes)
        if case .failure(let failure) = outcomes[2] {
            #expect(failure.cause == .sqlState("22012"))
        }
        let failure = await #expect(throws: StoreFailure.self) {
            try await database.read(reading: [Self.dividing], reading)
        }
        #expect(failure?.cause == .sqlState("22012"))
        await database.close()
    }

    @Test(.needsPostgres)
    func `that wait for another writer's lock for too long, fail with that reason`() async throws {
        let store = try TestStore(.postgreSQL, migrations: migrations)
        let database = try store.open(migrations: migrations, timeout: .seconds(1))
        let other = try store.open(migrations: migrations)
        let reading: Job<Int> = { connection throws(StoreFailure) in
            try connection.rows(Self.random).count
        }
        // The first group registers the writer.
        #expect(try await database.write(reading: [Self.random], reading) == 1)
        let point = StopPoint()
        async let held: Void = other.write { _ in point.stop() }
        await point.waitUntilReached()
        for queries in [[Self.random], [Self.dividing], []] {
            await #expect(throws: StoreFailure.busy) {
                try await database.write(reading: queries, reading)
            }
        }
        point.resume()
        try await held
        #expect(try await database.write(reading: [Self.random], reading) == 1)
        for opened in [database, other] { await opened.close() }
    }

    @Test(.needsPostgres)
    func `in tables that a later program migrated, fail with that reason`() async throws {
        let store = try TestStore(.postgreSQL, migrations: migrations)
        let database = try store.open(migrations: migrations)
        let reading: Job<Int> = { connection throws(StoreFailure) in
            try connection.rows(Self.random).count
        }
        #expect(try await database.write(reading: [Self.random], reading) == 1)
        let removal = Migration { _ in "DROP TABLE piece;" }
        let later = try store.open(migrations: migrations + [removal])
        for queries in [[Self.random], [Self.dividing], []] {
            await #expect(throws: StoreFailure.newer(version: 2)) {
                try await database.write(reading: queries, reading)
            }
        }
        for opened in [database, later] { await opened.close() }
    }

    private static let wrong = Query(Statement("SELECT \([.id]) FROM nothing"), [])

    @Test(arguments: kinds)
    func `that fail, fail their job only`(_ kind: StoreKind) async throws {
        let store = try TestStore(kind, migrations: migrations)
        let database = try store.open(migrations: migrations)
        var group = JobGroup<Int>()
        for number in 0..<4 {
            group.add(reading: number == 2 ? [Self.wrong] : []) { connection throws(StoreFailure) in
                if number == 2 { _ = try connection.rows(Self.wrong) }
                return try connection.run(.set, [.integer(5), .integer(1)])
            }
        }
        try await expectFailure(of: 2, in: group.outcomes(in: database))
        await database.close()
    }

    @Test(arguments: kinds)
    func `of reads that fail, fail their read only`(_ kind: StoreKind) async throws {
        let store = try TestStore(kind, migrations: migrations)
        let database = try store.open(migrations: migrations)
        var group = JobGroup<Int>()
        for number in 0..<16 {
            let query = number == 5 ? Self.wrong : Query(Twins.all[0].prefetched, [.integer(1)])
            group.add(reading: [query]) { connection throws(StoreFailure) in
                try connection.rows(query).count
            }
        }
        await expectFailure(of: 5, in: group.outcomesOfReads(in: database))
        await database.close()
    }

    private func expectFailure(of place: Int, in outcomes: [Result<Int, StoreFailure>]) {
        for (number, outcome) in outcomes.enumerated() {
            if number == place {
                #expect(throws: StoreFailure.self) { try outcome.get() }
            } else {
                #expect(outcome == .success(1))
            }
        }
    }

    /// Without groups, each of them would get another value.
    @Test(.needsPostgres)
    func `of waiting reads are sent together`() async throws {
        let store = try TestStore(.postgreSQL, migrations: migrations)
        let database = try store.open(migrations: migrations)
        var group = JobGroup<SQLValue>()
        for _ in 0..<64 {
            group.add(reading: [Self.random]) { connection throws(StoreFailure) in
                try connection.rows(Self.random)[0].values[0]
            }
        }
        let values = try await group.outcomesOfReads(in: database).map { try $0.get() }
        #expect(values.count == 64)
        #expect(Set(values).count < 64)
        await database.close()
    }

    /// A statement whose table is not known could change each of them.
    @Test func `are dropped by a statement that is not understood`() {
        for text: SQL in [
            "update piece SET value = 1", "WITH one AS (SELECT 1) UPDATE piece SET value = 1",
            "INSERT INTO piece(id) VALUES (1)", "DELETE FROM piece, tally",
        ] {
            #expect(Statement(text).table == nil)
        }
        for text: SQL in ["SELECT 1 FROM piece, tally", "SELECT 1 FROM piece JOIN tally"] {
            #expect(Statement(text).table == nil)
        }
        let inverted: SQL = "SELECT 1 FROM piece WHERE NOT (\(match: [.id]))"
        #expect(Statement(inverted).fixedColumns == [])
        let simple: SQL = "SELECT 1 FROM piece WHERE \(match: [.id])"
        #expect(Statement(simple).fixedColumns == [.id])
    }
}
