import OneTimePassword
import Storage
import Testing
import TransactionApproval
import VerifierWorld

@testable import Verification

/// A thief has an unlocked device, but neither PIN nor finger.
@Suite(.onAnyStore) struct `Approvals by consent alone` {
    @Test func `SEC-107: many small consents end after five, until the PIN is used`() async throws {
        var bank = try await Bank.allowingConsent()
        let phone = try await bank.activate()
        for round in 1...2 {
            for _ in 1...5 { #expect(try await bank.consents(1, on: phone)) }
            try await bank.restart()
            #expect(try await !bank.consents(1, on: phone), "round \(round)")
            #expect(
                try await bank.verifier.readiness(of: Bank.account, for: .bank)?.authentication
                    == .userPIN
            )
            let payment = try await bank.pay(1)
            #expect(payment.acceptedAuthentication == .userPIN)
            #expect(try await phone.decide(on: payment, in: bank) == .accepted(nil))
            #expect(
                try await bank.verifier.readiness(of: Bank.account, for: .bank)?.authentication == [
                    .userPIN, .consent,
                ]
            )
        }
    }

    @Test func `SEC-107: consents end at the sum of their currency`() async throws {
        let bank = try await Bank.allowingConsent()
        let phone = try await bank.activate()
        for sum in [30_00, 30_00, 30_00] as [UInt64] {
            #expect(try await bank.consents(sum, on: phone))
        }
        #expect(try await !bank.consents(10_01, on: phone))
        #expect(try await bank.consents(10_00, on: phone))
        #expect(try await !bank.consents(1, on: phone))
        let total = try #require(try await bank.verifier.overview(of: Bank.account)?.consents)
        #expect(total.count == 4)
        #expect(Array(total.minorUnits.values) == [100_00])
    }

    @Test func `SEC-107: a pending payment above the ceiling is refused without a charge`()
        async throws
    {
        let bank = try await Bank.allowingConsent(consecutive: 1)
        let phone = try await bank.activate()
        let (first, second) = (try await bank.pay(1), try await bank.pay(1))
        #expect(second.acceptedAuthentication == [.userPIN, .consent])
        #expect(try await phone.decide(on: first, by: .consent, in: bank) == .accepted(nil))
        let before = try await bank.contents()
        for pin in Phone.PIN.allCases {
            let result = try await phone.decide(on: second, by: .consent, with: pin, in: bank)
            #expect(result == .refused(.consentExhausted))
        }
        #expect(try await bank.contents() == before)
        #expect(try await phone.decide(on: second, in: bank) == .accepted(nil))
    }

    @Test func `SEC-107: parallel consents on several devices and nodes do not exceed the ceiling`()
        async throws
    {
        let bank = try await Bank.allowingConsent(consecutive: 2)
        let phones = [try await bank.activate(), try await bank.activate()]
        let (account, linked) = try await bank.activate("4712")
        try await bank.link(account)
        let other = try bank.openAgain()
        let nodes = [bank.verifier, bank.verifier(over: other)]
        let payments = [
            (phones[0], try await bank.pay(1)), (phones[1], try await bank.pay(1)),
            (linked, try await bank.pay(1, from: account)),
        ]
        var attempts: [(Phone, Transaction, Attempt)] = []
        for (phone, payment) in payments {
            let hash = try TransactionHash(of: payment)
            let attempt = try await phone.attempt(
                .device,
                over: .decision(hash, .approve, nil),
                in: bank
            )
            attempts.append((phone, payment, attempt))
        }
        let results = try await withThrowingTaskGroup(of: AttemptResult.self) { group in
            for (index, (phone, payment, attempt)) in attempts.enumerated() {
                let node = nodes[index % 2]
                group.addTask {
                    try await phone.send(on: payment, by: .consent, attempt, to: node)
                }
            }
            return try await group.reduce(into: [AttemptResult]()) { $0.append($1) }
        }
        #expect(results.count { $0 == .accepted(nil) } == 2)
        #expect(results.count { $0 == .refused(.consentExhausted) } == 1)
        await other.close()
    }

    @Test func `SEC-107: linked accounts and further devices share one count`() async throws {
        let bank = try await Bank.allowingConsent()
        let further = try await bank.activate()
        let account = try await bank.addLinkedAccount("4712")
        let phones = try await bank.activateAll(Bank.account, 2)
        #expect(try await bank.consents(1, on: phones[0]))
        #expect(try await bank.consents(1, on: further))
        for _ in 1...3 { #expect(try await bank.consents(1, from: account, on: phones[1])) }
        // A device that is activated later, and an account that is linked later.
        let (later, phone) = try await bank.activate("4713")
        try await bank.link(later)
        let latest = try await bank.activateAll(Bank.account, 3)[0]
        for (account, phone) in [
            (Bank.account, phones[0]), (account, phones[1]), (later, phone),
            (Bank.account, latest),
        ] {
            #expect(try await !bank.consents(1, from: account, on: phone))
        }
        #expect(try await phones[0].logIn(in: bank).isAccepted)
        #expect(try await bank.consents(1, from: account, on: phones[1]))
    }

    @Test func `SEC-107: the count stays on both accounts after an unlink`() async throws {
        let bank = try await Bank.allowingConsent()
        let phone = try await bank.activate()
        for _ in 1...5 { #expect(try await bank.consents(1, on: phone)) }
        let (other, second) = try await bank.activate("4712")
        try await bank.link(other)
        _ = try await bank.verifier.unlink(other.key, from: Bank.account, by: Bank.core)
        #expect(try await !bank.consents(1, on: phone))
        #expect(try await !bank.consents(1, from: other, on: second))
    }

    @Test func `SEC-107: the PIN of an account starts the count of a person again who was linked`()
        async throws
    {
        let bank = try await Bank.allowingConsent()
        let phone = try await bank.activate()
        for _ in 1...5 { #expect(try await bank.consents(1, on: phone)) }
        let (later, other) = try await bank.activate("4713")
        try await bank.link(later)
        for (account, phone) in [(Bank.account, phone), (later, other)] {
            #expect(try await !bank.consents(1, from: account, on: phone))
        }
        #expect(try await other.checkPIN(in: bank) == .accepted(nil))
        #expect(try await bank.consents(1, on: phone))
        #expect(try await bank.verifier.overview(of: later)?.consents?.count == 1)
    }

    @Test func `SEC-107: the account that replaces another one takes over its count`() async throws
    {
        let bank = try await Bank.allowingConsent()
        let phone = try await bank.activate()
        for _ in 1...5 { #expect(try await bank.consents(1, on: phone)) }
        let new = Bank.account("4719")
        #expect(try await bank.verifier.replace(Bank.account, by: new.key, by: Bank.core) == .done)
        #expect(try await !bank.consents(1, from: new, on: phone))
    }

    /// The heir belongs to another person, so only the replacement can hand over the count.
    @Test func `SEC-107: a replacement takes over the count of linked accounts`() async throws {
        let bank = try await Bank.allowingConsent()
        let phone = try await bank.activate()
        for _ in 1...5 { #expect(try await bank.consents(1, on: phone)) }
        let (linked, other) = try await bank.activate("4712")
        #expect(try await bank.verifier.link(Bank.account, to: linked.key, by: Bank.core) == .done)
        let (heir, person) = (
            try await bank.addAccount("4713"), try await bank.addAccount("4714")
        )
        #expect(try await bank.verifier.link(heir, to: person.key, by: Bank.core) == .done)
        #expect(try await bank.verifier.replace(linked, by: heir.key, by: Bank.core) == .done)
        #expect(try await !bank.consents(1, from: heir, on: other))
    }

    @Test func `SEC-107: a test account has the same ceiling`() async throws {
        let bank = try await Bank.allowingConsent(#""allowsTestAccounts": true"#)
        let account = Bank.account("4799")
        _ = try await bank.verifier.addAccount(account, isTest: true, by: Bank.core)
        let phone = try await bank.activate(account)
        for _ in 1...5 { #expect(try await bank.consents(1, from: account, on: phone)) }
        #expect(try await !bank.consents(1, from: account, on: phone))
    }

    @Test(arguments: ProofOfPerson.all)
    func `SEC-107: a right code of the PIN starts the count again`(
        _ proof: ProofOfPerson
    ) async throws {
        let bank = try await Bank.allowingConsent()
        let phone = try await bank.activate()
        for _ in 1...5 { #expect(try await bank.consents(1, on: phone)) }
        #expect(try await !bank.consents(1, on: phone))
        #expect(try await proof.use(phone, bank).isAccepted)
        for _ in 1...5 { #expect(try await bank.consents(1, on: phone)) }
        #expect(try await !bank.consents(1, on: phone))
    }

    @Test(arguments: [true, false])
    func `SEC-107: right biometrics start the count again, and wrong ones do not`(
        _ isRight: Bool
    ) async throws {
        let policy = Bank.consentPolicy(consecutive: 1)
            .replacing(#""userPIN", "consent""#, with: #""userPIN", "consent", "biometric""#)
        let bank = try await Bank(policy: policy)
        let phone = try await bank.activate()
        let biometric = try await phone.rekey(.biometric, in: bank)
        #expect(try await phone.send(biometric, in: bank) == .accepted(nil))
        #expect(try await bank.consents(1, on: phone))
        #expect(try await !bank.consents(1, on: phone))
        let payment = try await bank.pay(1)
        let pin = isRight ? Phone.PIN.right : .wrong
        let result = try await phone.decide(on: payment, by: .biometric, with: pin, in: bank)
        #expect(result.isAccepted == isRight)
        #expect(try await bank.consents(1, on: phone) == isRight)
    }

    @Test func `SEC-107: neither a rejection, a wrong PIN, time nor retention lowers the count`()
        async throws
    {
        let bank = try await Bank.allowingConsent()
        let phone = try await bank.activate()
        for _ in 1...5 { #expect(try await bank.consents(1, on: phone)) }
        let rejected = try await bank.pay(1)
        try await phone.decide(.reject(.wrongDetails), on: rejected, in: bank)
        let payment = try await bank.pay(1)
        #expect(try await phone.decide(on: payment, with: .wrong, in: bank) == .wrong(left: 4))
        #expect(try await phone.checkPIN(with: .wrong, in: bank) == .wrong(left: 3))
        bank.clock.advance(by: .seconds(400 * 24 * 60 * 60))
        #expect(try await bank.verifier.applyRetention() > 0)
        #expect(try await !bank.consents(1, on: phone))
    }

    @Test func `SEC-107: a request for consent alone is refused at the ceiling`() async throws {
        let bank = try await Bank.allowingConsent(consecutive: 1)
        let phone = try await bank.activate()
        #expect(try await bank.consents(1, on: phone))
        let request = TransactionRequest(
            account: Bank.account,
            content: try .payment(of: 1),
            authentication: .consent
        )
        let result = try await bank.verifier.request(request, by: Bank.core)
        #expect(result == .refused([.consentExhausted(allowed: .userPIN)]))
    }

    @Test func `SEC-107: a stricter policy applies to pending payments`() async throws {
        let bank = try await Bank.allowingConsent()
        let phone = try await bank.activate()
        #expect(try await bank.consents(1, on: phone))
        let payment = try await bank.pay(1)
        let strict = Bank.consentPolicy(consecutive: 1)
        #expect(
            try await bank.verifier.setPolicy(strict, of: Bank.enterprise, by: Bank.core) == .done
        )
        let result = try await phone.decide(on: payment, by: .consent, in: bank)
        #expect(result == .refused(.consentExhausted))
    }

    @Test func `SEC-33, SEC-107: consents do not end the rate limit of requests`() async throws {
        let bank = try await Bank.allowingConsent()
        let phone = try await bank.activate()
        let start = bank.clock.now
        for _ in 1...5 {
            let payment = try await bank.pay(1)
            #expect(try await phone.decide(on: payment, by: .consent, in: bank) == .accepted(nil))
            bank.clock.advance(by: .milliseconds(1))
        }
        let request = TransactionRequest(account: Bank.account, content: try .payment(of: 1))
        let limited = TransactionResult.rateLimited(until: start + .seconds(600))
        #expect(try await bank.verifier.request(request, by: Bank.core) == limited)
    }

    @Test func `SEC-107: after a restore, consent needs the PIN first`() async throws {
        let premises = try Premises()
        var bank = try await premises.begin(policy: Bank.consentPolicy())
        let phone = try await bank.activate()
        let backup = premises.path + "/backup"
        try await premises.store.backUp(to: backup)
        for _ in 1...5 { #expect(try await bank.consents(1, on: phone)) }
        await bank.database.close()
        try premises.store.putBack(backup)
        _ = try await premises.restore()
        bank = try await premises.open()
        #expect(try await !bank.consents(1, on: phone))
        #expect(try await bank.verifier.overview(of: Bank.account)?.consents == nil)
        #expect(try await phone.decide(on: try await bank.pay(1), in: bank) == .accepted(nil))
        for _ in 1...5 { #expect(try await bank.consents(1, on: phone)) }
        #expect(try await !bank.consents(1, on: phone))
        try await bank.journalNow()
        await bank.database.close()
        #expect(try await premises.audit(againstJournal: true).findings == [])
    }

    @Test func `SEC-107: after a restore, the PIN of one account is enough for linked ones`()
        async throws
    {
        let premises = try Premises()
        var bank = try await premises.begin(policy: Bank.consentPolicy())
        let phone = try await bank.activate()
        for _ in 1...5 { #expect(try await bank.consents(1, on: phone)) }
        let (later, other) = try await bank.activate("4713")
        try await bank.link(later)
        let backup = premises.path + "/backup"
        try await premises.store.backUp(to: backup)
        await bank.database.close()
        try premises.store.putBack(backup)
        _ = try await premises.restore()
        bank = try await premises.open()
        #expect(try await !bank.consents(1, on: phone))
        #expect(try await other.checkPIN(in: bank) == .accepted(nil))
        #expect(try await bank.consents(1, on: phone))
        await bank.database.close()
    }
}

extension Bank {
    fileprivate func link(_ other: AccountReference) async throws {
        #expect(try await verifier.link(Self.account, to: other.key, by: Self.core) == .done)
    }
}

/// A use of the PIN.
struct ProofOfPerson: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let use: @Sendable (Phone, Bank) async throws -> AttemptResult

    static let all = [
        ProofOfPerson(testDescription: "an approval") { phone, bank in
            try await phone.decide(on: try await bank.pay(1), in: bank)
        },
        ProofOfPerson(testDescription: "a login") { phone, bank in
            try await phone.logIn(in: bank)
        },
        ProofOfPerson(testDescription: "a PIN check") { phone, bank in
            try await phone.checkPIN(in: bank)
        },
        ProofOfPerson(testDescription: "a typed code") { phone, bank in
            try await phone.type(try await phone.typedCode(in: bank), in: bank)
        },
        ProofOfPerson(testDescription: "a PIN change") { phone, bank in
            try await phone.changePIN(in: bank)
        },
    ]
}
