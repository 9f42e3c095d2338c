import OneTimePassword
import Testing
import TransactionApproval
import Verifier
import VerifierWorld

/// One payment, and codes for it, handed to two verifiers on one store many times at once.
private struct Race {
    let bank: Bank
    let phone: Phone
    let payment: Transaction
    private let verifiers: [Verifier]

    init(on kind: StoreKind) async throws {
        bank = try await Bank(on: kind)
        phone = try await bank.activate()
        payment = try await bank.pay()
        verifiers = [bank.verifier, bank.verifier(over: try bank.openAgain())]
    }

    func code(with pin: Phone.PIN) async throws -> SubmittedCode {
        let question = InBandQuestion.decision(try TransactionHash(of: payment), .approve, nil)
        return try await phone.attempt(over: question, with: pin, in: bank).code
    }

    /// What each of 64 attempts is answered, half of them by either verifier.
    func answers(
        to code: SubmittedCode,
        attempt: @escaping @Sendable () throws -> AttemptID
    ) async throws -> [Answer] {
        try await withThrowingTaskGroup { group in
            for number in 0..<64 {
                let attempt = Attempt(id: try attempt(), device: phone.id, kind: .user, code: code)
                let verifier = verifiers[number % 2]
                group.addTask {
                    try await verifier.decide(.approve, on: payment.id, by: .userPIN, attempt)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// The credential's next counter and its wrong codes.
    func credential() async throws -> CredentialState? {
        let device = phone.id
        return try await bank.read { ledger throws(StoreFailure) in
            try ledger.credentialState(.user, on: device)
        }
    }

    /// Each kind of event that was put on the audit trail, if every record follows the one before.
    func events() async throws -> [Event.Kind: Int] {
        let records = try await bank.read { ledger throws(StoreFailure) in
            try ledger.auditRecords(after: 0, limit: 1_000)
        }
        var head = AuditHead.empty
        for record in records {
            #expect(try head.precedes(record))
            head = AuditHead(record)
        }
        return Dictionary(grouping: records, by: \.event.kind).mapValues(\.count)
    }
}

@Suite struct `A decision on every store` {
    @Test(arguments: StoreKind.installed)
    func `with the right PIN approves`(_ kind: StoreKind) async throws {
        let bank = try await Bank(on: kind)
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        #expect(try await phone.decide(on: payment, in: bank) == .accepted(nil))
        let outcome = TransactionRecord.Outcome.approved(with: .userPIN, by: phone.id)
        #expect(try await bank.state(of: payment) == .closed(outcome, at: bank.clock.now))
        let again = try await phone.decide(on: payment, in: bank)
        #expect(again == .refused(.alreadyDecided(outcome)))
    }

    @Test(arguments: StoreKind.installed)
    func `with a wrong PIN is refused and charged`(_ kind: StoreKind) async throws {
        let bank = try await Bank(on: kind)
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        let refused = Answer.refused(.wrongCode(.counted(attemptsLeft: 4)))
        #expect(try await phone.decide(on: payment, with: .wrong, in: bank) == refused)
        #expect(try await bank.state(of: payment) == .pending)
        let reason = RejectionReason.notMe
        #expect(try await phone.decide(.reject(reason), on: payment, in: bank) == .accepted(nil))
    }

    @Test(arguments: StoreKind.installed)
    func `SEC-04 sent 64 times at once to two verifiers is accepted once`(
        _ kind: StoreKind
    ) async throws {
        let race = try await Race(on: kind)
        let before = try #require(try await race.credential())
        let answers = try await race.answers(to: try await race.code(with: .right)) {
            try AttemptID.random()
        }
        let outcome = TransactionRecord.Outcome.approved(with: .userPIN, by: race.phone.id)
        #expect(answers.filter { $0 == .accepted(nil) }.count == 1)
        #expect(answers.filter { $0 == .refused(.alreadyDecided(outcome)) }.count == 63)
        let after = try #require(try await race.credential())
        #expect(after.credential.counter.value == before.credential.counter.value + 1)
        #expect(after.failures == before.failures)
        #expect(try await race.events()[.transactionApproved] == 1)
    }

    @Test(arguments: StoreKind.installed)
    func `sent 64 times at once as one attempt gets the one answer`(
        _ kind: StoreKind
    ) async throws {
        let race = try await Race(on: kind)
        let attempt = try AttemptID.random()
        let answers = try await race.answers(to: try await race.code(with: .right)) { attempt }
        #expect(answers == Array(repeating: .accepted(nil), count: 64))
        #expect(try await race.events()[.transactionApproved] == 1)
    }

    @Test(arguments: StoreKind.installed)
    func `SEC-08 with 64 wrong codes at once is charged 5 times`(_ kind: StoreKind) async throws {
        let race = try await Race(on: kind)
        let answers = try await race.answers(to: try await race.code(with: .wrong)) {
            try AttemptID.random()
        }
        let end = race.bank.clock.now + LockPolicy.standard.firstLock
        let charged = (1...4).map { Answer.refused(.wrongCode(.counted(attemptsLeft: $0))) }
        for answer in charged + [.refused(.wrongCode(.locked(until: end)))] {
            #expect(answers.filter { $0 == answer }.count == 1)
        }
        #expect(answers.filter { $0 == .refused(.locked(until: end)) }.count == 59)
        #expect(try await race.bank.state(of: race.payment) == .pending)
    }

    @Test(arguments: StoreKind.installed)
    func `once linked, accounts and their policy are read back`(_ kind: StoreKind) async throws {
        let bank = try await Bank(on: kind)
        let other = AccountReference(
            enterprise: Bank.enterprise,
            key: AccountKey(type: AccountType(checked: "card"), id: AccountID(checked: "9"))
        )
        let verifier = bank.verifier
        #expect(try await verifier.addAccount(other, by: .operatorCommand) == .done)
        #expect(
            try await verifier.link(Bank.account, to: other.key, by: .operatorCommand) == .done
        )
        let (linked, policy) = try await bank.read { ledger throws(StoreFailure) in
            guard let account = try ledger.account(Bank.account) else { throw .damaged }
            return (
                try ledger.linkedAccounts(of: account), try ledger.enterprise(Bank.enterprise)
            )
        }
        #expect(linked == [other.key, Bank.account.key])
        #expect(policy?.document == "{}")
    }
}
