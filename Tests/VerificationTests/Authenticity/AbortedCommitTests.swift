import OneTimePassword
import PrivateFiles
import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

private let minute = Duration.seconds(60)

/// A store whose commits another program can abort, after it learned from a job if a code is right.
private struct AbortingDatabase: Database {
    enum Mode {
        case commits, aborts
        /// It commits, but the response is lost.
        case losesResponses
    }

    let store: any Database
    let mode = LockedValue(Mode.commits)

    func write<Outcome: Sendable>(
        reading queries: [Query],
        _ work: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        let mode = mode.withLock { $0 }
        let outcome = try await store.write(reading: queries) { connection throws(StoreFailure) in
            let outcome = try work(connection)
            guard mode != .aborts else { throw .conflict }
            return outcome
        }
        guard mode == .commits else { throw .uncertain }
        return outcome
    }

    func read<Outcome: Sendable>(
        reading queries: [Query],
        _ work: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await store.read(reading: queries, work)
    }

    func close() async { await store.close() }
}

/// A thief has a device, and can abort each commit of a node.
@Suite(.onEveryStore) struct `An aborted commit of a wrong code` {
    private var bank: Bank
    private let store: AbortingDatabase

    init() async throws {
        bank = try await Bank()
        store = AbortingDatabase(store: bank.database)
        bank.use(bank.verifier(over: store))
    }

    private func use(_ mode: AbortingDatabase.Mode) { store.mode.withLock { $0 = mode } }

    /// An attempt whose commit fails.
    private func lose(_ attempt: () async throws -> AttemptResult) async {
        let failure = await #expect(throws: Verifier.Failure.self) { _ = try await attempt() }
        #expect([.store(.conflict), .store(.uncertain)].contains(failure))
    }

    @Test func `SEC-09: does not give it back`() async throws {
        let phone = try await bank.activate()
        use(.aborts)
        let end = bank.clock.now + minute * 30
        for _ in 1...8 { await lose { try await phone.checkPIN(with: .wrong, in: bank) } }
        // The right code is not computed either.
        await lose { try await phone.checkPIN(in: bank) }
        use(.commits)
        #expect(try await phone.checkPIN(in: bank) == .refused(.locked(until: end)))
        #expect(try await bank.count(of: .codeRefused) == 5)
        #expect(try await bank.count(of: .failuresRepeated) == 1)
        #expect(try await bank.count(of: .credentialLocked) == 1)
        bank.clock.advance(by: minute * 30)
        #expect(try await phone.checkPIN(in: bank) == .accepted(nil))
    }

    @Test func `SEC-10: does not prevent the permanent lock`() async throws {
        let phone = try await bank.activate()
        use(.aborts)
        for _ in 1...3 {
            for _ in 1...5 { await lose { try await phone.checkPIN(with: .wrong, in: bank) } }
            bank.clock.advance(by: minute * 60)
        }
        use(.commits)
        #expect(try await phone.checkPIN(in: bank) == .refused(.blocked))
        #expect(try await bank.verifier.status(of: phone.id)?.status == .blocked)
        #expect(try await bank.count(of: .credentialBlocked) == 1)
    }

    @Test func `SEC-08: counts for every interface, and for linked accounts of one installation`()
        async throws
    {
        _ = try await bank.addLinkedAccount("4712")
        let phones = try await bank.activateAll(Bank.account, 2)
        let payment = try await bank.pay()
        use(.aborts)
        await lose { try await phones[1].checkPIN(with: .wrong, in: bank) }
        await lose { try await phones[0].logIn(with: .wrong, in: bank) }
        await lose { try await phones[0].decide(on: payment, with: .wrong, in: bank) }
        await lose { try await phones[0].type("00000000", in: bank) }
        use(.commits)
        let end = bank.clock.now + minute * 30
        #expect(try await phones[1].checkPIN(with: .wrong, in: bank) == .locking(until: end))
    }

