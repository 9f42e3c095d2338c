import Cryptography
import OneTimePassword
import Testing
import TransactionApproval
import Verifier
import VerifierWorld

/// Each is sent 64 times at once, as by devices that lost patience or by a thief with many threads.
@Suite(.serialized) struct `Races` {
    private static let callers = 64
    private static let rounds = 50

    @Test func `SEC-04: of one attempt give every caller the one verdict`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        for round in 1...Self.rounds {
            let payment = try await bank.pay()
            let attempt = try await phone.attempt(over: try .approval(of: payment), in: bank)
            let answers = try await Self.parallel { _ in
                try await phone.send(on: payment, attempt, to: bank.verifier)
            }
            #expect(answers == [.accepted(nil): Self.callers])
            #expect(try await bank.count(of: .transactionApproved) == round)
            bank.clock.advance(by: .seconds(600))
        }
        #expect(try await bank.count(of: .codeRefused) == 0)
    }

    @Test func `SEC-04, 2.4: of one code under 64 attempts accept it once`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        for round in 1...Self.rounds {
            let payment = try await bank.pay()
            let attempt = try await phone.attempt(over: try .approval(of: payment), in: bank)
            let answers = try await Self.parallel { _ in
                try await phone.send(on: payment, attempt.anew(), to: bank.verifier)
            }
            let outcome = TransactionRecord.Outcome.approved(with: .userPIN, by: phone.id)
            #expect(
                answers == [
                    .accepted(nil): 1, .refused(.alreadyDecided(outcome)): Self.callers - 1,
                ]
            )
            #expect(try await bank.count(of: .transactionApproved) == round)
            bank.clock.advance(by: .seconds(600))
        }
        #expect(try await bank.count(of: .codeRefused) == 0)
    }

    @Test func `SEC-04: of one login code grant one login`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let digest = try #require(Digest(sha256: Phone.challenge))
        let attempt = try await phone.attempt(over: .login(digest), in: bank)
        let answers = try await Self.parallel { _ in
            try await bank.verifier.logIn(
                over: Phone.challenge,
                by: .userPIN,
                attempt.anew()
            )
        }
        let late = Answer.refused(.counterOutOfStep(least: Counter(1)))
        #expect(answers[late] == Self.callers - 1)
        #expect(answers.count == 2)
        #expect(try await bank.count(of: .codeAccepted) == 1)
    }

    @Test func `SEC-04: of one typed code accept one call, and lock at the fifth other`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let code = try await phone.typedCode(in: bank)
        let answers = try await Self.parallel {
            try await phone.type(code, call: "\($0)", in: bank)
        }
        #expect(answers[.accepted(nil)] == 1)
        #expect(try await bank.count(of: .codeAccepted) == 1)
        #expect(try await bank.count(of: .codeRefused) == 5)
    }

    @Test func `SEC-09: of 64 wrong codes look at five, then lock`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let attempt = try await phone.attempt(over: .pinCheck, with: .wrong, in: bank)
        let answers = try await Self.parallel { _ in
            try await bank.verifier.checkPIN(attempt.anew())
        }
        let end = bank.clock.now + .seconds(1800)
        let locked = Answer.refused(.locked(until: end))
        #expect(
            answers == [
                .wrong(left: 4): 1, .wrong(left: 3): 1, .wrong(left: 2): 1, .wrong(left: 1): 1,
                .locking(until: end): 1, locked: Self.callers - 5,
            ]
        )
        #expect(try await bank.count(of: .codeRefused) == 5)
    }

    @Test func `SEC-53: of 50 commits of one activation make one device`() async throws {
        let bank = try await Bank()
        let issued = try await bank.issue()
        let phone = try bank.phone()
        let submitted = try phone.claim(issued.id, issued.code)
        let commit = try await bank.offered(submitted, to: [phone], issued.code)
        let answers = try await Self.parallel(50) { _ in
            if case .committed = try await bank.verifier.commit(commit) { true } else { false }
        }
        #expect(answers == [true: 1, false: 49])
        #expect(try await bank.count(of: .deviceActivated) == 1)
    }

    @Test func `2.14: at two nodes accept one code, and look at five wrong ones`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let nodes = [bank.verifier, bank.verifier(over: try bank.openAgain())]
        for _ in 0..<5 {
            let payment = try await bank.pay()
            let attempt = try await phone.attempt(over: try .approval(of: payment), in: bank)
            let answers = try await Self.parallel {
                try await phone.send(on: payment, attempt.anew(), to: nodes[$0 % 2])
            }
            #expect(answers[.accepted(nil)] == 1)
            #expect(answers.count == 2)
            bank.clock.advance(by: .seconds(600))
        }
        let wrong = try await phone.attempt(over: .pinCheck, with: .wrong, in: bank)
        let answers = try await Self.parallel { try await nodes[$0 % 2].checkPIN(wrong.anew()) }
        #expect(answers.values.sorted() == [1, 1, 1, 1, 1, Self.callers - 5])
        #expect(try await bank.count(of: .codeRefused) == 5)
    }

    @Test func `SEC-54: a device revoked at one node is refused at the other`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let other = bank.verifier(over: try bank.openAgain())
        let attempt = try await phone.attempt(over: .pinCheck, in: bank)
        _ = try await bank.verifier.revoke(phone.id, of: Bank.account, by: Bank.core)
        #expect(try await other.checkPIN(attempt) == .refused(.deviceRevoked))
    }

    @Test func `SEC-31: of one login redeem it once`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        guard case .accepted(let id?) = try await phone.logIn(in: bank) else {
            throw Bank.Unexpected()
        }
        let answers = try await Self.parallel { _ in
            let answer = try await bank.verifier.redeemLogin(
                id,
                of: Bank.account,
                over: Phone.challenge,
                by: Bank.core
            )
            return answer == .refused(.redeemedBefore)
        }
        #expect(answers == [false: 1, true: Self.callers - 1])
        #expect(try await bank.count(of: .loginRedeemed) == 1)
    }

    @Test func `of one approval with its rejection and withdrawal end it once`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        for _ in 0..<5 {
            let payment = try await bank.pay()
            let yes = try await phone.attempt(over: try .approval(of: payment), in: bank)
            let no = try await phone.attempt(
                .device,
                over: .decision(try TransactionHash(of: payment), .reject(.notMe), nil),
                in: bank
            )
            let ends = try await Self.parallel(30) { index in
                switch index % 3 {
                case 0:
                    try await phone.send(on: payment, yes.anew(), to: bank.verifier)
                        == .accepted(nil)
                case 1:
                    try await phone.send(.reject(.notMe), on: payment, no.anew(), to: bank.verifier)
                        == .accepted(nil)
                default:
                    try await bank.verifier.withdraw(
                        payment.id,
                        of: Bank.account,
                        by: Bank.core
                    ) == true
                }
            }
            #expect(ends == [true: 1, false: 29])
            bank.clock.advance(by: .seconds(600))
        }
    }

    /// How often each outcome came, of as many calls at once; whoever saw an error fails the test.
    private static func parallel<Outcome: Hashable & Sendable>(
        _ callers: Int = callers,
        _ call: @escaping @Sendable (Int) async throws -> Outcome
    ) async throws -> [Outcome: Int] {
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            for index in 0..<callers { group.addTask { try await call(index) } }
            return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
    }
}

extension InBandQuestion {
    fileprivate static func approval(of transaction: Transaction) throws -> InBandQuestion {
        .decision(try TransactionHash(of: transaction), .approve, nil)
    }
}

/// Only to count answers: what an answer says is in its text.
extension Answer: Hashable {
    package func hash(into hasher: inout Hasher) { hasher.combine("\(self)") }
}
