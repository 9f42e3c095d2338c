import Testing
import TransactionApproval
import VerifierWorld

@testable import Sealing
@testable import Storage
@testable import Verification

/// An attacker with the encryption keys decides for a person, but has no key of the device.
@Suite(.onEveryStore) struct `A decision without the signature of its device` {
    private let premises: Premises
    private let bank: Bank
    private let payment: Transaction

    init() async throws {
        premises = try Premises()
        bank = try await premises.begin()
        let phone = try await bank.activate()
        payment = try await bank.pay()
        let (ring, id, device) = (KeyRing(premises.keys), payment.id, phone.id)
        try await bank.database.write { connection throws(StoreFailure) in
            let ledger = Ledger(connection, ring)
            guard var record = try ledger.transaction(id) else { throw .damaged }
            let state = try ledger.state()
            record.close(as: .approved(with: .userPIN, by: device), at: state.audit.moment)
            try ledger.save(record)
            let event = Event(.transactionApproved, of: id, in: Bank.account)
            try ledger.record(
                [event],
                by: .device(device),
                at: state.audit.moment,
                after: state.audit
            )
        }
    }

    private var failure: Verifier.Failure {
        .store(.forged(row: "transactions id=\(payment.id)"))
    }

    @Test func `SEC-101: is reported neither to a reader nor in a list`() async throws {
        await #expect(throws: failure) {
            _ = try await bank.verifier.overview(of: payment.id, of: Bank.account)
        }
        await #expect(throws: failure) {
            _ = try await bank.verifier.transactions(of: Bank.account, limit: 10)
        }
    }

    private static let reopen = Statement(
        "UPDATE transactions SET state = \(StoredState.pending) WHERE id = $1"
    )

    /// The verifier has verified the rejection of the person, and remembers that.
    @Test func `SEC-101: is found although another decision was proven`() async throws {
        let phone = try await bank.activate()
        let other = try await bank.pay()
        try await phone.decide(.reject(.notMe), on: other, in: bank)
        _ = try await bank.verifier.overview(of: other.id, of: Bank.account)
        let (ring, id, device) = (KeyRing(premises.keys), other.id, phone.id)
        try await bank.database.write { connection throws(StoreFailure) in
            let ledger = Ledger(connection, ring)
            guard let record = try ledger.transaction(id), case .closed(_, let time) = record.state
            else { throw .damaged }
            let forged = TransactionRecord(
                id: id,
                account: record.account,
                canonicalBytes: record.canonicalBytes,
                acceptedAuthentication: record.acceptedAuthentication,
                created: record.created,
                deadline: record.deadline,
                source: record.source,
                number: nil,
                state: .closed(.approved(with: .userPIN, by: device), at: time),
                evidence: record.evidence
            )
            // The verifier itself closes only a transaction that is open.
            try connection.run(Self.reopen, [SQLValue(id)])
            try ledger.save(forged)
        }
        await #expect(throws: Verifier.Failure.store(.forged(row: "transactions id=\(id)"))) {
            _ = try await bank.verifier.overview(of: id, of: Bank.account)
        }
    }

    @Test func `SEC-101: is not in a message to the bank`() async throws {
        var sent: [Event.Kind] = []
        await #expect(throws: failure) {
            while let delivery = try await bank.verifier.takeDeliveries(to: .webhook, limit: 1)
                .first
            {
                let notice = try await bank.verifier.notice(of: delivery)
                if case .event(let event)? = notice { sent.append(event.record.event.kind) }
                try await bank.verifier.note(.delivered, of: delivery)
            }
        }
        #expect(!sent.isEmpty && !sent.contains(.transactionApproved))
    }

    @Test func `SEC-101: is a finding of an audit, with and without the encryption keys`()
        async throws
    {
        let row = "transactions id=\(payment.id)"
        let finding = AuditFinding(sequence: 0, kind: .unproven(row: row))
        let ring = KeyRing(premises.keys)
        #expect(
            try await AuditVerification.run(over: KeyedStore(bank.database)).findings == [finding]
        )
        #expect(
            try await AuditVerification.run(over: KeyedStore(bank.database, ring)).findings == [
                finding
            ]
        )
    }
}