    @Test func `SEC-08: counts a repeated attempt once, and a right code not at all`() async throws
    {
        let phone = try await bank.activate()
        let wrong = try await phone.attempt(over: .pinCheck, with: .wrong, in: bank)
        let right = try await phone.attempt(over: .pinCheck, in: bank)
        let verifier = bank.verifier
        use(.aborts)
        for _ in 1...8 {
            await lose { try await verifier.checkPIN(wrong) }
            await lose { try await verifier.checkPIN(right) }
        }
        use(.commits)
        #expect(try await verifier.checkPIN(wrong) == .wrong(left: 4))
        #expect(try await verifier.checkPIN(wrong) == .wrong(left: 4))
        #expect(try await phone.checkPIN(with: .wrong, in: bank) == .wrong(left: 3))
        #expect(try await verifier.checkPIN(right) == .accepted(nil))
        #expect(try await phone.checkPIN(with: .wrong, in: bank) == .wrong(left: 4))
        #expect(try await bank.credential(of: phone).failures.moments.count == 3)
        #expect(try await bank.count(of: .codeRefused) == 3)
    }

    @Test func `SEC-08: counts once if another attempt counted it, and then it is repeated`()
        async throws
    {
        let phone = try await bank.activate()
        let wrong = try await phone.attempt(over: .pinCheck, with: .wrong, in: bank)
        use(.aborts)
        await lose { try await bank.verifier.checkPIN(wrong) }
        use(.commits)
        #expect(try await phone.checkPIN(with: .wrong, in: bank) == .wrong(left: 3))
        #expect(try await bank.verifier.checkPIN(wrong) == .wrong(left: 4))
        #expect(try await phone.checkPIN(with: .wrong, in: bank) == .wrong(left: 2))
        #expect(try await bank.count(of: .codeRefused) == 3)
    }

    @Test func `SEC-08: counts once if another node counted it`() async throws {
        let phone = try await bank.activate()
        let wrong = try await phone.attempt(over: .pinCheck, with: .wrong, in: bank)
        let (first, second) = (bank.verifier, bank.verifier(over: bank.database))
        use(.aborts)
        await lose { try await first.checkPIN(wrong) }
        use(.commits)
        bank.clock.advance(by: minute)
        #expect(try await second.checkPIN(wrong) == .wrong(left: 4))
        bank.clock.advance(by: minute)
        #expect(try await phone.checkPIN(with: .wrong, in: bank) == .wrong(left: 3))
        #expect(try await bank.count(of: .codeRefused) == 2)
        let counting = CountingCredential(for: try await bank.credential(of: phone))
        #expect(first.uncommitted.failures(of: counting).isEmpty)
    }

    @Test func `SEC-08: counts once if it was committed without a response`() async throws {
        let phone = try await bank.activate()
        use(.losesResponses)
        for _ in 1...2 { await lose { try await phone.checkPIN(with: .wrong, in: bank) } }
        use(.aborts)
        await lose { try await phone.checkPIN(with: .wrong, in: bank) }
        use(.commits)
        #expect(try await phone.checkPIN(with: .wrong, in: bank) == .wrong(left: 1))
        #expect(try await bank.count(of: .codeRefused) == 4)
    }

    /// The verdict of only one code can be stored under an id.
    @Test func `SEC-09: leaves no other code under its id`() async throws {
        let phone = try await bank.activate()
        let (id, call) = (try AttemptID.random(), "order-1")
        use(.aborts)
        await lose { try await phone.checkPIN(with: .wrong, attempt: id, in: bank) }
        await lose { try await phone.type("00000000", call: call, in: bank) }
        use(.commits)
        for number in 1...9 {
            let counter = Counter(UInt64(number))
            let other = try await phone.checkPIN(with: .wrong, at: counter, attempt: id, in: bank)
            #expect(other == .refused(.attemptReused))
            let typed = try await phone.type("0000000\(number)", call: call, in: bank)
            #expect(typed == .refused(.attemptReused))
        }
        #expect(try await phone.checkPIN(attempt: id, in: bank) == .refused(.attemptReused))
        #expect(try await phone.checkPIN(with: .wrong, in: bank) == .wrong(left: 2))
    }

    @Test func `SEC-09: counts although something else is stored under its id`() async throws {
        let phone = try await bank.activate()
        for turn in 1...4 {
            let id = try AttemptID.random()
            use(.aborts)
            await lose { try await phone.checkPIN(with: .wrong, attempt: id, in: bank) }
            use(.commits)
            let setting = turn.isMultiple(of: 2) ? PushSetting.off : .events
            _ = try await bank.verifier.setPush(setting, on: phone.id, attempt: id)
            try await spendNothing(on: phone)
        }
        let end = bank.clock.now + minute * 30
        #expect(try await phone.checkPIN(with: .wrong, in: bank) == .locking(until: end))
        #expect(try await bank.credential(of: phone).failures.moments.count == 5)
    }

