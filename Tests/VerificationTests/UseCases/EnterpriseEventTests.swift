import Storage
import Testing
import TransactionApproval
import VerifierWorld

@testable import Verification

private let other = EnterpriseID(checked: "other")

/// An attacker has an administrator's token, or access to the database.
@Suite(.onAnyStore) struct `Events of a whole enterprise` {
    private func twoBanks() async throws -> Bank {
        let bank = try await Bank()
        try await bank.verifier.addEnterprise(other, policy: "{}", by: .operatorCommand)
        return bank
    }

    private func webhooks(of bank: Bank) async throws -> [Delivery] {
        try await bank.verifier.takeDeliveries(to: .webhook, limit: 100)
    }

    private func event(of delivery: Delivery, in bank: Bank) async throws -> AuditRecord {
        guard case .event(let notice)? = try await bank.verifier.notice(of: delivery) else {
            throw Bank.Unexpected()
        }
        return notice.record
    }

    @Test func `SEC-118: a changed policy notifies its bank only, with the actor`() async throws {
        let bank = try await twoBanks()
        _ = try await bank.verifier.setPolicy(Bank.waitingPolicy, of: other, by: Bank.core)
        let deliveries = try await webhooks(of: bank)
        #expect(deliveries.map(\.concern) == [.enterprise(other)])
        let record = try await event(of: deliveries[0], in: bank)
        #expect(record.event.kind == .policyChanged)
        #expect(record.actor == Bank.core.actor)
        // The same policy again is not a change.
        _ = try await bank.verifier.setPolicy(Bank.waitingPolicy, of: other, by: Bank.core)
        try await bank.verifier.note(.delivered, of: deliveries[0])
        #expect(try await webhooks(of: bank).isEmpty)
    }

    @Test func `SEC-118: a new token notifies each bank that it can access`() async throws {
        let bank = try await twoBanks()
        _ = try await bank.makeToken("one", in: other)
        _ = try await bank.makeToken("all", for: .administrator, in: nil)
        var names: [EnterpriseID: [String]] = [:]
        while case let taken = try await webhooks(of: bank), !taken.isEmpty {
            for delivery in taken {
                let record = try await event(of: delivery, in: bank)
                #expect(record.event.kind == .bankTokenCreated)
                names[delivery.concern.enterprise, default: []].append(record.event.detail)
                try await bank.verifier.note(.delivered, of: delivery)
            }
        }
        #expect(names == [Bank.enterprise: ["all"], other: ["one", "all"]])
    }

    @Test func `a token of a store without enterprises has one event, and no webhook`() async throws
    {
        let premises = try Premises()
        let bank = try Bank(premises)
        try await bank.verifier.begin()
        _ = try await bank.makeToken("all", for: .administrator, in: nil)
        #expect(try await bank.count(of: .bankTokenCreated) == 1)
        #expect(try await webhooks(of: bank).isEmpty)
    }

    @Test func `keep their order, and do not wait for the events of accounts`() async throws {
        let bank = try await Bank()
        _ = try await bank.activate()
        _ = try await bank.makeToken("first")
        _ = try await bank.makeToken("second")
        let taken = try await webhooks(of: bank)
        #expect(taken.map(\.concern) == [.account(Bank.account), .enterprise(Bank.enterprise)])
        let listed = try await bank.verifier.deliveries(
            .waiting,
            of: Bank.enterprise,
            after: 0,
            limit: 10
        )
        let second = try #require(listed.last)
        #expect(second.delivery.concern == .enterprise(Bank.enterprise))
        #expect(second.waitsFor == taken[1].sequence)
        let sequence = taken[1].sequence
        #expect(try await bank.verifier.retry(sequence, to: .webhook, in: other) == 0)
        try await bank.giveUp(taken[1])
        #expect(try await bank.verifier.retry(sequence, to: .webhook, in: Bank.enterprise) == 1)
        let retried = try #require(try await bank.events().last)
        #expect(retried.concern == .enterprise(Bank.enterprise))
    }

    @Test func `SEC-101: an event that a forger assigned to another bank is not sent`() async throws
    {
        let bank = try await twoBanks()
        _ = try await bank.makeToken("one")
        _ = try await bank.database.write { connection throws(StoreFailure) in
            try connection.run(moveDeliveries, [])
        }
        let forged = try #require(try await webhooks(of: bank).first)
        #expect(forged.concern.enterprise == other)
        await #expect(throws: Verifier.Failure.self) {
            _ = try await bank.verifier.notice(of: forged)
        }
    }

    @Test func `SEC-50: are in the exports of their bank, and pass the audit`() async throws {
        let premises = try Premises()
        let bank = try await premises.begin()
        try await bank.verifier.addEnterprise(other, policy: "{}", by: .operatorCommand)
        _ = try await bank.verifier.setPolicy(Bank.waitingPolicy, of: other, by: Bank.core)
        _ = try await bank.makeToken("one")
        _ = try await bank.makeToken("all", for: .administrator, in: nil)
        var export = try await bank.verifier.auditExport(of: other, after: 0)
        var lines: [UInt8] = []
        while let page = try await export.next() { lines += page }
        let records = try lines.split(separator: UInt8(ascii: "\n"))
            .map { try AuditRecord(exported: Array($0)) }
        let kinds: [Event.Kind] = [.enterpriseCreated, .policyChanged, .bankTokenCreated]
        #expect(records.map(\.event.kind) == kinds)
        try await bank.journalNow()
        #expect(try await premises.audit(againstJournal: true).findings == [])
        _ = try await bank.database.write { connection throws(StoreFailure) in
            try connection.run(moveDeliveries, [])
        }
        await bank.database.close()
        #expect(try await premises.audit(againstJournal: true).findings != [])
    }
}

private let moveDeliveries = Statement(
    "UPDATE outbox SET enterprise = 'other' WHERE enterprise = 'bank' AND account_id = ''"
)
