import Cryptography
import OneTimePassword
import Storage
import Testing
import TransactionApproval
import Verification
import VerifierWorld

private let tenYears = Duration.seconds(10 * 365 * 24 * 60 * 60)
private let minute = Duration.seconds(60)

/// The states with a time limit, with a check for the end of each.
enum TimedState: CaseIterable {
    case lock, transaction, activation, login, requests, muting, delivery, newDevice

    var length: Duration {
        switch self {
        case .lock: minute * 30
        case .transaction, .login: minute * 2
        case .activation, .muting, .newDevice: minute * 60 * 24
        case .requests: minute * 10
        case .delivery: Verifier.deliveryLease
        }
    }

    /// Starts the state; the returned function checks whether it has ended.
    func begin(in bank: Bank, _ phone: Phone) async throws -> @Sendable () async throws -> Bool {
        switch self {
        case .lock:
            try await phone.failUntilLocked(in: bank)
            return { try await phone.checkPIN(in: bank) == .accepted(nil) }
        case .transaction:
            let payment = try await bank.pay()
            return {
                let result = try await phone.decide(on: payment, with: .wrong, in: bank)
                return result == .refused(.transactionExpired)
            }
        case .activation:
            let issued = try await bank.issue()
            let claim = try Phone(agreeingWith: bank.agreementKey.publicKey)
                .claim(issued.id, issued.code)
            return { try await bank.verifier.claim(claim) == .refused(.expired) }
        case .login:
            // One for each check.
            let grants = [
                try await phone.grant(in: bank), try await phone.grant(in: bank),
                try await phone.grant(in: bank),
            ]
            return {
                for grant in grants {
                    let result = try await bank.redeem(grant)
                    if result != .refused(.redeemedBefore) { return result == .refused(.expired) }
                }
                return false
            }
        case .newDevice:
            try await bank.makeNewDevicesWait()
            let device = try await bank.activate()
            return { try await device.decide(on: try await bank.pay(), in: bank) == .accepted(nil) }
        case .requests:
            for _ in 0..<5 {
                let payment = try await bank.pay()
                try await phone.decide(.reject(.wrongDetails), on: payment, in: bank)
            }
            return { try await bank.isPushed() }
        case .muting:
            try await phone.decide(.reject(.notMe), on: try await bank.pay(), in: bank)
            return { try await bank.isPushed() }
        case .delivery:
            _ = try await bank.verifier.setPush(.events, on: phone.id, attempt: .random())
            _ = try await bank.pay()
            let taken = try await bank.verifier.takeDeliveries(to: .push, limit: 10)
            #expect(taken.count == 1)
            return { try await bank.verifier.takeDeliveries(to: .push, limit: 10).count == 1 }
        }
    }
}

/// Changes of the wall clock.
enum Jump: CaseIterable {
    /// Set back by ten years after the start.
    case back
    /// Ten years ahead once, and corrected before the start.
    case forthAndBack
    case over2038, over2106
}

@Suite(.onAnyStore) struct `2.13: time limits and the wall clock` {
    @Test(arguments: TimedState.allCases, Jump.allCases)
    func `a time limit lasts exactly its duration, even if the wall clock changes`(
        _ timed: TimedState,
        _ jump: Jump
    ) async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        switch jump {
        case .back: break
        case .forthAndBack:
            bank.clock.advance(by: tenYears)
            _ = try await bank.addAccount("4799")
            bank.clock.advance(by: .zero - tenYears)
        case .over2038: bank.clock.advance(to: (1 << 31) * 1000, less: timed.length / 2)
        case .over2106: bank.clock.advance(to: (1 << 32) * 1000, less: timed.length / 2)
        }
        let isOver = try await timed.begin(in: bank, phone)
        if jump == .back { bank.clock.advance(by: .zero - tenYears) }
        #expect(try await isOver() == false)
        bank.clock.advance(by: timed.length - .milliseconds(1))
        #expect(try await isOver() == false)
        bank.clock.advance(by: .milliseconds(1))
        #expect(try await isOver())
    }

    @Test func `a limit that ended stays ended after the clock is corrected`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        let grant = try await phone.grant(in: bank)
        bank.clock.advance(by: tenYears)
        #expect(try await bank.verifier.expire(atMost: 10) == 1)
        bank.clock.advance(by: .zero - tenYears)
        let result = try await phone.decide(on: payment, in: bank)
        #expect(result == .refused(.transactionExpired))
        #expect(try await bank.redeem(grant) == .refused(.expired))
    }

    @Test func `a limit continues at a node that starts with an earlier clock`()
        async throws
    {
        var bank = try await Bank()
        let phone = try await bank.activate()
        try await phone.failUntilLocked(in: bank)
        let end = bank.clock.now + minute * 30
        bank.clock.advance(by: .zero - tenYears)
        for _ in 0..<2 {
            try await bank.restart()
            #expect(try await phone.checkPIN(in: bank) == .refused(.locked(until: end)))
        }
        bank.clock.advance(by: minute * 30)
        #expect(try await phone.checkPIN(in: bank) == .accepted(nil))
    }

    @Test func `the audit trail is intact after every clock change`() async throws {
        let premises = try Premises()
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        for jump in [tenYears, .zero - tenYears, .zero - tenYears, tenYears * 8] {
            bank.clock.advance(by: jump)
            try await phone.checkPIN(in: bank)
        }
        try await bank.journalNow()
        await bank.database.close()
        #expect(try await premises.audit(againstJournal: true).findings == [])
    }
}

extension TestClock {
    /// Moves the clock to a time in milliseconds since 1970, or `distance` before it.
    fileprivate func advance(to moment: UInt64, less distance: Duration) {
        let now = Duration.milliseconds(Int64(self.now.milliseconds))
        advance(by: .milliseconds(Int64(moment)) - distance - now)
    }
}

extension Bank {
    /// Whether one more request sends a push; the request is withdrawn.
    fileprivate func isPushed() async throws -> Bool {
        let request = TransactionRequest(account: Self.account, content: try .payment(of: 1))
        switch try await verifier.request(request, by: Self.core) {
        case .created(let created, _):
            _ = try await verifier.withdraw(created.id, of: Self.account, by: Self.core)
            return try await events().last { $0.kind == .transactionCreated }?.detail == "notified"
        default: return false
        }
    }
}

@Suite(.onAnyStore) struct `Records of the time` {
    @Test func `are added every hour to a quiet store`() async throws {
        let bank = try await Bank()
        bank.clock.advance(by: VerifierClock.maximumQuiet)
        try await bank.verifier.recordTimeIfQuiet()
        #expect(try await bank.count(of: .timeRecorded) == 0)
        bank.clock.advance(by: .milliseconds(1))
        for _ in 1...2 { try await bank.verifier.recordTimeIfQuiet() }
        #expect(try await bank.count(of: .timeRecorded) == 1)
    }
}