    /// A writer keeps the verdict of a code that counted, and puts it back at the right times.
    @Test func `SEC-09: counts although an earlier verdict is stored under its id`() async throws {
        let phone = try await bank.activate()
        let id = try AttemptID.random()
        #expect(
            try await phone.checkPIN(with: .wrong, attempt: id, in: bank) == .wrong(left: 4)
        )
        try await run("CREATE TABLE kept AS SELECT * FROM attempts")
        for _ in 1...2 {
            bank.clock.advance(by: .milliseconds(1))
            try await run("DELETE FROM attempts")
            use(.aborts)
            await lose { try await phone.checkPIN(with: .wrong, attempt: id, in: bank) }
            use(.commits)
            try await run("INSERT INTO attempts SELECT * FROM kept")
            try await spendNothing(on: phone)
        }
        let end = bank.clock.now + minute * 30
        #expect(try await phone.checkPIN(with: .wrong, in: bank) == .wrong(left: 1))
        #expect(try await phone.checkPIN(with: .wrong, in: bank) == .locking(until: end))
    }

    @Test func `SEC-09: is not forgotten if an earlier count is put back after a lost response`()
        async throws
    {
        let phone = try await bank.activate()
        try await run("CREATE TABLE kept AS SELECT * FROM credentials")
        use(.losesResponses)
        await lose { try await phone.checkPIN(with: .wrong, in: bank) }
        use(.commits)
        try await run("DELETE FROM credentials")
        try await run("INSERT INTO credentials SELECT * FROM kept")
        let failure = await #expect(throws: Verifier.Failure.self) {
            try await phone.checkPIN(with: .wrong, in: bank)
        }
        guard case .store(let reason)? = failure else { throw Bank.Unexpected() }
        #expect(reason.isForgery)
    }

    @Test func `SEC-10: suspends the other devices, also after one of them was removed`()
        async throws
    {
        _ = try await bank.addLinkedAccount("4712")
        let phones = try await bank.activateAll(Bank.account, 2)
        try await bank.setPolicy(#"{"lock": {"temporaryLocks": 0}}"#)
        use(.aborts)
        for _ in 1...5 { await lose { try await phones[0].checkPIN(with: .wrong, in: bank) } }
        use(.commits)
        _ = try await bank.verifier.delete(phones[1].id, attempt: .random())
        #expect(try await phones[1].checkPIN(in: bank) == .refused(.deviceRevoked))
        #expect(try await phones[0].checkPIN(in: bank) == .refused(.blocked))
        #expect(try await bank.verifier.status(of: phones[0].id)?.status == .blocked)
        #expect(try await bank.count(of: .credentialBlocked) == 1)
    }

    /// An attempt that is refused before its code is computed.
    private func spendNothing(on phone: Phone) async throws {
        let attempt = try await phone.attempt(over: .pinCheck, in: bank)
        let next = Generation(attempt.code.generation.value + 1)
        let other = Attempt(device: phone.id, code: attempt.code.with(generation: next))
        #expect(try await bank.verifier.checkPIN(other) == .refused(.generationMismatch))
    }

    /// A statement of another program.
    private func run(_ statement: SQL) async throws {
        _ = try await bank.database.write { connection throws(StoreFailure) in
            try connection.run(Statement(statement), [])
        }
    }

    @Test func `SEC-08: is counted by a right code, which begins a new count`() async throws {
        let phone = try await bank.activate()
        use(.aborts)
        for _ in 1...2 { await lose { try await phone.checkPIN(with: .wrong, in: bank) } }
        use(.commits)
        #expect(try await phone.checkPIN(in: bank) == .accepted(nil))
        #expect(try await bank.credential(of: phone).failures.moments.count == 2)
        #expect(try await phone.checkPIN(with: .wrong, in: bank) == .wrong(left: 4))
    }

    @Test func `is forgotten after its commit, or with the oldest credential of too many`()
        async throws
    {
        let phone = try await bank.activate()
        let counting = CountingCredential(for: try await bank.credential(of: phone))
        use(.aborts)
        await lose { try await phone.checkPIN(with: .wrong, in: bank) }
        #expect(bank.verifier.uncommitted.failures(of: counting).count == 1)
        use(.commits)
        _ = try await phone.checkPIN(with: .wrong, in: bank)
        #expect(bank.verifier.uncommitted.failures(of: counting).isEmpty)

        let memory = UncommittedFailures(maximumCredentials: 2)
        var known: [CountingCredential] = []
        for number in 0..<3 {
            let other = CountingCredential(
                for: try await bank.credential(of: try await bank.activate("\(number)").1)
            )
            let attempt = try await phone.attempt(over: .pinCheck, in: bank)
            let key = AttemptKey(attempt, fingerprint: [], with: .user)
            let failure = UncommittedFailure(attempt: key, moment: bank.clock.now)
            memory.note(failure, of: other)
            known.append(other)
            bank.clock.advance(by: minute)
        }
        #expect(known.map { memory.failures(of: $0).count } == [0, 1, 1])
    }
}

