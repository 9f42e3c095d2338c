import Cryptography
import OneTimePassword
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Sealing
@testable import Storage
@testable import Verification

@Suite(.onEveryStore) struct `An audit of the rows` {
    private let premises: Premises

    /// SQLite's tables can lose their types, so bytes of a row could become text.
    @Test func `SEC-101: a text that is not UTF-8 has another digest than its bytes`() throws {
        let bytes: [UInt8] = [0xff, 0xfe]
        let digests = try [SQLValue.bytes(bytes), .malformedText(bytes)].map {
            try [$0].traceDigest()
        }
        #expect(digests[0] != digests[1])
    }

    /// The files are created once; each test gets a copy.
    init() async throws {
        premises = try await Self.filled[.current].unwrapped().value.copied()
    }

    private static let filled = Dictionary(
        uniqueKeysWithValues: StoreKind.installed.map { kind in
            (kind, Task { try await filledPremises(on: kind) })
        }
    )

    /// The files of a closed store with a row of each kind, in each of its states.
    private static func filledPremises(on kind: StoreKind) async throws -> Premises {
        let premises = try Premises(on: kind)
        let policy = #"{"minimumTokenDigits": 6, "numberMatchingDigits": 2, "lookAhead": 10}"#
        let bank = try await premises.begin(policy: policy)
        let phone = try await bank.activate()
        for serial in ["A-1", "A-2"] {
            let token = try await SimulatedToken(serial: serial, in: bank)
            #expect(try await token.type(try token.code(at: 3), in: bank) == .accepted(nil))
        }
        let (transaction, number) = try await bank.payShowingNumber()
        try await phone.decide(on: transaction, number: number, in: bank)
        try await phone.decide(.reject(.notMe), on: try await bank.pay(), in: bank)
        let linked = try await bank.addLinkedAccount("4712")
        let others = try await bank.activateAll(linked, 2)
        try await others[1].checkPIN(with: .wrong, in: bank)
        let (_, locked) = try await bank.activate("4713")
        for _ in 1...5 { try await locked.checkPIN(with: .wrong, in: bank) }
        let (old, moved) = try await bank.activate("4714")
        let new = Bank.account("4715").key
        #expect(try await bank.verifier.replace(old, by: new, by: Bank.core) == .done)
        #expect(try await moved.changePIN(in: bank) == .accepted(nil))
        _ = try await bank.issue(for: linked)
        bank.clock.advance(by: .seconds(8 * 24 * 60 * 60))
        _ = try await bank.verifier.applyRetention()
        _ = try await bank.verifier.setPush(.off, on: phone.id, attempt: .random())
        let (last, digits) = try await bank.payShowingNumber()
        try await phone.decide(on: last, number: digits, in: bank)
        guard
            case .accepted(let grant?) = try await phone.logIn(in: bank),
            case .accepted(.some) = try await phone.logIn(in: bank)
        else { throw Bank.Unexpected() }
        _ = try await bank.verifier.redeemLogin(
            grant,
            of: Bank.account,
            over: Phone.challenge,
            by: Bank.core
        )
        _ = try await bank.pay()
        _ = try await bank.makeToken()
        try await phone.type("00000000", in: bank)
        try await bank.journalNow()
        await bank.database.close()
        return premises
    }

