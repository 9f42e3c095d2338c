import OneTimePassword
import PrivateFiles
import Sealing
import Storage
import StoreProgram
import TestSupport
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@Suite(.needsPostgres) struct `A failover` {
    /// Opens a store on a primary, or on its standby after the failover.
    private func open(
        _ primary: PostgresServer,
        _ standby: PostgresServer,
        _ database: String,
        _ migrations: [Migration] = tallyMigrations
    ) throws -> PostgresDatabase {
        try PostgresDatabase(
            database.replacing(
                "host=\(primary.folder)",
                with: "host=\(primary.folder),\(standby.folder)"
            ),
            migrations: migrations,
            readerCount: 1,
            timeout: .seconds(60)
        )
    }

    /// A bank on a primary with a standby.
    private func bank(
        on primary: PostgresServer,
        _ standby: PostgresServer,
        _ premises: Premises
    ) async throws -> Bank {
        let store = try open(primary, standby, premises.store.text, Schema.migrations)
        let bank = try Bank(premises, over: store)
        try await bank.verifier.begin()
        try await bank.populate()
        return bank
    }

    @Test func `to a synchronous standby keeps every approval once`() async throws {
        let primary = try PostgresServer()
        let premises = try Premises(on: .postgreSQL, server: primary)
        let standby = try PostgresServer(following: primary)
        try primary.beginSynchronousReplication()
        let bank = try await bank(on: primary, standby, premises)
        let reports = AsyncStream<DeviceID>.makeStream()
        var counts: [DeviceID: Int] = [:]
        try await withThrowingTaskGroup { group in
            for number in 1...16 {
                let (account, phone) = try await bank.activate("C-\(number)")
                group.addTask {
                    for _ in 1...5 {
                        let payment = try await bank.pay(from: account)
                        guard try await phone.decide(on: payment, in: bank) == .accepted(nil) else {
                            throw Bank.Unexpected()
                        }
                        reports.continuation.yield(phone.id)
                    }
                }
            }
            for await phone in reports.stream {
                counts[phone, default: 0] += 1
                let reportCount = counts.values.reduce(0, +)
                if reportCount == 30 {
                    try primary.kill()
                    try standby.promote()
                }
                if reportCount == 16 * 5 { break }
            }
            try await group.waitForAll()
        }
        #expect(counts.count == 16 && counts.values.allSatisfy { $0 == 5 })
        #expect(try await bank.count(of: .transactionApproved) == 16 * 5)
        for phone in counts.keys {
            let state = try await bank.read { ledger throws(StoreFailure) in
                try ledger.credentialState(.user, on: phone)
            }
            #expect(state?.credential.counter == Counter(5))
        }
        #expect(try await AuditVerification.run(over: KeyedStore(bank.database)).findings == [])
        await bank.database.close()
    }

    /// A reported decision is missing on the standby, so the verifier must not decide there.
    @Test
    func `to a standby without the last commits stops the verifier, which accepts no code twice`()
        async throws
    {
        let primary = try PostgresServer()
        let premises = try Premises(on: .postgreSQL, server: primary)
        let standby = try PostgresServer(following: primary)
        try primary.beginSynchronousReplication()
        let bank = try await bank(on: primary, standby, premises)
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        try primary.endSynchronousReplication()
        try standby.stopFollowing(primary)
        let attempt = try await phone.attempt(over: try .approval(of: payment), in: bank)
        #expect(try await phone.send(on: payment, attempt, to: bank.verifier) == .accepted(nil))
        try primary.kill()
        try standby.promote()
        for again in [attempt, try attempt.withNewID()] {
            await #expect(throws: Verifier.Failure.store(.rolledBack)) {
                _ = try await phone.send(on: payment, again, to: bank.verifier)
            }
        }
        #expect(try await bank.state(of: payment) == .pending)
        await bank.database.close()
    }

    /// Another node goes on there, so the trail grows over the record that is lost.
    @Test func `to a standby without the last commits ends the journal of the verifier`()
        async throws
    {
        let primary = try PostgresServer()
        let premises = try Premises(on: .postgreSQL, server: primary)
        let standby = try PostgresServer(following: primary)
        try primary.beginSynchronousReplication()
        let store = try open(primary, standby, premises.store.text, Schema.migrations)
        let journal = try await Journal.begin(
            at: premises.journalPath,
            signingWith: premises.auditKey,
            over: KeyedStore(store, KeyRing(premises.keys))
        )
        let bank = try Bank(premises, journal: journal, over: store)
        try await bank.populate()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        try await bank.journalNow()
        try primary.endSynchronousReplication()
        try standby.stopFollowing(primary)
        #expect(try await phone.decide(on: payment, in: bank) == .accepted(nil))
        try primary.kill()
        try standby.promote()
        let other = try Bank(
            premises,
            over: open(primary, standby, premises.store.text, Schema.migrations)
        )
        _ = try await other.pay(1)
        await #expect(throws: JournalFailure.self) { try await bank.journalNow() }
        await other.database.close()
        await bank.database.close()
    }

    /// The commit is only on the disk of the primary, and PostgreSQL warns its client.
    @Test func `that is awaited cannot be cancelled by another session`() async throws {
        let primary = try PostgresServer()
        let database = try primary.makeDatabase()
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        let store = try PostgresDatabase(
            database,
            migrations: tallyMigrations,
            readerCount: 1,
            timeout: .seconds(60)
        )
        _ = try primary.query("ALTER SYSTEM SET synchronous_standby_names = 'absent'")
        _ = try primary.query("SELECT pg_reload_conf()")
        let (last, isEnding) = (LockedValue<Int64>(0), LockedValue(false))
        let writing = Task {
            while !isEnding.withLock({ $0 }) {
                let count = try await store.write { connection throws(StoreFailure) in
                    try Tally.increment(1, on: connection)
                }
                last.withLock { $0 = count }
            }
        }
        // The server needs a moment to wait for standbys.
        let waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        var session = ""
        try await waitUntil {
            session = try primary.query(waiting)
            return !session.isEmpty
        }
        let before = last.withLock { $0 }
        _ = try primary.query("SELECT pg_cancel_backend(\(session))")
        // The same commit waits again, in another session.
        try await waitUntil { ![session, ""].contains(try primary.query(waiting)) }
        #expect(last.withLock { $0 } == before)
        isEnding.withLock { $0 = true }
        _ = try primary.query("ALTER SYSTEM RESET synchronous_standby_names")
        _ = try primary.query("SELECT pg_reload_conf()")
        try await writing.value
        #expect(try await store.read(Tally.counts) == [1: before + 1])
        await store.close()
    }

    @Test func `to a synchronous standby loses and repeats nothing for 16 callers`() async throws {
        let primary = try PostgresServer()
        let database = try primary.makeDatabase()
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        let standby = try PostgresServer(following: primary)
        try primary.beginSynchronousReplication()
        let opened = try open(primary, standby, database)
        let reports = AsyncStream<Void>.makeStream()
        async let counts = Writers.count(to: 50, in: opened) { reports.continuation.yield() }
        var reportCount = 0
        for await _ in reports.stream {
            reportCount += 1
            if reportCount == 300 {
                try primary.kill()
                try standby.promote()
            }
            if reportCount == 16 * 50 { break }
        }
        #expect(try await counts == Array(repeating: Array(1...50), count: 16))
        let kept = try await opened.read(Tally.counts)
        #expect(kept.values.allSatisfy { $0 == 50 } && kept.count == 16)
        await opened.close()
    }

    /// The primary keeps running with its sessions, but rejects writes.
    @Test func `with a running primary moves all sessions to the standby`() async throws {
        let primary = try PostgresServer()
        let database = try primary.makeDatabase()
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        let standby = try PostgresServer(following: primary)
        try primary.beginSynchronousReplication()
        let opened = try open(primary, standby, database)
        _ = try await opened.read(Tally.counts)
        _ = try await opened.write { connection throws(StoreFailure) in
            try Tally.increment(1, on: connection)
        }
        let end = try primary.stopWrites()
        async let count = opened.write { connection throws(StoreFailure) in
            try Tally.increment(1, on: connection)
        }
        async let counts = opened.read(Tally.counts)
        #expect(try await primary.isLeft(bySessionsBefore: end))
        try standby.promote()
        #expect(try await count == 2)
        #expect([[1: 1], [1: 2]].contains(try await counts))
        #expect(try await opened.read(Tally.counts) == [1: 2])
        await opened.close()
    }
}