/// A thief has a device, and rows of the thief are in the way of its next wrong code.
@Suite(.onEveryStore) struct `A row that another program wrote` {
    private let premises: Premises
    private let bank: Bank
    private let phone: Phone

    init() async throws {
        premises = try Premises()
        bank = try await premises.begin(policy: #"{"lock": {"temporaryLocks": 0}}"#)
        phone = try await bank.activate()
    }

    @Test(arguments: [Delivery.Target.webhook, .push])
    func `SEC-09: in the outbox does not prevent the count of a wrong code, nor the message`(
        _ target: Delivery.Target
    ) async throws {
        try await bank.want(pushesOn: phone)
        _ = try await bank.pay()
        let columns = Table.outbox.columns.map { "\($0.name)" }
        let values = columns.map { name in
            switch name {
            case "sequence": "(SELECT max(sequence) FROM audit) + number"
            case "subject": "'forged'"
            default: "one." + name
            }
        }
        try premises.tamper(
            """
            WITH RECURSIVE numbers (number) AS
                (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 9)
            INSERT INTO outbox (\(columns.joined(separator: ", ")))
            SELECT \(values.joined(separator: ", "))
            FROM (SELECT * FROM outbox WHERE target = \(target.rawValue) LIMIT 1) AS one, numbers
            """
        )
        for left in [4, 3, 2] {
            #expect(try await phone.checkPIN(with: .wrong, in: bank) == .wrong(left: left))
        }
        let payment = try await bank.pay()
        let (repeated, created) = try await bank.read { ledger throws(StoreFailure) in
            let records = try ledger.auditRecords(after: 0, limit: .max)
            return (
                records.last { $0.event.kind == .failuresRepeated },
                records.last { $0.event.kind == .transactionCreated }
            )
        }
        let record = try #require(target == .webhook ? repeated : created)
        let delivery = try await bank.read { ledger throws(StoreFailure) in
            try ledger.deliveries(of: record.sequence, to: target).first
        }
        #expect(delivery?.subject == record.event.subject)
        #expect(delivery?.state == .waiting)
        #expect(try await bank.verifier.notice(of: try #require(delivery)) != nil)
        #expect(created?.event.subject == payment.id.text)
    }

    @Test func `SEC-10: among the devices with the same PIN does not prevent the permanent lock`()
        async throws
    {
        func copy(_ table: Table, _ replaced: [String: String], where condition: String) -> String {
            let columns = table.columns.map { "\($0.name)" }
            let values = columns.map { replaced[$0] ?? $0 }
            return """
                INSERT INTO \(table.name) (\(columns.joined(separator: ", ")))
                SELECT \(values.joined(separator: ", ")) FROM \(table.name) WHERE \(condition);
                """
        }
        let forged = "x'" + String(repeating: "07", count: phone.id.bytes.count) + "'"
        let isOwn = "kind = 1"
        try premises.tamper(
            premises.inEngine(
                copy(.devices, ["id": forged, "name": "'forged'"], where: "1 = 1")
                    + copy(
                        .credentials,
                        ["device": forged, "counting_device": "device"],
                        where: isOwn
                    )
            )
        )
        for left in (1...4).reversed() {
            #expect(try await phone.checkPIN(with: .wrong, in: bank) == .wrong(left: left))
        }
        #expect(try await phone.checkPIN(with: .wrong, in: bank) == .refused(.wrongCode(.blocked)))
        #expect(bank.verifier.forgeries.count == 1)
        #expect(try await phone.checkPIN(in: bank) == .refused(.blocked))
        #expect(try await bank.verifier.status(of: phone.id)?.status == .blocked)
    }
}
