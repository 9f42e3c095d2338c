import Sealing
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@Suite(.onAnyStore) struct `Devices` {
    @Test func `SEC-48, SEC-54: a revoked device is refused everywhere at once`() async throws {
        var bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        let rekey = try await phone.rekey(in: bank)
        let typed = try await phone.typedCode(in: bank)
        #expect(try await bank.revoke(phone) == .done)
        #expect(try await bank.revoke(phone) == .unchanged)
        try await bank.restart()
        // The bank's first call creates the key for such calls.
        #expect(try await phone.type(typed, in: bank) == .refused(.deviceRevoked))
        let before = try await bank.contents()
        let results = [
            try await phone.decide(on: payment, in: bank),
            try await phone.decide(.reject(.notMe), on: payment, in: bank),
            try await phone.checkPIN(in: bank),
            try await phone.logIn(in: bank),
            try await phone.send(rekey, in: bank),
            try await phone.type(typed, in: bank),
            try await phone.resynchronise(typed, then: typed, in: bank),
        ]
        #expect(results == Array(repeating: .refused(.deviceRevoked), count: results.count))
        #expect(try await bank.contents() == before)
        #expect(
            try await bank.verifier.transaction(payment.id, for: phone.id).refusal == .deviceRevoked
        )
        #expect(
            try await bank.verifier.pendingTransactions(for: phone.id).refusal == .deviceRevoked
        )
        #expect(try await bank.verifier.status(of: phone.id)?.status == .revoked)
    }

    @Test(arguments: [false, true])
    func `a revoked device loses its address for notifications`(_ isOwnWish: Bool) async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let address = PushSetting.fcm(try #require(FCMToken("token-of-the-app")))
        _ = try await bank.verifier.setPush(address, on: phone.id, attempt: .random())
        #expect(try await bank.verifier.pushSetting(of: phone.id) == address)
        if isOwnWish {
            _ = try await bank.verifier.delete(phone.id, attempt: .random())
        } else {
            try await bank.revoke(phone)
        }
        #expect(try await bank.verifier.status(of: phone.id)?.status == .revoked)
        #expect(try await bank.verifier.pushSetting(of: phone.id) == .off)
    }

    @Test func `a forged setting of notifications does not keep a device from being revoked`()
        async throws
    {
        let premises = try Premises()
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        try premises.tamper("UPDATE devices SET notifications = 'forged'")
        #expect(try await bank.revoke(phone) == .done)
        #expect(try await phone.checkPIN(in: bank) == .refused(.deviceRevoked))
    }

    @Test func `SEC-48: a device that is revoked while its decision is on the way is refused`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        let attempt = try await phone.attempt(
            over: .decision(try TransactionHash(of: payment), .approve, nil),
            in: bank
        )
        let verifier = bank.verifier(interleaving: { _ = try await bank.revoke(phone) })
        let result = try await phone.send(on: payment, attempt, to: verifier)
        #expect(result == .refused(.deviceRevoked))
        #expect(try await bank.state(of: payment) == .pending)
    }

    @Test func `only the device's own account can change it`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        try await phone.failUntilLocked(in: bank)
        let other = Bank.account("4712")
        let before = try await bank.contents()
        let results = [
            try await bank.verifier.revoke(phone.id, of: other, by: Bank.core),
            try await bank.verifier.unlock(.user, on: phone.id, of: other, by: Bank.core),
            try await bank.verifier.setEnabled(
                false,
                .user,
                on: phone.id,
                of: other,
                by: Bank.core
            ),
        ]
        #expect(results == [.unknownDevice, .unknownDevice, .unknownDevice])
        #expect(try await bank.contents() == before)
    }

    @Test func `revoking one device leaves the others`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let another = try await bank.activate()
        _ = try await bank.revoke(phone)
        #expect(try await another.checkPIN(in: bank) == .accepted(nil))
    }

    @Test func `a revoked device stays revoked when its PIN is blocked`() async throws {
        let bank = try await Bank()
        _ = try await bank.addLinkedAccount("4712")
        let phones = try await bank.activateAll(Bank.account, 2)
        _ = try await bank.revoke(phones[0])
        try await phones[1].block(in: bank)
        #expect(try await bank.verifier.status(of: phones[0].id)?.status == .revoked)
        #expect(try await bank.verifier.status(of: phones[1].id)?.status == .blocked)
        #expect(try await bank.count(of: .credentialBlocked) == 1)
    }

    @Test func `SEC-66: the bank can disable and enable a credential, and gains nothing by it`()
        async throws
    {
        var bank = try await Bank()
        let phone = try await bank.activate()
        try await phone.checkPIN(with: .wrong, in: bank)
        let before = try await bank.credential(of: phone)
        #expect(try await bank.setEnabled(true, phone) == .unchanged)
        #expect(try await bank.setEnabled(false, phone) == .done)
        #expect(try await bank.setEnabled(false, phone) == .unchanged)
        try await bank.restart()
        #expect(try await phone.checkPIN(in: bank) == .refused(.credentialDisabled))
        let payment = try await bank.pay()
        let rejection = Decision.reject(.notMe)
        #expect(try await phone.decide(rejection, on: payment, in: bank) == .accepted(nil))
        #expect(try await bank.setEnabled(true, phone) == .done)
        #expect(try await bank.credential(of: phone) == before)
        #expect(try await bank.setEnabled(true, phone, .biometric) == .unknownCredential)
    }

    @Test func `SEC-58: an unlock keeps the seed, the generation and the counter`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        try await phone.failUntilLocked(in: bank)
        let before = try await bank.credential(of: phone).credential
        let result = try await bank.verifier.unlock(
            .user,
            on: phone.id,
            of: Bank.account,
            by: Bank.core
        )
        #expect(result == .done)
        #expect(try await bank.credential(of: phone).credential == before)
    }

    @Test func `the status has the generation, the end of the lock and the attempts left`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let rekey = try await phone.rekey(in: bank)
        _ = try await phone.send(rekey, in: bank)
        let payment = try await bank.pay()
        try await phone.decide(.reject(.notMe), on: payment, with: .wrong, in: bank)
        try await phone.failUntilLocked(in: bank)
        let before = try await bank.contents()
        let status = try #require(try await bank.verifier.status(of: phone.id))
        #expect(status.account == Bank.account)
        #expect(status.status == .active)
        #expect(status.credentials.map(\.kind) == [.user, .device])
        #expect(status.epoch == Epoch(0))
        #expect(status.policy.pin == .default)
        for kind in [CredentialKind.user, .device] {
            let credential = try await bank.credential(kind, of: phone).credential
            let held = try #require(status.credentials.first { $0.kind == kind })
            #expect(held.id == credential.id)
            #expect(held.counter == credential.counter)
        }
        #expect(status.credentials.map(\.generation) == [Generation(1), Generation(0)])
        #expect(
            status.credentials.map(\.failures) == [
                .locked(until: bank.clock.now + .seconds(1800)), .open(attemptsLeft: 4),
            ]
        )
        #expect(try await bank.verifier.status(of: .random()) == nil)
        #expect(try await bank.contents() == before)
    }
}
