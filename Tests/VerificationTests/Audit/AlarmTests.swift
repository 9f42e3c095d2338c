import OneTimePassword
import Storage
import Testing
import TransactionApproval
import VerifierWorld

@testable import Verification

/// No bank has a webhook.
@Suite(.onEveryStore) struct `Alarms` {
    @Test func `SEC-119: are counted from zero, also those of other nodes and commands`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let first = try await bank.verifier.countAlarms()
        #expect(Set(first.keys) == Set(Event.Kind.alarms))
        #expect(first.values.allSatisfy { $0 == 0 })

        try await phone.failUntilLocked(in: bank)
        let payment = try await bank.pay()
        try await phone.decide(.reject(.notMe), on: payment, in: bank)
        // A command of the operator is another process over the same store.
        let store = try bank.openAgain()
        let command = bank.verifier(over: store)
        _ = try await command.setPolicy(
            Bank.waitingPolicy,
            of: Bank.enterprise,
            by: .operatorCommand
        )
        let other = try await bank.addAccount("4712")
        _ = try await command.replace(Bank.account, by: other.key, by: .operatorCommand)
        await store.close()

        let counts = try await bank.verifier.countAlarms().filter { $0.value > 0 }
        let expected: [Event.Kind: Int] = [
            .failuresRepeated: 1, .credentialLocked: 1, .personDenied: 1, .policyChanged: 1,
            .accountReplaced: 1,
        ]
        #expect(counts == expected)
        #expect(try await bank.verifier.countAlarms().filter { $0.value > 0 } == expected)
    }

    @Test func `SEC-119: are counted once by callers at the same time`() async throws {
        let bank = try await Bank()
        try await bank.verifier.countAlarms()
        for number in 0..<5 { _ = try await bank.makeToken("token\(number)") }
        try await withThrowingTaskGroup { group in
            for _ in 0..<10 { group.addTask { try await bank.verifier.countAlarms() } }
            try await group.waitForAll()
        }
        #expect(try await bank.verifier.countAlarms()[.bankTokenCreated] == 5)
    }

    @Test func `SEC-119: include wrong activation codes and used counters`() async throws {
        let bank = try await Bank()
        try await bank.verifier.countAlarms()
        let phone = try await bank.activate()
        let issued = try await bank.issue()
        let wrong = try await bank.issue(for: try await bank.addAccount("4712"))
        _ = try await bank.verifier.claim(try bank.phone().claim(issued.id, wrong.code))
        try await bank.verifier.reportWrongCodes()
        for _ in 0..<2 { try await phone.checkPIN(in: bank) }
        try await phone.checkPIN(at: Counter(0), in: bank)
        let counts = try await bank.verifier.countAlarms()
        #expect(counts[.activationFailed] == 1)
        #expect(counts[.deviceCopied] == 1)
    }

    /// Otherwise an attacker could end the alarms with one edit, before the attack itself.
    @Test(arguments: ["'unheard-of'", "'x' || kind", "''"])
    func `SEC-101, SEC-119: are counted after a record of an unknown kind, which is forged`(
        _ kind: String
    ) async throws {
        let premises = try Premises()
        let bank = try await premises.begin()
        try await bank.verifier.countAlarms()
        _ = try await bank.makeToken("first")
        _ = try await bank.makeToken("second")
        let last = try await bank.read { ledger throws(StoreFailure) in
            try ledger.state().audit.sequence
        }
        try premises.tamper("UPDATE audit SET kind = \(kind) WHERE sequence = \(last)")
        #expect(try await bank.verifier.countAlarms()[.bankTokenCreated] == 1)
        _ = try await bank.makeToken("third")
        #expect(try await bank.verifier.countAlarms()[.bankTokenCreated] == 2)
        #expect(bank.verifier.forgeries.takeUnrecorded() == ["audit sequence=\(last)"])
    }

    @Test(arguments: ["subject = CAST(x'ff' AS TEXT)", "subject = ''"])
    func `SEC-101, SEC-119: are counted after a revocation without a subject, which is forged`(
        _ change: String
    ) async throws {
        let premises = try Premises()
        let bank = try await premises.begin()
        _ = try await bank.makeToken("first")
        try await bank.verifier.countAlarms()
        let name = BankTokenName(checked: "first")
        #expect(try await bank.verifier.revokeToken(named: name, by: .operatorCommand))
        let last = try await bank.read { ledger throws(StoreFailure) in
            try ledger.state().audit.sequence
        }
        // PostgreSQL has no such text.
        let isMalformed = StoreKind.current == .sqlite && change.contains("CAST")
        try premises.tamper(
            "UPDATE audit SET \(isMalformed ? change : "subject = ''") WHERE sequence = \(last)"
        )
        try await bank.verifier.countAlarms()
        let forged = isMalformed ? ["audit sequence=\(last)"] : []
        #expect(bank.verifier.forgeries.takeUnrecorded() == forged)
        _ = try await bank.makeToken("second")
        #expect(try await bank.verifier.countAlarms()[.bankTokenCreated] == 1)
    }
}
