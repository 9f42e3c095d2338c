import Foundation
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

/// An attacker changes rows of a backup, or puts rows into it, before its restore.
@Suite(.onEveryStore) struct `A restore of a backup with forged rows` {
    private let premises: Premises
    private let backup: String

    init() throws {
        premises = try Premises()
        backup = premises.path + "/backup"
    }

    private func putBack(_ bank: Bank) async throws {
        await bank.database.close()
        try premises.store.putBack(backup)
    }

    /// There are more forged rows than one batch has, and they come before all others.
    @Test func `SEC-101: ends all other requests and activations, and names the rows`() async throws
    {
        var bank = try await premises.begin()
        _ = try await bank.activate()
        let payments = [try await bank.pay(1), try await bank.pay(2), try await bank.pay(3)]
        let (one, two) = (try await bank.addAccount("1"), try await bank.addAccount("2"))
        let issued = [try await bank.issue(for: one).id, try await bank.issue(for: two).id]
        try await premises.store.backUp(to: backup)
        try await putBack(bank)
        try premises.insertOpen(501, into: .transactions, like: payments[0].id.text, as: "forged")
        try premises.insertOpen(2, into: .transactions, like: payments[0].id.text, as: "no id ")
        try premises.insertOpen(3, into: .activations, like: issued[0].text, as: "no id ")
        try premises.tamper(
            """
            UPDATE transactions SET deadline = -5 WHERE id = '\(payments[0].id)';
            UPDATE activations SET deadline = -5 WHERE id = '\(issued[0])'
            """
        )
        let restoration = try await premises.restore()
        #expect(restoration.voidedTransactions == 2)
        #expect(restoration.closedActivations == 1)
        #expect(restoration.forged.count == 508)
        #expect(Set(restoration.forged.names).count == 508)
        #expect(restoration.forged.names.contains("transactions id=no id 2"))
        #expect(restoration.forged.names.contains("transactions id=\(payments[0].id)"))
        #expect(restoration.forged.names.contains("activations id=\(issued[0])"))

        bank = try await premises.open()
        for payment in payments.dropFirst() {
            #expect(try await bank.state(of: payment) == .closed(.void, at: bank.clock.now))
        }
        await #expect(throws: StoreFailure.self) { _ = try await bank.state(of: payments[0]) }
        #expect(try await bank.count(of: .rowForged) == 508)
        #expect(try await bank.count(of: .transactionVoided) == 2)
        await bank.database.close()
    }

    @Test func `SEC-101: lists the changes of forged rows, and replays all others`() async throws {
        var bank = try await premises.begin(policy: #"{"devicesPerAccount": 2}"#)
        let (first, second) = (try await bank.activate(), try await bank.activate())
        let (account, third) = try await bank.activate("4712")
        let other = try await bank.addLinkedAccount("4713", to: account)
        _ = try await bank.makeToken("core")
        let kept = try await bank.makeToken("auditor", for: .auditor)
        try await premises.store.backUp(to: backup)
        try await bank.revoke(first)
        #expect(try await bank.setEnabled(false, third) == .done)
        let unlinked = try await bank.verifier.unlink(other.key, from: account, by: Bank.core)
        #expect(unlinked == .done)
        for name in ["core", "auditor"] {
            let name = BankTokenName(checked: name)
            #expect(try await bank.verifier.revokeToken(named: name, by: .operatorCommand))
        }
        try await bank.revoke(second)
        try await putBack(bank)
        try premises.tamper(
            """
            UPDATE devices SET name = 'Other' WHERE id = \(premises.literal(first.id.bytes));
            UPDATE credentials SET generation = 7
                WHERE device = \(premises.literal(third.id.bytes)) AND kind = 1;
            UPDATE accounts SET muted_until = 7 WHERE id = '4713';
            UPDATE bank_tokens SET expiry = 7 WHERE name = 'core'
            """
        )
        let restoration = try await premises.restore()
        #expect(
            restoration.unreplayed.map(\.event.kind) == [
                .deviceRevoked, .credentialDisabled, .accountsUnlinked, .bankTokenRevoked,
            ]
        )
        #expect(restoration.replayed == 2)
        #expect(restoration.forged.count == 4)
        #expect(restoration.needsOperator)
        bank = try await premises.open()
        #expect(try await bank.credential(of: second).device.status == .revoked)
        #expect(try await bank.verifier.token(shown: kept) == nil)
        await bank.database.close()
    }

    /// Pages continue after such a key as SQLite orders it.
    @Test(arguments: ["x'2dff'", "x'2d00'"])
    func `SEC-101: goes on after a key that is not text`(_ key: String) async throws {
        guard case .file = premises.store else { return }
        let bank = try await premises.begin()
        _ = try await bank.activate()
        let payments = [try await bank.pay(1), try await bank.pay(2)]
        try await premises.store.backUp(to: backup)
        try await putBack(bank)
        // The last row of a full page, with the deadline of the others.
        try premises.insertOpen(499, into: .transactions, like: payments[0].id.text, as: "-")
        try premises.insertOpen(1, into: .transactions, like: payments[0].id.text, as: "last")
        try premises.tamper(
            """
            UPDATE transactions SET id = CAST(\(key) AS TEXT), deadline =
                (SELECT deadline FROM transactions WHERE id = '\(payments[0].id)')
                WHERE id = 'last1'
            """
        )
        let restoration = try await premises.restore()
        #expect(restoration.voidedTransactions == 2)
        #expect(restoration.forged.count == 500)
        #expect(try await premises.audit(withKeys: true).findings.count >= 500)
    }

