import Cryptography
import OneTimePassword
import Storage
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@Suite(.onAnyStore) struct `Repeated attempts` {
    @Test func `an accepted attempt stays accepted, even with another code`() async throws {
        var bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        let id = try AttemptID.random()
        #expect(try await phone.decide(on: payment, attempt: id, in: bank) == .accepted(nil))
        try await bank.restart()
        bank.clock.advance(by: .seconds(3600))
        let before = try await bank.contents()
        for pin in Phone.PIN.allCases {
            let result = try await phone.decide(on: payment, with: pin, attempt: id, in: bank)
            #expect(result == .accepted(nil))
        }
        #expect(try await bank.contents() == before)
    }

    @Test func `a wrong attempt stays wrong, even with another code`() async throws {
        var bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        let id = try AttemptID.random()
        let first = try await phone.decide(on: payment, with: .wrong, attempt: id, in: bank)
        #expect(first == .wrong(left: 4))
        try await bank.restart()
        let before = try await bank.contents()
        for pin in Phone.PIN.allCases {
            let result = try await phone.decide(on: payment, with: pin, attempt: id, in: bank)
            #expect(result == first)
        }
        #expect(try await bank.contents() == before)
    }

    @Test func `an attempt that locked returns the same end of the lock later`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        for _ in 0..<4 { try await phone.checkPIN(with: .wrong, in: bank) }
        let id = try AttemptID.random()
        let first = try await phone.checkPIN(with: .wrong, attempt: id, in: bank)
        bank.clock.advance(by: .seconds(24 * 3600))
        #expect(try await phone.checkPIN(with: .right, attempt: id, in: bank) == first)
    }

    @Test(arguments: Phone.PIN.allCases)
    func `SEC-13: an attempt is charged and stored before the response, which may be lost`(
        _ pin: Phone.PIN
    ) async throws {
        var bank = try await Bank()
        let phone = try await bank.activate()
        let attempt = try await phone.attempt(over: .pinCheck, with: pin, in: bank)
        let silent = bank.verifier(over: SilentDatabase(store: bank.database))
        await #expect(throws: Verifier.Failure.store(.uncertain)) {
            try await silent.checkPIN(attempt)
        }
        try await bank.restart()
        #expect(
            try await bank.credential(of: phone).failures.consecutiveFailures
                == (pin == .wrong ? 1 : 0)
        )
        let result = try await bank.verifier.checkPIN(attempt)
        #expect(result == (pin == .right ? .accepted(nil) : .wrong(left: 4)))
        #expect(try await bank.count(of: .codeRefused) == (pin == .wrong ? 1 : 0))
    }

    @Test func `a repeated login attempt returns the same login`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let id = try AttemptID.random()
        let first = try await phone.logIn(attempt: id, in: bank)
        #expect(try await phone.logIn(with: .wrong, attempt: id, in: bank) == first)
        #expect(try await bank.count(of: .codeAccepted) == 1)
    }

    @Test func `the same attempt id of another device is another attempt`() async throws {
        let bank = try await Bank()
        let (first, second) = (try await bank.activate(), try await bank.activate())
        let id = try AttemptID.random()
        #expect(try await first.checkPIN(attempt: id, in: bank) == .accepted(nil))
        #expect(try await second.checkPIN(with: .wrong, attempt: id, in: bank) == .wrong(left: 4))
    }

    @Test func `an attempt id for another purpose is refused and costs nothing`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let (first, second) = (try await bank.pay(), try await bank.pay())
        let id = try AttemptID.random()
        #expect(
            try await phone.decide(on: first, with: .wrong, attempt: id, in: bank)
                == .wrong(left: 4)
        )
        let rekey = try await phone.rekey(in: bank)
        let before = try await bank.contents()
        let reused = AttemptResult.refused(.attemptReused)
        #expect(try await phone.decide(on: second, attempt: id, in: bank) == reused)
        #expect(try await phone.decide(.reject(.notMe), on: first, attempt: id, in: bank) == reused)
        #expect(try await phone.checkPIN(attempt: id, in: bank) == reused)
        #expect(try await phone.logIn(attempt: id, in: bank) == reused)
        #expect(try await phone.send(rekey, attempt: id, in: bank) == reused)
        #expect(try await bank.contents() == before)
    }

    @Test func `an attempt that cost nothing is checked again`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let id = try AttemptID.random()
        let far = try await phone.checkPIN(at: Counter(1 << 40), attempt: id, in: bank)
        #expect(far == .refused(.counterOutOfStep(minimumCounter: Counter(0))))
        #expect(try await phone.checkPIN(attempt: id, in: bank) == .accepted(nil))
    }

    @Test func `an attempt is stored without its code`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let attempt = try await phone.attempt(over: .pinCheck, in: bank)
        #expect(try await bank.verifier.checkPIN(attempt) == .accepted(nil))
        let typed = try await phone.typedCode(in: bank)
        #expect(try await phone.type(typed, in: bank) == .accepted(nil))
        let data = Array("limit 5000".utf8)
        let overData = try await phone.typedCode(over: data, in: bank)
        #expect(try await phone.type(overData, over: data, in: bank) == .accepted(nil))
        let login = try await phone.attempt(
            over: .login(try Digest(sha256: Phone.challenge).unwrapped()),
            in: bank
        )
        let granted = try await bank.verifier.logIn(over: Phone.challenge, by: .userPIN, login)
        #expect(granted.isAccepted)
        let payment = try await bank.pay()
        let decision = try await phone.attempt(over: .approval(of: payment), in: bank)
        let approval = try await phone.send(
            .approve,
            on: payment,
            by: .userPIN,
            decision,
            to: bank.verifier
        )
        #expect(approval == .accepted(nil))
        let rekey = try await phone.rekey(in: bank).request
        let change = try await phone.attempt(over: rekey.question(), in: bank)
        #expect(try await bank.verifier.rekey(rekey, change) == .accepted(nil))

        #expect(try bank.isOnDisk(phone.id.bytes))
        let inBand = [attempt, login, decision, change].map(\.code.code.code.text)
        for code in inBand + [typed, overData] { #expect(try !bank.isOnDisk(code.utf8)) }
    }
}