extension PostgresServer {
    /// Makes each commit wait for the standby, as the operator must configure it.
    fileprivate func beginSynchronousReplication() throws {
        try set("synchronous_standby_names", to: "standby")
        let isSynchronous = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
        try spinUntil { try query(isSynchronous) == "1" }
    }

    fileprivate func endSynchronousReplication() throws {
        try set("synchronous_standby_names", to: "")
        try spinUntil { try query("SHOW synchronous_standby_names") == "" }
    }

    /// Ends the replication to this standby.
    fileprivate func stopFollowing(_ primary: PostgresServer) throws {
        try set("primary_conninfo", to: "")
        let followers = "SELECT count(*) FROM pg_stat_replication"
        try spinUntil { try primary.query(followers) == "0" }
    }

    private func set(_ setting: String, to value: String) throws {
        _ = try query("ALTER SYSTEM SET \(setting) = '\(value)'")
        _ = try query("SELECT pg_reload_conf()")
    }

    /// Makes the server read-only, and returns the time when this took effect.
    fileprivate func stopWrites() throws -> String {
        try set("default_transaction_read_only", to: "on")
        // New sessions are read-only now, and earlier sessions have received the setting.
        try spinUntil { try query("SHOW default_transaction_read_only") == "on" }
        return try query("SELECT clock_timestamp()")
    }