    /// The attacker's aim: a restore that trusts all rows.
    @Test(arguments: [
        "UPDATE audit SET detail = 'other' WHERE sequence = 3",
        "UPDATE audit SET sequence = 300 WHERE sequence = 3",
        "DELETE FROM audit WHERE sequence = 3",
    ])
    func `names the first wrong record of a damaged trail, and changes nothing`(
        _ change: String
    ) async throws {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        await bank.database.close()
        try premises.tamper(change)
        let before = try premises.store.output(of: "SELECT id, tag FROM devices")
        await #expect(throws: JournalFailure.damagedTrail(at: 3)) {
            _ = try await premises.restore()
        }
        #expect(try premises.store.output(of: "SELECT id, tag FROM devices") == before)
        guard !change.contains("300") else { return }
        let restoration = try await premises.restore(comparingRows: false)
        #expect(!restoration.comparesRows)
        #expect(restoration.needsOperator)
        let restored = try Bank(premises)
        #expect(try await restored.credential(of: phone).device.status == .active)
        await restored.database.close()
    }

    @Test func `names a record that was added to the trail or removed from its end`() async throws {
        let bank = try await premises.begin()
        _ = try await bank.activate()
        try await premises.store.backUp(to: backup)
        let end = try await bank.read { ledger throws(StoreFailure) in try ledger.state().audit }
        let number = end.sequence
        try await putBack(bank)
        let columns = Table.audit.columns.dropFirst().map { "\($0.name)" }
            .joined(separator: ", ")
        try premises.tamper(
            """
            INSERT INTO audit (sequence, \(columns)) SELECT sequence + 1, \(columns) FROM audit
            WHERE sequence = \(number)
            """
        )
        await #expect(throws: JournalFailure.damagedTrail(at: number + 1)) {
            _ = try await premises.restore()
        }
        try premises.tamper("DELETE FROM audit WHERE sequence >= \(number)")
        await #expect(throws: JournalFailure.damagedTrail(at: number)) {
            _ = try await premises.restore()
        }
    }

    /// Its memory is bounded, and a part of the rows must not be trusted silently.
    @Test func `changes nothing if more rows are wrong than it can name`() async throws {
        let bank = try await premises.begin()
        _ = try await bank.activate()
        let payment = try await bank.pay()
        await bank.database.close()
        let count = AuditReport.maximumFindings + 1
        try premises.insertOpen(count, into: .transactions, like: payment.id.text, as: "forged")
        await #expect(throws: JournalFailure.contradictedRows) { _ = try await premises.restore() }
        let restoration = try await premises.restore(comparingRows: false)
        #expect(restoration.forged.names.count == NamedRows.maximumNames + 1)
        #expect(restoration.forged.names.last == NamedRows.furtherRows)
        #expect(restoration.voidedTransactions == 1)
    }
}

/// The verifier's own rows match their trail.
@Suite(.onEveryStore) struct `A restore of a backup without forged rows` {
    private let premises: Premises
    private let backup: String

    init() throws {
        premises = try Premises()
        backup = premises.path + "/backup"
    }

    private func restore(_ bank: Bank) async throws -> Restoration {
        await bank.database.close()
        try premises.store.putBack(backup)
        let restoration = try await premises.restore()
        #expect(try await premises.audit(againstJournal: true, withKeys: true).findings == [])
        return restoration
    }

    @Test func `names no row, although the backup was made while decisions went on`() async throws {
        let bank = try await premises.begin(policy: #"{"devicesPerAccount": 2}"#)
        let phone = try await bank.activate()
        let deciding = Task {
            for number in 1...20 {
                let payment = try await bank.pay(UInt64(number))
                _ = try await phone.decide(on: payment, in: bank)
                _ = try await phone.checkPIN(with: .wrong, in: bank)
                _ = try await phone.checkPIN(in: bank)
            }
        }
        try await premises.store.backUp(to: backup)
        try await deciding.value
        try await bank.revoke(phone)
        let restoration = try await restore(bank)
        #expect(restoration.forged.isEmpty)
        #expect(!restoration.lostRecords.isEmpty)
    }

    @Test func `names no row after a retention`() async throws {
        let bank = try await premises.begin(
            policy: #"{"minimumTokenDigits": 6, "numberMatchingDigits": 2}"#
        )
        let phone = try await bank.activate()
        let token = try await SimulatedToken(serial: "A-1", in: bank)
        #expect(try await token.type(try token.code(at: 3), in: bank) == .accepted(nil))
        let (old, _) = try await bank.activate("4714")
        let new = Bank.account("4715").key
        #expect(try await bank.verifier.replace(old, by: new, by: Bank.core) == .done)
        for weeks in [0, 10] {
            bank.clock.advance(by: .seconds(weeks * 7 * 24 * 60 * 60))
            _ = try await bank.verifier.expire(atMost: 100)
            var removed = 1
            while removed > 0 { removed = try await bank.verifier.applyRetention(batch: 2) }
            for decision in [Decision.approve, .reject(.notMe)] {
                let (payment, number) = try await bank.payShowingNumber()
                _ = try await phone.decide(decision, on: payment, number: number, in: bank)
            }
            _ = try await phone.logIn(in: bank)
            try await phone.checkPIN(with: .wrong, in: bank)
            try await phone.type("00000000", in: bank)
            _ = try await bank.makeToken("token-\(weeks)")
            _ = try await bank.issue()
            _ = try await bank.pay()
        }
        try await premises.store.backUp(to: backup)
        let restoration = try await restore(bank)
        #expect(restoration.forged.isEmpty)
        #expect(restoration.closedActivations == 1)
    }
}

extension Premises {
    /// Bytes in the SQL of the engine.
    fileprivate func literal(_ bytes: [UInt8]) -> String {
        let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return inEngine("x'\(digits)'")
    }
}
