import Storage
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@Suite(.onAnyStore) struct `Changes by a device's signature alone` {
    @Test(arguments: ["a", "b:c-d_e"].compactMap(FCMToken.init))
    func `a push setting is stored and survives a restart`(_ token: FCMToken) async throws {
        var bank = try await Bank()
        let phone = try await bank.activate()
        #expect(try await bank.verifier.pushSetting(of: phone.id) == .off)
        for setting in [PushSetting.events, .fcm(token), .off] {
            let result = try await bank.verifier.setPush(setting, on: phone.id, attempt: .random())
            #expect(result == .accepted(nil))
            try await bank.restart()
            #expect(try await bank.verifier.pushSetting(of: phone.id) == setting)
        }
        let events = try await bank.events().filter { $0.kind == .notificationsChanged }
        #expect(events.map(\.detail) == ["events", "fcm", "off"])
        #expect(try await bank.verifier.pushSetting(of: .random()) == nil)
    }

    @Test func `an invalid push address is removed unless the device has set another one`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let (old, new) = (try FCMToken("old").unwrapped(), try FCMToken("new").unwrapped())
        _ = try await bank.verifier.setPush(.fcm(new), on: phone.id, attempt: .random())
        let before = try await bank.contents()
        #expect(try await !bank.verifier.dropPush(.fcm(old), of: phone.id))
        #expect(try await !bank.verifier.dropPush(.fcm(new), of: .random()))
        #expect(try await bank.contents() == before)
        #expect(try await bank.verifier.dropPush(.fcm(new), of: phone.id))
        #expect(try await bank.verifier.pushSetting(of: phone.id) == .off)
        let last = try await bank.read { ledger throws(StoreFailure) in
            try ledger.auditRecords(after: 0, limit: .max).last
        }
        #expect(last?.actor == .verifier)
        #expect(last?.event.kind == .notificationsChanged && last?.event.detail == "off")
    }

    @Test func `a change without effect adds no event, and its repetition has no effect later`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let attempt = try AttemptID.random()
        let before = try await bank.events()
        let off = try await bank.verifier.setPush(.off, on: phone.id, attempt: attempt)
        #expect(off == .accepted(nil))
        #expect(try await bank.events() == before)
        _ = try await bank.verifier.setPush(.events, on: phone.id, attempt: .random())
        let again = try await bank.verifier.setPush(.off, on: phone.id, attempt: attempt)
        #expect(again == .accepted(nil))
        #expect(try await bank.verifier.pushSetting(of: phone.id) == .events)
        let other = try await bank.verifier.delete(phone.id, attempt: attempt)
        #expect(other == .refused(.attemptReused))
    }

    @Test func `a change happens once per attempt, and the attempt id is not reusable`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let first = try AttemptID.random()
        let verifier = bank.verifier
        _ = try await verifier.setPush(.events, on: phone.id, attempt: first)
        _ = try await verifier.setPush(.off, on: phone.id, attempt: .random())
        let before = try await bank.contents()
        let again = try await verifier.setPush(.events, on: phone.id, attempt: first)
        #expect(again == .accepted(nil))
        let other = try await verifier.setPush(.off, on: phone.id, attempt: first)
        #expect(other == .refused(.attemptReused))
        let deletion = try await verifier.delete(phone.id, attempt: first)
        #expect(deletion == .refused(.attemptReused))
        #expect(try await phone.checkPIN(attempt: first, in: bank) == .refused(.attemptReused))
        #expect(try await bank.contents() == before)
    }

    @Test func `SEC-48: a device can delete itself, and a repeated attempt is accepted`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let another = try await bank.activate()
        let attempt = try AttemptID.random()
        #expect(try await bank.verifier.delete(phone.id, attempt: attempt) == .accepted(nil))
        let before = try await bank.contents()
        #expect(try await bank.verifier.delete(phone.id, attempt: attempt) == .accepted(nil))
        let revoked = AttemptResult.refused(.deviceRevoked)
        #expect(try await bank.verifier.delete(phone.id, attempt: .random()) == revoked)
        let push = try await bank.verifier.setPush(.events, on: phone.id, attempt: .random())
        #expect(push == revoked)
        #expect(try await phone.checkPIN(in: bank) == revoked)
        #expect(try await bank.contents() == before)
        #expect(try await bank.count(of: .deviceRevoked) == 1)
        #expect(try await another.checkPIN(in: bank) == .accepted(nil))
    }

    @Test func `a suspended device can only delete itself`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        try await phone.guessUntilBlocked(in: bank)
        let push = try await bank.verifier.setPush(.events, on: phone.id, attempt: .random())
        #expect(push == .refused(.blocked))
        #expect(try await bank.verifier.pendingTransactions(for: phone.id).refusal == .blocked)
        #expect(try await bank.verifier.delete(phone.id, attempt: .random()) == .accepted(nil))
        #expect(try await bank.verifier.status(of: phone.id)?.status == .revoked)
    }

    @Test func `an unknown device can change nothing`() async throws {
        let bank = try await Bank()
        let before = try await bank.contents()
        let results = [
            try await bank.verifier.setPush(.events, on: .random(), attempt: .random()),
            try await bank.verifier.delete(.random(), attempt: .random()),
        ]
        #expect(results == [.refused(.deviceRevoked), .refused(.deviceRevoked)])
        #expect(try await bank.contents() == before)
    }
}