    /// Returns whether the store's earlier sessions end; later sessions are read-only.
    fileprivate func isLeft(bySessionsBefore moment: String) async throws -> Bool {
        let sessions = """
            SELECT count(*) FROM pg_stat_activity
            WHERE application_name = 'countersign' AND backend_start < '\(moment)'
            """
        for _ in 0..<1000 {
            if try query(sessions) == "0" { return true }
            // The code that closes the sessions may need this thread.
            await Task.yield()
        }
        return false
    }
}

@Suite(.needsPostgres) struct `A transaction that conflicts with others` {
    private static let hinder = Statement("SELECT hinder($1, $2)")

    /// `hinder` fails its first calls with a state; a rollback does not undo the call count.
    private func storeWithConflicts(
        timeout: Duration
    ) throws -> (PostgresDatabase, callCount: () throws -> String) {
        let server = try PostgresServer.shared()
        let address = try server.makeDatabase()
        try PostgresDatabase.create(address, migrations: tallyMigrations)
        let function = """
            CREATE SEQUENCE calls;
            CREATE FUNCTION hinder(state TEXT, times BIGINT) RETURNS BIGINT LANGUAGE plpgsql AS $$
            BEGIN
                IF nextval('calls') <= times THEN RAISE EXCEPTION USING ERRCODE = state; END IF;
                RETURN times;
            END $$
            """
        _ = try PostgresServer.psql(["--command=\(function)"], in: address)
        let opened = try PostgresDatabase(address, migrations: tallyMigrations, timeout: timeout)
        return (
            opened,
            { try PostgresServer.psql(["--command=SELECT last_value FROM calls"], in: address) }
        )
    }

    @Test(arguments: ["40001", "40P01"])
    func `is run again until it succeeds, and counts once`(_ state: String) async throws {
        let (opened, callCount) = try storeWithConflicts(timeout: .seconds(30))
        let count = try await opened.write { connection throws(StoreFailure) in
            let count = try Tally.increment(1, on: connection)
            _ = try connection.rows(Self.hinder, [.text(state), .integer(3)])
            return count
        }
        #expect(count == 1)
        #expect(try callCount() == "4")
        #expect(try await opened.read(Tally.counts) == [1: 1])
        await opened.close()
    }

    @Test func `fails after the timeout, and changes nothing`() async throws {
        let (opened, _) = try storeWithConflicts(timeout: .seconds(1))
        await #expect(throws: StoreFailure.busy) {
            try await opened.write { connection throws(StoreFailure) in
                _ = try Tally.increment(1, on: connection)
                return try connection.rows(Self.hinder, [.text("40001"), .integer(.max)])
            }
        }
        #expect(try await opened.read(Tally.counts) == [:])
        await opened.close()
    }

    @Test func `fails at once for any other reason`() async throws {
        let (opened, callCount) = try storeWithConflicts(timeout: .seconds(30))
        await #expect(throws: StoreFailure.conflict) {
            try await opened.write { connection throws(StoreFailure) in
                try connection.rows(Self.hinder, [.text("23505"), .integer(1)])
            }
        }
        #expect(try callCount() == "1")
        await opened.close()
    }
}
