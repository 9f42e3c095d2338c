import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

/// A writer of the database changes which notifications a transaction had.
@Suite(.onEveryStore) struct `The notifications of a transaction` {
    @Test func `SEC-33, SEC-101: cannot be those of another one, and an audit finds it`()
        async throws
    {
        let premises = try Premises()
        let bank = try await premises.begin()
        try await bank.want(pushesOn: try await bank.activate())
        let (first, second) = (try await bank.pay(), try await bank.pay())
        bank.clock.advance(by: .seconds(30))
        func notify(_ payment: Transaction) async throws -> NotificationResult {
            try await bank.verifier.notify(of: payment.id, of: Bank.account, by: Bank.core)
        }
        #expect(try await notify(first) == .notified)
        try premises.tamper(
            "UPDATE audit SET subject = '\(second.id)' WHERE kind = 'transaction.notified'"
        )
        let failure = await #expect(throws: Verifier.Failure.self) { _ = try await notify(second) }
        guard case .store(let reason)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(reason.isForgery)
        await bank.database.close()
        #expect(try await !premises.audit().findings.isEmpty)
    }

    /// A delivery has no tag.
    @Test func `SEC-33, SEC-101: are not sent for a record that causes no push`() async throws {
        let premises = try Premises()
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        try await bank.want(pushesOn: phone)
        let first = try await bank.pay()
        try await phone.decide(.reject(.notMe), on: first, in: bank)
        let muted = try await bank.pay()
        let columns = Table.outbox.columns.map { "\($0.name)" }
        let values = columns.map { name in
            switch name {
            case "sequence": "(SELECT max(sequence) FROM audit WHERE kind = 'transaction.created')"
            case "subject": "'\(muted.id)'"
            default: name
            }
        }
        try premises.tamper(
            """
            INSERT INTO outbox (\(columns.joined(separator: ", ")))
            SELECT \(values.joined(separator: ", ")) FROM outbox
            WHERE target = \(Delivery.Target.push.rawValue)
            """
        )
        let taken = try await bank.verifier.takeDeliveries(to: .push, limit: 10)
        let forged = try #require(taken.first { $0.subject == muted.id.text })
        #expect(try await bank.verifier.notice(of: forged) == nil)
        await bank.database.close()
    }

    /// The columns of a delivery have no tag.
    @Test(arguments: ["started = -1", "enterprise = '!'", "device = x'00'"])
    func `are sent also after a delivery that another program changed`(
        _ change: String
    ) async throws {
        let premises = try Premises()
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        _ = try await webhooks(of: bank)
        for _ in 1...2 { try await phone.decide(on: try await bank.pay(), in: bank) }
        try premises.tamper(
            premises.inEngine("UPDATE outbox SET \(change) WHERE state = 0 AND due IS NOT NULL")
        )
        // The first look replaces the row.
        #expect(try await webhooks(of: bank).isEmpty)
        let approvals = Array(repeating: Event.Kind.transactionApproved, count: 2)
        #expect(try await webhooks(of: bank) == approvals)
        #expect(bank.verifier.forgeries.count == 1)
        #expect(!bank.verifier.outages.isOutage)
        #expect(try await bank.verifier.undelivered(countedTo: 9).dead == 0)
        await bank.database.close()
    }

    /// A malformed push of a forged device must not bring back those of the others.
    @Test func `are not repeated because of a forged device`() async throws {
        let premises = try Premises()
        let bank = try await premises.begin()
        try await bank.want(pushesOn: try await bank.activate())
        _ = try await bank.pay()
        for (table, key) in [(Table.devices, "id"), (.outbox, "device")] {
            let columns = table.columns.map { "\($0.name)" }
            let values = columns.map { $0 == key ? "x'07'" : $0 }
            let condition = key == "device" ? "target = 2" : "1 = 1"
            try premises.tamper(
                premises.inEngine(
                    """
                    INSERT INTO \(table.name) (\(columns.joined(separator: ", ")))
                    SELECT \(values.joined(separator: ", ")) FROM \(table.name) WHERE \(condition)
                    """
                )
            )
        }
        var taken = 0
        for _ in 1...5 {
            for push in try await bank.verifier.takeDeliveries(to: .push, limit: 9) {
                taken += 1
                try await bank.verifier.note(.delivered, of: push)
            }
        }
        #expect(taken == 1)
        await bank.database.close()
    }

    /// Takes and delivers all webhooks that are due, one after the other.
    private func webhooks(of bank: Bank) async throws -> [Event.Kind] {
        var kinds: [Event.Kind] = []
        while let delivery = try await bank.verifier.takeDeliveries(to: .webhook, limit: 9).first {
            if case .event(let notice)? = try await bank.verifier.notice(of: delivery) {
                kinds.append(notice.record.event.kind)
            }
            try await bank.verifier.note(.delivered, of: delivery)
        }
        return kinds
    }

    /// Each attempt would begin an outage, and the push would be repeated for ever.
    @Test(arguments: [
        "UPDATE outbox SET subject = 'x' WHERE target = 2",
        "UPDATE transactions SET deadline = deadline + 1",
    ])
    func `end if another program changed a push or its transaction`(_ change: String) async throws {
        let premises = try Premises()
        let bank = try await premises.begin()
        try await bank.want(pushesOn: try await bank.activate())
        _ = try await bank.pay()
        try premises.tamper(change)
        let push = try #require(try await bank.verifier.takeDeliveries(to: .push, limit: 9).first)
        let failure = await #expect(throws: Verifier.Failure.self) {
            _ = try await bank.verifier.notice(of: push)
        }
        #expect(failure?.isOutage == false)
        #expect(try await bank.verifier.note(.failed(jitter: 0), of: push) == .delivered)
        #expect(!bank.verifier.outages.isOutage)
        await bank.database.close()
    }
}
