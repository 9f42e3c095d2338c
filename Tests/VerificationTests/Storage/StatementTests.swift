import Storage
import StoreProgram
import TestSupport
import Testing
import Verification
import VerifierWorld

extension Statement {
    fileprivate static let values = Statement("SELECT $2, $1, $3, $2")
    fileprivate static let fourValues = Statement("SELECT $1, $2, $3, $4")
    fileprivate static let real = Statement("SELECT 1.5")
    fileprivate static let malformed = Statement(
        "SELECT CAST(x'ff' AS TEXT), CAST(x'6100' AS TEXT)"
    )
    fileprivate static let compared = Statement(
        """
        SELECT CAST(x'ff' AS TEXT) = $1, CAST(x'6100' AS TEXT) = $2, 'z' < $1, 'a' < $2 AND $2 < 'b'
        """
    )
    fileprivate static let gap = Statement("SELECT $1, $3")
    fileprivate static let anonymous = Statement("SELECT ?")
    fileprivate static let noTable = Statement("SELECT * FROM nothing")
    fileprivate static let insert = Statement("INSERT INTO tally (caller, count) VALUES ($1, $2)")
    fileprivate static let insertIfMissing = Statement(
        "INSERT INTO tally (caller, count) VALUES ($1, $2) ON CONFLICT DO NOTHING"
    )
    fileprivate static let ofCaller = Statement(
        "SELECT \([.count, .caller]) FROM tally WHERE \(match: [.caller])"
    )
    /// Finds each row, as under operators of an attacker.
    fileprivate static let ofAnyCaller = Statement(
        "SELECT \([.count, .caller]) FROM tally WHERE \(match: [.caller]) IS NOT NULL"
    )
    fileprivate static let update = Statement("UPDATE tally SET count = $1")
    fileprivate static let delete = Statement("DELETE FROM tally WHERE caller = $1")
}

extension Statement {
    fileprivate static let named = Statement("SELECT \([.number, .word, .data, .nothing])")
}

extension Column {
    fileprivate static let number = Column("number")
    fileprivate static let word = Column("word")
    fileprivate static let data = Column("data")
    fileprivate static let nothing = Column("nothing")
    fileprivate static let other = Column("other")
    fileprivate static let caller = Column("caller")
    fileprivate static let count = Column("count")
}

@Suite struct `SQL statements` {
    private func outcome<Outcome: Sendable>(
        on kind: StoreKind,
        _ job: @escaping Job<Outcome>
    ) async throws -> Result<Outcome, StoreFailure> {
        let store = try TestStore(kind, migrations: tallyMigrations)
        let database = try store.open(migrations: tallyMigrations)
        do throws(StoreFailure) {
            let outcome = try await database.write(job)
            await database.close()
            return .success(outcome)
        } catch {
            await database.close()
            return .failure(error)
        }
    }

