import Testing
import TransactionApproval
import Verification
import VerifierWorld

private let minute = Duration.seconds(60)

@Suite(.onAnyStore) struct `Locks of a credential` {
    @Test func `SEC-08: wrong codes count over every interface, and over restarts`() async throws {
        var bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        let rekey = try await phone.rekey(with: .wrong, in: bank)
        #expect(try await phone.decide(on: payment, with: .wrong, in: bank) == .wrong(left: 4))
        try await bank.restart()
        #expect(try await phone.logIn(with: .wrong, in: bank) == .wrong(left: 3))
        #expect(try await phone.checkPIN(with: .wrong, in: bank) == .wrong(left: 2))
        try await bank.restart()
        #expect(try await phone.send(rekey, with: .wrong, in: bank) == .wrong(left: 1))
        let end = bank.clock.now + minute * 30
        #expect(try await phone.type("00000000", in: bank) == .locking(until: end))
        try await bank.restart()
        #expect(try await phone.decide(on: payment, in: bank) == .refused(.locked(until: end)))
    }

    @Test func `SEC-09: the sixth code is not computed even if it is right`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        try await phone.failUntilLocked(in: bank)
        let end = bank.clock.now + minute * 30
        let before = try await bank.contents()
        #expect(try await phone.checkPIN(in: bank) == .refused(.locked(until: end)))
        #expect(try await bank.contents() == before)
        #expect(try await bank.count(of: .codeRefused) == 5)
        #expect(try await bank.count(of: .credentialLocked) == 1)
    }

    @Test func `SEC-08: the bank is notified of the third wrong code in a row`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        for _ in 1...2 { _ = try await phone.checkPIN(with: .wrong, in: bank) }
        _ = try await phone.checkPIN(in: bank)
        for _ in 1...2 { _ = try await phone.checkPIN(with: .wrong, in: bank) }
        #expect(try await bank.count(of: .failuresRepeated) == 0)
        _ = try await phone.checkPIN(with: .wrong, in: bank)
        #expect(try await bank.count(of: .failuresRepeated) == 1)
        #expect(Event.Kind.failuresRepeated.notifiesBank)
        for _ in 1...2 { _ = try await phone.checkPIN(with: .wrong, in: bank) }
        #expect(try await bank.count(of: .failuresRepeated) == 1)
        #expect(try await bank.count(of: .credentialLocked) == 1)
    }

    @Test func `SEC-10: locks last 30 and 60 minutes, and the next one is permanent`() async throws
    {
        var bank = try await Bank()
        let phone = try await bank.activate()
        for length in [minute * 30, minute * 60] {
            try await phone.failUntilLocked(in: bank)
            let end = bank.clock.now + length
            bank.clock.advance(by: length - .milliseconds(1))
            try await bank.restart()
            #expect(try await phone.checkPIN(in: bank) == .refused(.locked(until: end)))
            bank.clock.advance(by: .milliseconds(1))
        }
        #expect(try await bank.count(of: .blockImminent) == 1)
        #expect(try await bank.count(of: .credentialBlocked) == 0)
        try await phone.failUntilLocked(in: bank)
        bank.clock.advance(by: minute * 60 * 24 * 365)
        try await bank.restart()
        #expect(try await phone.checkPIN(in: bank) == .refused(.blocked))
        let kinds = try await bank.events().map(\.kind)
        let warned = try #require(kinds.firstIndex(of: .blockImminent))
        #expect(warned < (try #require(kinds.firstIndex(of: .credentialBlocked))))
    }

    @Test func `SEC-10: a permanent lock suspends the device's other credentials`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        try await phone.block(in: bank)
        let payment = try await bank.pay(orNil: ())
        #expect(payment == nil)
        #expect(try await bank.verifier.status(of: phone.id)?.status == .blocked)
        let unlocked = try await bank.verifier.unlock(
            .user,
            on: phone.id,
            of: Bank.account,
            by: Bank.core
        )
        #expect(unlocked == .unchanged)
        let another = try await bank.activate()
        #expect(try await another.checkPIN(in: bank) == .accepted(nil))
        #expect(try await phone.checkPIN(in: bank) == .refused(.blocked))
    }

    @Test func `SEC-10: linked accounts on one installation are blocked together, with events`()
        async throws
    {
        let bank = try await Bank()
        let second = try await bank.addLinkedAccount("4712")
        let phones = try await bank.activateAll(Bank.account, 2)
        try await phones[1].block(in: bank)
        for phone in phones {
            #expect(try await phone.checkPIN(in: bank) == .refused(.blocked))
        }
        let blocked = try await bank.events().filter { $0.kind == .credentialBlocked }
        #expect(Set(blocked.map(\.account)) == [Bank.account, second])
        #expect(blocked.count == 2)
    }

    @Test func `SEC-08: linked accounts on one installation share one failure count`() async throws
    {
        var bank = try await Bank()
        _ = try await bank.addLinkedAccount("4712")
        let phones = try await bank.activateAll(Bank.account, 2)
        for left in [4, 3, 2, 1] {
            let result = try await phones[left % 2].checkPIN(with: .wrong, in: bank)
            #expect(result == .wrong(left: left))
        }
        try await bank.restart()
        let end = bank.clock.now + minute * 30
        #expect(try await phones[1].checkPIN(with: .wrong, in: bank) == .locking(until: end))
        for phone in phones {
            #expect(try await phone.checkPIN(in: bank) == .refused(.locked(until: end)))
        }
    }

    @Test func `two installations of one account have separate failure counts`() async throws {
        let bank = try await Bank()
        let (first, second) = (try await bank.activate(), try await bank.activate())
        try await first.failUntilLocked(in: bank)
        #expect(try await second.checkPIN(with: .wrong, in: bank) == .wrong(left: 4))
    }

    @Test func `SEC-11: four wrong codes between right ones block at the thirtieth`() async throws {
        var bank = try await Bank()
        let phone = try await bank.activate()
        var wrong = 0
        while try await phone.checkPIN(with: .wrong, in: bank) != .refused(.wrongCode(.blocked)) {
            wrong += 1
            guard wrong < 30 else { break }
            if wrong % 4 == 0 {
                #expect(try await phone.checkPIN(in: bank) == .accepted(nil))
                bank.clock.advance(by: minute * 60 * 24)
                try await bank.restart()
            }
        }
        #expect(wrong == 29)
        #expect(try await phone.checkPIN(in: bank) == .refused(.blocked))
    }

    @Test func `SEC-12: a new transaction, push or activation resets nothing`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        for _ in 0..<4 { try await phone.decide(on: payment, with: .wrong, in: bank) }
        _ = try await bank.issue()
        let next = try await bank.pay()
        let end = bank.clock.now + minute * 30
        #expect(try await phone.decide(on: next, with: .wrong, in: bank) == .locking(until: end))
    }

    @Test func `2.6: a lock of the user credential leaves the device credential open`() async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        try await phone.failUntilLocked(in: bank)
        let wrong = try await phone.decide(.reject(.notMe), on: payment, with: .wrong, in: bank)
        #expect(wrong == .wrong(left: 4))
    }

    @Test func `SEC-09: a rejection works during a lock by wrong numbers, and does not end it`()
        async throws
    {
        let bank = try await Bank.allowingConsent(#""numberMatchingDigits": 2"#)
        let phone = try await bank.activate()
        let (guessed, number) = try await bank.payShowingNumber(1)
        let other = try await bank.pay(1)
        let end = bank.clock.now + minute * 30
        for _ in 1...5 { try await phone.decide(on: guessed, by: .consent, in: bank) }
        let approve = {
            try await phone.decide(on: guessed, by: .consent, number: number, in: bank)
        }
        #expect(try await approve() == .refused(.locked(until: end)))
        let wrong = try await phone.decide(.reject(.notMe), on: other, with: .wrong, in: bank)
        #expect(wrong == .wrong(left: 4))
        #expect(try await phone.decide(.reject(.notMe), on: other, in: bank) == .accepted(nil))
        #expect(try await approve() == .refused(.locked(until: end)))
        bank.clock.advance(by: minute * 30)
        let (later, _) = try await bank.payShowingNumber(1)
        #expect(try await phone.decide(on: later, by: .consent, in: bank) == .wrong(left: 3))
    }

    @Test func `SEC-10: wrong rejections during locks lead to a permanent one, which refuses all`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        var results: [AttemptResult] = []
        for _ in 1...15 {
            results.append(
                try await phone.decide(.reject(.notMe), on: payment, with: .wrong, in: bank)
            )
        }
        let ends = [30, 60].map { bank.clock.now + minute * $0 }
        #expect(results[4] == .locking(until: ends[0]))
        #expect(results[9] == .locking(until: ends[1]))
        #expect(results[14] == .refused(.wrongCode(.blocked)))
        let right = try await phone.decide(.reject(.notMe), on: payment, in: bank)
        #expect(right == .refused(.blocked))
    }

    @Test func `SEC-08: locks of biometrics and of the PIN are independent`()
        async throws
    {
        let bank = try await Bank(policy: #"{"authentication": ["userPIN", "biometric"]}"#)
        let phone = try await bank.activate()
        let addition = try await phone.rekey(.biometric, in: bank)
        #expect(try await phone.send(addition, in: bank) == .accepted(nil))
        let end = bank.clock.now + minute * 30
        for left in (1...4).reversed() {
            let wrong = try await phone.logIn(by: .biometric, with: .wrong, in: bank)
            #expect(wrong == .wrong(left: left))
        }
        let last = try await phone.logIn(by: .biometric, with: .wrong, in: bank)
        #expect(last == .locking(until: end))
        #expect(try await phone.checkPIN(in: bank) == .accepted(nil))
        try await phone.failUntilLocked(in: bank)
        bank.clock.advance(by: minute * 30)
        #expect(try await phone.logIn(by: .biometric, in: bank).isAccepted)
        try await phone.failUntilLocked(in: bank)
        #expect(try await phone.logIn(by: .biometric, in: bank).isAccepted)
    }

    @Test func `2.13: setting the clock back does not shorten a lock`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        try await phone.failUntilLocked(in: bank)
        let end = bank.clock.now + minute * 30
        bank.clock.advance(by: .zero - minute * 60 * 24 * 365 * 10)
        #expect(try await phone.checkPIN(in: bank) == .refused(.locked(until: end)))
        #expect(
            try await bank.verifier.status(of: phone.id)?.credentials[0].failures
                == .locked(until: end)
        )
    }

    @Test func `an unlock ends the lock, and the next lock is as long as before`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let unlock = {
            try await bank.verifier.unlock(.user, on: phone.id, of: Bank.account, by: Bank.core)
        }
        #expect(try await unlock() == .unchanged)
        try await phone.failUntilLocked(in: bank)
        #expect(try await unlock() == .done)
        #expect(try await bank.count(of: .credentialUnlocked) == 1)
        for _ in 0..<4 { try await phone.checkPIN(with: .wrong, in: bank) }
        let end = bank.clock.now + minute * 60
        #expect(try await phone.checkPIN(with: .wrong, in: bank) == .locking(until: end))
        bank.clock.advance(by: minute * 60)
        #expect(try await unlock() == .unchanged)
    }
}

extension Phone {
    /// Types the wrong PIN through all locks until the permanent one.
    func block(in bank: Bank) async throws {
        while try await checkPIN(with: .wrong, in: bank) != .refused(.wrongCode(.blocked)) {
            bank.clock.advance(by: minute * 60)
        }
    }
}

extension Bank {
    /// Nil if no device can decide.
    fileprivate func pay(orNil: Void) async throws -> Transaction? {
        let request = TransactionRequest(account: Self.account, content: try .payment(of: 1))
        switch try await verifier.request(request, by: Self.core) {
        case .created(let transaction, _): return transaction
        case .noActiveDevice: return nil
        default: throw Unexpected()
        }
    }
}
