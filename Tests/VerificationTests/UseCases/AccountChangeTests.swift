import Storage
import TestSupport
import Testing
import TransactionApproval
import Verification
import VerifierWorld

/// A thief changes an account; the person's own device must show it.
@Suite(.onAnyStore) struct `Changes of an account that a device shows` {
    private func changes(
        on phone: Phone,
        in bank: Bank
    ) async throws -> [AccountChangesExchange.Change] {
        guard case .found(let changes) = try await bank.verifier.accountChanges(for: phone.id)
        else { throw Bank.Unexpected() }
        return changes
    }

    private func kinds(on phone: Phone, in bank: Bank) async throws -> [AccountChangeKind] {
        try await changes(on: phone, in: bank).map(\.kind)
    }

    @Test func `SEC-120: show a thief's device from its activation to the lock, newest first`()
        async throws
    {
        var bank = try await Bank()
        let phone = try await bank.activate()
        bank.clock.advance(by: .seconds(1))
        #expect(try await changes(on: phone, in: bank) == [])
        let thief = try await bank.activate()
        #expect(try await kinds(on: phone, in: bank) == [.deviceActivated, .activationIssued])
        #expect(try await thief.changePIN(in: bank).isAccepted)
        try await thief.failUntilLocked(in: bank)
        try await bank.revoke(thief)
        try await bank.restart()
        let shown = try await changes(on: phone, in: bank)
        #expect(
            shown.map(\.kind) == [
                .deviceRevoked, .locked, .pinChanged, .deviceActivated, .activationIssued,
            ]
        )
        #expect(shown.map(\.deviceName?.text) == ["Phone", "Phone", "Phone", "Phone", nil])
        #expect(shown.allSatisfy { $0.moment <= bank.verifier.now })
    }

    @Test func `leave out changes by the device itself, and those before its activation`()
        async throws
    {
        let bank = try await Bank()
        _ = try await bank.activate()
        let phone = try await bank.activate()
        bank.clock.advance(by: .seconds(1))
        #expect(try await phone.changePIN(in: bank).isAccepted)
        let biometric = try await phone.rekey(.biometric, in: bank)
        #expect(try await phone.send(biometric, in: bank).isAccepted)
        try await phone.failUntilLocked(in: bank)
        #expect(try await changes(on: phone, in: bank) == [])
    }

    @Test func `SEC-120: show links and replacements on the devices of both accounts`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        bank.clock.advance(by: .seconds(1))
        let (other, second) = try await bank.activate("4712")
        bank.clock.advance(by: .seconds(1))
        _ = try await bank.verifier.link(Bank.account, to: other.key, by: Bank.core)
        // A code that was issued before the link now enrols this account too.
        #expect(try await kinds(on: phone, in: bank) == [.accountLinked, .activationIssued])
        #expect(try await kinds(on: second, in: bank) == [.accountLinked])
        _ = try await bank.verifier.replace(Bank.account, by: other.key, by: Bank.core)
        #expect(try await kinds(on: phone, in: bank).first == .accountReplaced)
        #expect(try await kinds(on: second, in: bank).first == .accountReplaced)
    }

    /// The activation of a linked account enrols a device for this one too.
    @Test func `SEC-120: show codes and links of linked accounts, and nothing else of them`()
        async throws
    {
        let bank = try await Bank(policy: #"{"linksAccounts": false}"#)
        let phone = try await bank.activate()
        bank.clock.advance(by: .seconds(1))
        let linked = try await bank.addLinkedAccount("4712")
        let former = try await bank.addLinkedAccount("4714", to: linked)
        _ = try await bank.verifier.unlink(former.key, from: linked, by: Bank.core)
        bank.clock.advance(by: .seconds(1))
        _ = try await bank.issue(for: former)
        let before = try await changes(on: phone, in: bank)
        #expect(before.map(\.kind) == [.accountLinked, .accountLinked])
        bank.clock.advance(by: .seconds(1))
        let thief = try await bank.activate(linked)
        #expect(try await thief.changePIN(in: bank).isAccepted)
        try await thief.failUntilLocked(in: bank)
        bank.clock.advance(by: .seconds(1))
        let other = try await bank.addLinkedAccount("4713", to: linked)
        bank.clock.advance(by: .seconds(1))
        _ = try await bank.issue(for: other)
        let new = try await changes(on: phone, in: bank).dropLast(before.count)
        #expect(new.map(\.kind) == [.activationIssued, .accountLinked, .activationIssued])
        #expect(new.map(\.account) == [other.key, linked.key, linked.key])
        #expect(new.allSatisfy { $0.deviceName == nil })
    }

    @Test func `SEC-120: are announced by the event stream, also those of linked accounts`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let linked = try await bank.addLinkedAccount("4712")
        func lastChange() async throws -> UInt64? {
            guard
                case .found(let pending) = try await bank.verifier.pendingNotifications(
                    for: phone.id
                )
            else { throw Bank.Unexpected() }
            return pending.lastChange
        }
        bank.clock.advance(by: .seconds(1))
        let before = try await lastChange()
        _ = try await bank.issue(for: linked)
        #expect(try await lastChange() ?? 0 > before ?? 0)
    }

    @Test func `SEC-54: show nothing of other accounts and enterprises, and nothing if revoked`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        bank.clock.advance(by: .seconds(1))
        let enterprise = EnterpriseID(checked: "other")
        try await bank.verifier.addEnterprise(enterprise, policy: "{}", by: .operatorCommand)
        let same = AccountReference(enterprise: enterprise, key: Bank.account.key)
        _ = try await bank.verifier.addAccount(same, by: .operatorCommand)
        _ = try await bank.activate(same)
        _ = try await bank.activate("4712")
        #expect(try await changes(on: phone, in: bank) == [])
        try await bank.revoke(phone)
        guard case .refused(.deviceRevoked) = try await bank.verifier.accountChanges(for: phone.id)
        else { throw Bank.Unexpected() }
    }

    @Test func `are at most twenty, the newest`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        bank.clock.advance(by: .seconds(1))
        for _ in 0..<13 {
            let other = try await bank.activate()
            bank.clock.advance(by: .seconds(1))
            try await bank.revoke(other)
        }
        let shown = try await changes(on: phone, in: bank)
        #expect(shown.count == 20)
        #expect(shown.first?.moment == bank.verifier.now)
    }

    @Test func `SEC-120: a thief cannot hide a new device behind other changes`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        bank.clock.advance(by: .seconds(1))
        let thief = try await bank.activate()
        let biometric = try await thief.rekey(.biometric, in: bank)
        #expect(try await thief.send(biometric, in: bank).isAccepted)
        for _ in 0..<25 {
            bank.clock.advance(by: .seconds(1))
            #expect(try await thief.changePIN(in: bank).isAccepted)
        }
        for _ in 0..<41 {
            bank.clock.advance(by: .seconds(1))
            _ = try await bank.issue()
        }
        let expected: [AccountChangeKind] = [.activationIssued, .pinChanged, .deviceActivated]
        #expect(try await kinds(on: phone, in: bank) == expected)
    }

    @Test func `SEC-120: show that a device moved to a linked account`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        bank.clock.advance(by: .seconds(1))
        let linked = try await bank.addLinkedAccount("4712")
        let (other, _) = try await bank.activate("4713")
        #expect(try await bank.verifier.replace(other, by: linked.key, by: Bank.core) == .done)
        let changes = try await changes(on: phone, in: bank)
        #expect(changes.first { $0.kind == .accountReplaced }?.account == linked.key)
    }

    @Test func `SEC-101: a forged record is not shown`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        bank.clock.advance(by: .seconds(1))
        _ = try await bank.issue()
        _ = try await bank.database.write { connection throws(StoreFailure) in
            try connection.run(forgeActivation, [])
        }
        await #expect(throws: Verifier.Failure.self) {
            _ = try await bank.verifier.accountChanges(for: phone.id)
        }
    }

    @Test func `are found without reading the trail`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        bank.clock.advance(by: .seconds(1))
        for _ in 0..<30 { try await phone.checkPIN(in: bank) }
        let watched = WatchedDatabase(bank.database)
        let verifier = bank.verifier(over: watched)
        _ = try await verifier.accountChanges(for: phone.id)
        let before = watched.rowCount
        _ = try await verifier.accountChanges(for: phone.id)
        #expect(watched.rowCount - before < 10)
    }
}

private let forgeActivation = Statement(
    "UPDATE audit SET kind = 'device.revoked' WHERE kind = 'activation.issued'"
)