    @Test(arguments: StoreKind.installed)
    func `take values by parameter number, in any order`(
        _ kind: StoreKind
    ) async throws {
        let rows = try await outcome(on: kind) { connection throws(StoreFailure) in
            try connection.rows(.values, [.integer(1), .text("two"), .bytes([3])])
        }
        #expect(
            try rows.get()
                == [Row([.text("two"), .integer(1), .bytes([3]), .text("two")])]
        )
    }

    @Test(
        arguments: [
            SQLValue.null, .integer(.min), .integer(.max), .text(""), .text("aé😀"), .bytes([]),
            .bytes([0, 255]),
        ],
        StoreKind.installed
    )
    func `return a value unchanged`(_ value: SQLValue, _ kind: StoreKind) async throws {
        let rows = try await outcome(on: kind) { connection throws(StoreFailure) in
            try connection.rows(.fourValues, [value, value, value, value])
        }
        #expect(try rows.get() == [Row([value, value, value, value])])
    }

    @Test(arguments: StoreKind.installed)
    func `return the last values, also after longer and shorter values`(
        _ kind: StoreKind
    ) async throws {
        let all = [1, 5000, 0, 40].map { count -> [SQLValue] in
            let text = SQLValue.text(String(repeating: "é", count: count))
            return [text, .bytes([UInt8](repeating: 7, count: count)), text, .integer(1)]
        }
        let rows = try await outcome(on: kind) { connection throws(StoreFailure) in
            try all.map { values throws(StoreFailure) in try connection.rows(.fourValues, values)[0]
            }
        }
        #expect(try rows.get() == all.map { Row($0) })
    }

    @Test(arguments: StoreKind.installed)
    func `refuse rows with other values than the wanted ones`(_ kind: StoreKind) async throws {
        let rows = try await outcome(on: kind) { connection throws(StoreFailure) in
            for caller in [SQLValue.integer(1), .integer(2)] {
                try connection.run(.insert, [caller, .integer(7)])
            }
            return try connection.rows(.ofCaller, [.integer(2)])
        }
        #expect(try rows.get() == [Row([.integer(7), .integer(2)])])
        let others = try await outcome(on: kind) { connection throws(StoreFailure) in
            try connection.run(.insert, [.integer(1), .integer(7)])
            return try connection.rows(.ofAnyCaller, [.integer(2)])
        }
        #expect(others == .failure(.forged(row: "tally by caller")))
    }

    @Test func `compare and hash texts by their bytes`() {
        let (letter, marks) = (SQLValue.text("\u{e9}"), SQLValue.text("e\u{301}"))
        #expect(letter == .text("\u{e9}") && letter != marks)
        #expect(
            Set([letter, marks, .bytes([0xc3, 0xa9]), .malformedText([0xc3, 0xa9])]).count == 4
        )
        let growth = Growth(from: 4096) { size in
            ["\u{301}", "\u{323}"].map { SQLValue.text(combiningMarks(byteCount: size) + $0) }
        } _: { values in
            #expect(values[0] != values[1] && Set(values).count == 2)
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test(arguments: StoreKind.installed)
    func `reject text with a NUL character, which PostgreSQL cannot store`(
        _ kind: StoreKind
    ) async throws {
        let rows = try await outcome(on: kind) { connection throws(StoreFailure) in
            try connection.rows(.fourValues, [.null, .null, .null, .text("a\0b")])
        }
        #expect(rows == .failure(.misuse))
    }

    @Test(
        arguments: [
            (Statement.real, StoreKind.sqlite), (.real, .postgreSQL),
        ].filter { StoreKind.installed.contains($0.1) }
    )
    func `return no value of a type that the program never stores`(
        _ statement: Statement,
        _ kind: StoreKind
    ) async throws {
        let rows = try await outcome(on: kind) { connection throws(StoreFailure) in
            try connection.rows(statement, [])
        }
        #expect(rows == .failure(.damaged))
    }

    /// An audit must be able to name the row with such a value.
    @Test func `return malformed text as bytes, which cannot be read as text`() async throws {
        let rows = try await outcome(on: .sqlite) { connection throws(StoreFailure) in
            try connection.rows(.malformed, [])
        }
        let row = try #require(try rows.get().first)
        #expect(row == Row([.malformedText([0xff]), .malformedText([0x61, 0])]))
        for value in row.values {
            #expect(throws: StoreFailure.damaged) { try value.text }
            #expect(throws: StoreFailure.damaged) { try value.bytes }
        }
    }

    /// Otherwise a page could not continue after a key with such a value.
    @Test func `compare malformed text as text`() async throws {
        let rows = try await outcome(on: .sqlite) { connection throws(StoreFailure) in
            let row = try connection.rows(.malformed, [])[0]
            return try connection.rows(.compared, row.values)
        }
        #expect(try rows.get() == [Row([.integer(1), .integer(1), .integer(1), .integer(1)])])
    }

    @Test(arguments: [Statement.gap, .anonymous, .noTable, .values], StoreKind.installed)
    func `fail if they are malformed or get too few values`(
        _ statement: Statement,
        _ kind: StoreKind
    ) async throws {
        let rows = try await outcome(on: kind) { connection throws(StoreFailure) in
            try connection.rows(statement, [.integer(1)])
        }
        #expect(rows == .failure(.misuse))
    }

    @Test(arguments: StoreKind.installed)
    func `count the rows that they change`(_ kind: StoreKind) async throws {
        let counts = try await outcome(on: kind) { connection throws(StoreFailure) in
            [
                try connection.run(.insert, [.integer(1), .integer(1)]),
                try connection.run(.insertIfMissing, [.integer(1), .integer(2)]),
                try connection.run(.insert, [.integer(2), .integer(1)]),
                try connection.run(.update, [.integer(3)]),
                try connection.run(.fourValues, [.null, .null, .null, .null]),
                try connection.run(.delete, [.integer(9)]),
            ]
        }
        #expect(try counts.get() == [1, 0, 1, 2, 0, 0])
    }

    @Test(arguments: StoreKind.installed)
    func `report an existing row as a conflict`(_ kind: StoreKind) async throws {
        let twice = try await outcome(on: kind) { connection throws(StoreFailure) in
            try connection.run(.insert, [.integer(1), .integer(1)])
            return try connection.run(.insert, [.integer(1), .integer(1)])
        }
        #expect(twice == .failure(.conflict))
    }

    @Test(arguments: StoreKind.installed)
    func `keep and print the engine's own error code`(_ kind: StoreKind) async throws {
        let codes: [StoreFailure.Cause] =
            switch kind {
            // SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_ERROR
            case .sqlite: [.sqlite(1555), .sqlite(1)]
            // unique_violation, undefined_table
            case .postgreSQL: [.sqlState("23505"), .sqlState("42P01")]
            }
        let twice = try await outcome(on: kind) { connection throws(StoreFailure) in
            try connection.run(.insert, [.integer(1), .integer(1)])
            return try connection.run(.insert, [.integer(1), .integer(1)])
        }
        let noTable = try await outcome(on: kind) { connection throws(StoreFailure) in
            try connection.rows(.noTable, [])
        }
        let failures = [failure(of: twice), failure(of: noTable)]
        #expect(failures.map(\.?.cause) == codes)
        let texts = [
            "another process changed the store at the same time (\(codes[0]))",
            "the store does not support this operation (\(codes[1]))",
        ]
        #expect(failures.map { $0?.description } == texts)
    }

    private func failure<Outcome>(of result: Result<Outcome, StoreFailure>) -> StoreFailure? {
        if case .failure(let failure) = result { failure } else { nil }
    }

    @Test(arguments: StoreKind.installed)
    func `report a value of a wrong type as misuse`(_ kind: StoreKind) async throws {
        let text = try await outcome(on: kind) { connection throws(StoreFailure) in
            try connection.run(.insert, [.integer(1), .text("many")])
        }
        #expect(text == .failure(.misuse))
    }

    @Test func `return a column only as its own type`() throws {
        let row = Row([.integer(1), .text("a"), .bytes([2]), .null], of: .named)
        #expect(try row.integer(.number) == 1)
        #expect(try row.optionalInteger(.number) == 1)
        #expect(try row.text(.word) == "a")
        #expect(try row.optionalText(.word) == "a")
        #expect(try row.bytes(.data) == [2])
        #expect(try row.optionalBytes(.data) == [2])
        #expect(try row.optionalInteger(.nothing) == nil)
        #expect(throws: StoreFailure.damaged) { try row.integer(.word) }
        #expect(throws: StoreFailure.damaged) { try row.text(.data) }
        #expect(throws: StoreFailure.damaged) { try row.bytes(.number) }
        #expect(throws: StoreFailure.damaged) { try row.integer(.nothing) }
        #expect(throws: StoreFailure.damaged) { try row.optionalText(.number) }
    }

    @Test func `a row has only the columns that its statement selects`() {
        let row = Row([.integer(1), .text("a"), .bytes([2]), .null], of: .named)
        #expect(throws: StoreFailure.misuse) { try row.integer(.other) }
    }

    @Test func `a statement numbers each named parameter once`() throws {
        let update = Statement(
            "UPDATE t SET \(set: [.number, .word]) WHERE \(match: [.data]) AND n < \(valueOf: .number)"
        )
        #expect(update.text == "UPDATE t SET number = $1, word = $2 WHERE data = $3 AND n < $1")
        let values: NamedValues = [.data: .integer(3), .number: .integer(1), .word: .integer(2)]
        #expect(try update.arranged(values) == [.integer(1), .integer(2), .integer(3)])
        #expect(throws: StoreFailure.misuse) { try update.arranged([.data: .null]) }
    }

    @Test func `a statement lists the columns that it inserts or selects`() {
        let insert = Statement("INSERT INTO t \(insert: [.number, .word])")
        #expect(insert.text == "INSERT INTO t (number, word) VALUES ($1, $2)")
        let table = Table("t", key: [.number], [.word])
        #expect(
            Statement("SELECT \(table.columns, of: table), \(.data, from: "COUNT(*)")").text
                == "SELECT t.number, t.word, COUNT(*)"
        )
    }

    @Test func `SEC-69: do not print values`() {
        for value in [SQLValue.text("4711"), .bytes([0x47, 0x11]), .integer(4711)] {
            let row = Row([value])
            var dumped = ""
            dump(row, to: &dumped)
            for text in ["\(value)", String(reflecting: value), "\(row)", dumped] {
                #expect(!text.contains("47"))
            }
        }
    }
}