    /// More than one page of rows, and more findings than the list has places.
    @Test func `counts all deleted rows`() async throws {
        let count = AuditReport.maximumFindings + 100
        let bank = try await premises.open()
        await withTaskGroup { group in
            for number in 0..<count {
                group.addTask {
                    let account = Bank.account("deleted-\(number)")
                    let result = try? await bank.verifier.addAccount(account, by: Bank.core)
                    #expect(result == .done)
                }
            }
        }
        await bank.database.close()
        try premises.tamper("DELETE FROM accounts WHERE id LIKE 'deleted-%'")
        let audit = try await premises.audit(withKeys: false)
        #expect(audit.findings.count == AuditReport.maximumFindings)
        #expect(audit.furtherCount == 100)
        #expect(
            audit.findings.allSatisfy { finding in
                if case .missing = finding.kind { true } else { false }
            }
        )
    }

    @Test func `has no finding in the verifier's own rows`() async throws {
        for withKeys in [true, false] {
            let audit = try await premises.audit(againstJournal: true, withKeys: withKeys)
            #expect(audit.findings == [])
        }
    }

    @Test(arguments: [
        """
        INSERT INTO accounts (enterprise, type, id) SELECT enterprise, type, '4799' FROM accounts
            WHERE id = '4711'
        """,
        """
        INSERT INTO enterprises SELECT 'other', policy, policy_version, tag FROM enterprises
        """,
        """
        INSERT INTO activations SELECT substr(id, 3) || substr(id, 1, 2), enterprise, account_type,
            account_id, issued, deadline, state, closed, code, claim_digest, claim_offer,
            failure_times, tag, is_web
            FROM activations
        """,
        """
        INSERT INTO devices SELECT (SELECT id FROM credentials ORDER BY id LIMIT 1), enterprise,
            account_type, account_id, public_key, token_suite, name, status, activated, notifications,
            tag, notifications_tag, waits, waiting_amounts, is_web
            FROM devices WHERE public_key IS NOT NULL ORDER BY id LIMIT 1
        """,
        """
        INSERT INTO credentials SELECT device, 3, id, generation, counter, status, confirmed_epoch,
            seed, copy_detected, counting_device, consecutive_failures, consecutive_locks,
            locked_until, blocked, failure_times, tag, failures_tag FROM credentials WHERE kind = 2
        """,
        """
        INSERT INTO transactions SELECT substr(id, 3) || substr(id, 1, 2), enterprise,
            account_type, account_id, canonical_bytes, accepted_authentication, created, deadline,
            number, state, closed, device, detail, evidence, tag, source FROM transactions
        """,
        """
        INSERT INTO archived_transactions SELECT substr(id, 3) || substr(id, 1, 2), enterprise,
            account_type, account_id, canonical_bytes, accepted_authentication, created, deadline,
            state, closed, device, detail, evidence, tag, source
            FROM archived_transactions
        """,
        """
        INSERT INTO archived_transactions SELECT id, enterprise, account_type, account_id,
            canonical_bytes, accepted_authentication, created, deadline, state, closed, device,
            detail, evidence, tag, source FROM transactions WHERE state = 1
        """,
        """
        INSERT INTO logins SELECT substr(id, 3) || substr(id, 1, 2), enterprise, account_type,
            account_id, device, type, data_digest, granted, redeemed, tag FROM logins
        """,
        """
        INSERT INTO bank_tokens SELECT (SELECT id FROM credentials ORDER BY id LIMIT 1),
            secret_digest, 'other', enterprise, role, created, expiry, revoked, tag FROM bank_tokens
        """,
        """
        INSERT INTO bank_calls SELECT enterprise, 'other', created, fingerprint, outcome, tag
            FROM bank_calls ORDER BY idempotency_key LIMIT 1
        """,
    ])
    func `SEC-50: finds an added row without a record`(_ statement: String) async throws {
        try premises.tamper(statement)
        #expect(try await premises.audit().findings != [])
    }

    @Test(arguments: [
        "UPDATE accounts SET is_test = 1 WHERE id = '4711'",
        "UPDATE credentials SET counter = counter - 1 WHERE counter > 0",
        "UPDATE credentials SET counter = counter + 1 WHERE kind = 1",
        "UPDATE credentials SET consecutive_failures = 0 WHERE consecutive_failures > 0",
        "UPDATE credentials SET consecutive_locks = 0 WHERE consecutive_locks > 0",
        "UPDATE credentials SET locked_until = NULL WHERE locked_until IS NOT NULL",
        "UPDATE credentials SET failure_times = substr(failure_times, 9) WHERE consecutive_locks > 0",
        "UPDATE credentials SET generation = 0 WHERE generation = 1",
        "UPDATE credentials SET confirmed_epoch = 7 WHERE kind = 1",
        "UPDATE credentials SET copy_detected = 1 WHERE kind = 1",
        "UPDATE credentials SET counting_device = device WHERE kind = 1",
    ])
    func `SEC-04, SEC-08: finds a counter or lock that was reset in its row`(
        _ statement: String
    ) async throws {
        try premises.tamper(statement)
        #expect(try await premises.audit().findings != [])
    }

    @Test func `SEC-04: names a credential that has its values before the last code again`()
        async throws
    {
        let premises = try Premises()
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        for _ in 1...2 { try await phone.checkPIN(in: bank) }
        let last = try await bank.read { ledger throws(StoreFailure) in
            try ledger.state().audit.sequence
        }
        await bank.database.close()
        try premises.tamper("UPDATE credentials SET counter = 1 WHERE kind = 1 AND counter = 2")
        let row = "credentials device=\(phone.id) kind=1"
        let finding = AuditFinding(sequence: last, kind: .contradicted(row: row))
        #expect(try await premises.audit().findings == [finding])
    }

    /// The request limits do not count archived transactions.
    @Test func `SEC-50: finds transactions that were archived before their time`() async throws {
        try premises.tamper(
            """
            INSERT INTO archived_transactions SELECT id, enterprise, account_type, account_id,
                canonical_bytes, accepted_authentication, created, deadline, state, closed, device,
                detail, evidence, tag, source FROM transactions WHERE closed IS NOT NULL;
            DELETE FROM transactions WHERE closed IS NOT NULL
            """
        )
        let findings = try await premises.audit().findings
        #expect(findings.count == 1)
        guard case .archivedEarly(let row)? = findings.first?.kind else { throw Bank.Unexpected() }
        #expect(row.hasPrefix("archived_transactions id="))
    }

    @Test func `SEC-50: names an added row and a missing row by their keys`()
        async throws
    {
        let premises = try Premises()
        let bank = try await premises.begin()
        _ = try await bank.addAccount("4712")
        await bank.database.close()
        try premises.tamper("UPDATE accounts SET id = '4713' WHERE id = '4712'")
        let name = "accounts enterprise=bank type=main id="
        #expect(
            try await premises.audit().findings == [
                AuditFinding(sequence: 0, kind: .unrecorded(row: name + "4713")),
                AuditFinding(sequence: 3, kind: .missing(row: name + "4712")),
            ]
        )
    }

    /// An empty key is before all others.
    @Test func `SEC-50: names an added row with an empty key`() async throws {
        try premises.tamper(
            """
            INSERT INTO enterprises (id, policy, policy_version, tag)
            SELECT '', policy, policy_version, tag FROM enterprises
            """
        )
        let added = AuditFinding.Kind.unrecorded(row: "enterprises id=")
        #expect(try await premises.audit().findings.map(\.kind) == [added])
        #expect(try await premises.audit(withKeys: true).findings.map(\.kind).contains(added))
    }

    @Test(arguments: [
        #"UPDATE enterprises SET policy = '{"devicesPerAccount": 20}'"#,
        "UPDATE devices SET public_key = substr(public_key, 2) WHERE public_key IS NOT NULL",
        "UPDATE devices SET token_suite = 'HOTP-SHA1-8' WHERE token_suite IS NOT NULL",
        "UPDATE devices SET activated = activated + 1",
        "UPDATE devices SET notifications = 'events'",
        """
        UPDATE devices SET name = 'A-0' WHERE name = 'A-1';
        UPDATE devices SET name = 'A-1' WHERE name = 'A-2';
        UPDATE devices SET name = 'A-2' WHERE name = 'A-0';
        """,
        "UPDATE transactions SET canonical_bytes = substr(canonical_bytes, 2) WHERE state = 0",
        "UPDATE transactions SET canonical_bytes = substr(canonical_bytes, 2) WHERE state = 1",
        "UPDATE transactions SET accepted_authentication = 1 WHERE state = 0",
        "UPDATE transactions SET deadline = deadline + 1 WHERE state = 0",
        "UPDATE transactions SET number = NULL WHERE state = 0",
        "UPDATE transactions SET evidence = NULL WHERE state = 1",
        "UPDATE archived_transactions SET evidence = NULL WHERE state = 1",
        "UPDATE archived_transactions SET canonical_bytes = substr(canonical_bytes, 2)",
        "UPDATE accounts SET person = NULL WHERE id = '4712'",
        "UPDATE accounts SET replaced_by_type = NULL, replaced_by_id = NULL WHERE id = '4714'",
        "UPDATE accounts SET muted_until = 0 WHERE muted_until IS NOT NULL",
        "UPDATE activations SET deadline = deadline + 1 WHERE closed IS NULL",
        "UPDATE activations SET account_id = '4711'",
        "UPDATE logins SET redeemed = NULL WHERE redeemed IS NOT NULL",
        "UPDATE logins SET redeemed = 5",
        "UPDATE logins SET account_id = '4712'",
        "UPDATE attempts SET verdict = 'accepted' WHERE verdict <> 'accepted'",
        "UPDATE attempts SET verdict = 'unchanged' WHERE verdict <> 'unchanged'",
        "UPDATE attempts SET verdict = 'accepted' WHERE verdict = 'unchanged'",
        "UPDATE attempts SET fingerprint = substr(fingerprint, 2)",
        "UPDATE bank_calls SET outcome = 'accepted'",
        "UPDATE bank_calls SET fingerprint = substr(fingerprint, 2)",
        "UPDATE outbox SET subject = 'other' WHERE target = 1",
        "UPDATE outbox SET sequence = sequence + 1000",
        "UPDATE verifier SET epoch = 7",
    ])
    func `SEC-50: finds a row that differs from its record`(
        _ statement: String
    ) async throws {
        try premises.tamper(statement)
        #expect(try await premises.audit().findings != [])
    }

    @Test(arguments: [
        "DELETE FROM credentials WHERE kind = 2", "DELETE FROM archived_transactions",
        "DELETE FROM transactions WHERE state = 1", "DELETE FROM accounts WHERE id = '4799'",
    ])
    func `SEC-50: finds that a row is missing that the verifier never deletes`(
        _ statement: String
    ) async throws {
        let bank = try await premises.open()
        _ = try await bank.addAccount("4799")
        await bank.database.close()
        try premises.tamper(statement)
        #expect(try await premises.audit().findings != [])
    }

    /// Otherwise a repeated call of the bank would have its effect again, for example.
    @Test(arguments: ["activations", "attempts", "bank_calls", "logins"])
    func `SEC-50: finds that a row is missing that no retention has deleted`(
        _ table: String
    ) async throws {
        try premises.tamper("DELETE FROM \(table)")
        let findings = try await premises.audit().findings
        #expect(findings != [])
        #expect(findings.allSatisfy { $0.kind.isMissing(in: table) })
    }

    /// A node can be down for long, and delete rows at its start.
    @Test func `has no finding after a retention of a quiet store`() async throws {
        let bank = try await premises.open()
        for days in [1, 2, 3, 30] {
            bank.clock.advance(by: .seconds(days * 24 * 60 * 60))
            var removed = 1
            while removed > 0 { removed = try await bank.verifier.applyRetention() }
            #expect(try await AuditVerification.run(over: KeyedStore(bank.database)).findings == [])
        }
        let calls = try await bank.read { ledger throws(StoreFailure) in
            try ledger.connection.rows(Self.selectCalls, []).count
        }
        #expect(calls == 0)
        await bank.database.close()
    }

    private static let selectCalls = Statement("SELECT 1 FROM bank_calls")
}

extension AuditFinding.Kind {
    fileprivate func isMissing(in table: String) -> Bool {
        if case .missing(let row) = self { row.hasPrefix(table + " ") } else { false }
    }
}
