import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

/// An attacker with the database and one token wants to be both persons.
@Suite(.onEveryStore) struct `A forged call of a first person` {
    private let premises: Premises
    private let bank: Bank
    private let phone: Phone
    private let thief: BankToken

    init() async throws {
        premises = try Premises()
        bank = try await premises.begin()
        phone = try await bank.activate()
        _ = try await bank.makeToken("core", for: .customerService)
        _ = try await bank.makeToken("thief", for: .customerService)
        let tokens = try await bank.verifier.tokens().tokens
        thief = try #require(tokens.first { $0.name.text == "thief" })
    }

    private func call(_ content: String, by token: BankToken) async throws -> TwoPersonCall {
        try await bank.verifier.twoPersonCall(
            "revokeDevice",
            within: .account(Bank.account),
            by: token.id,
            named: token.author.actor,
            for: Array(content.utf8),
            keyed: nil
        )
    }

    private func request(_ content: String, by token: BankToken) async throws -> RequestedCallID {
        let result = try await bank.verifier.request(call(content, by: token), by: token.author)
        guard case .requested(let requested) = result else { throw Bank.Unexpected() }
        return requested.id
    }

    private func core() async throws -> BankToken {
        try #require(try await bank.verifier.tokens().tokens.first { $0.name.text == "core" })
    }

    /// Revokes the phone as the thief.
    private func confirm(_ id: RequestedCallID, _ content: String) async throws {
        let author = thief.author.confirming(id, by: try await call(content, by: thief))
        _ = try await bank.verifier.revoke(phone.id, of: Bank.account, by: author)
    }

    @Test(
        arguments: [
            // The thief's own call, as if another token had requested it.
            "UPDATE requested_calls SET token = (SELECT id FROM bank_tokens WHERE name = 'core')",
            "UPDATE requested_calls SET created = created + 1",
            "UPDATE requested_calls SET tag = NULL",
        ]
    )
    func `SEC-101, SEC-123: is not believed`(_ edit: String) async throws {
        let id = try await request("theft", by: thief)
        try premises.tamper(edit)
        await expectForgery("requested_calls ") { try await confirm(id, "theft") }
        #expect(try await bank.count(of: .callConfirmed) == 0)
        #expect(try await bank.count(of: .deviceRevoked) == 0)
    }

    @Test func `SEC-101, SEC-123: the call of another token with another content is not believed`()
        async throws
    {
        _ = try await request("theft", by: thief)
        let id = try await request("right", by: try await core())
        let own = "WHERE token = (SELECT id FROM bank_tokens WHERE name = 'thief')"
        try premises.tamper(
            """
            UPDATE requested_calls SET fingerprint =
                (SELECT fingerprint FROM requested_calls \(own)) WHERE id = \(bytes(id))
            """
        )
        await expectForgery("requested_calls ") { try await confirm(id, "theft") }
        #expect(try await bank.count(of: .deviceRevoked) == 0)
    }

    @Test func `SEC-101, SEC-123: a row under another id is not believed`() async throws {
        let id = try await request("right", by: try await core())
        let other = try RequestedCallID.random()
        try premises.tamper("UPDATE requested_calls SET id = \(bytes(other))")
        await expectForgery("requested_calls ") { try await confirm(other, "right") }
        let failure = await #expect(throws: Verifier.Failure.self) {
            try await confirm(id, "right")
        }
        #expect(failure == .confirmation(.unknown))
    }

    @Test func `SEC-101, SEC-123: a renamed token is not a second person`() async throws {
        let id = try await request("theft", by: thief)
        try premises.tamper("UPDATE bank_tokens SET name = 'other' WHERE name = 'thief'")
        await expectForgery("bank_tokens ") { try await confirm(id, "theft") }
        #expect(try await bank.count(of: .deviceRevoked) == 0)
    }

    @Test func `SEC-101, SEC-123: a confirmed call that is put back has no second effect`()
        async throws
    {
        let id = try await request("right", by: try await core())
        try premises.keepRows(of: .requestedCalls)
        try await confirm(id, "right")
        try premises.putBackRows(of: .requestedCalls)
        await expectForgery("requested_calls ") { try await confirm(id, "right") }
        #expect(try await bank.count(of: .callConfirmed) == 1)
        // After a restart the audit still finds it.
        await bank.database.close()
        let findings = try await premises.audit().findings
        #expect(findings.contains { $0.kind.row?.hasPrefix("requested_calls ") == true })
    }

    @Test func `SEC-123: a call that was requested before a restore expires`()
        async throws
    {
        let id = try await request("right", by: try await core())
        await bank.database.close()
        _ = try await premises.restore()
        let restored = try await premises.open()
        let call = try await restored.verifier.twoPersonCall(
            "revokeDevice",
            within: .account(Bank.account),
            by: thief.id,
            named: thief.author.actor,
            for: Array("right".utf8),
            keyed: nil
        )
        let author = thief.author.confirming(id, by: call)
        let failure = await #expect(throws: Verifier.Failure.self) {
            _ = try await restored.verifier.revoke(phone.id, of: Bank.account, by: author)
        }
        #expect(failure == .confirmation(.expired))
        await restored.database.close()
    }

    @Test func `old rows are removed, and an audit accepts the rest`() async throws {
        let old = try await request("old", by: try await core())
        bank.clock.advance(by: .seconds(3 * 24 * 60 * 60))
        try await bank.verifier.recordTime(by: .operatorCommand)
        let new = try await request("new", by: try await core())
        #expect(try await bank.verifier.applyRetention() > 0)
        let left = try await bank.read { ledger throws(StoreFailure) in
            [try ledger.requestedCall(old), try ledger.requestedCall(new)].map { $0 != nil }
        }
        #expect(left == [false, true])
        await bank.database.close()
        #expect(try await premises.audit().findings == [])
    }

    private func bytes(_ id: RequestedCallID) -> String {
        bank.database is SQLiteDatabase ? "x'\(id)'" : "'\\x\(id)'"
    }

    private func expectForgery(_ row: String, _ use: () async throws -> Void) async {
        let failure = await #expect(throws: Verifier.Failure.self) { try await use() }
        guard case .store(let failure)? = failure, case .forged(let found) = failure.reason else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(found.hasPrefix(row))
    }
}
