import OneTimePassword
import Storage
import Testing
import TransactionApproval
import Verification
import VerifierWorld

private let day = Duration.seconds(24 * 60 * 60)

/// A thief has the person's activation id and code.
@Suite(.onAnyStore) struct `A new device of a person with an earlier device` {
    @Test func `SEC-117: a thief approves only small payments for a day, whatever the PIN`()
        async throws
    {
        var bank = try await Bank(policy: Bank.waitingPolicy)
        let phone = try await bank.activate()
        bank.clock.advance(by: .seconds(1))
        let thief = try await bank.activate()
        let end = bank.clock.now + day
        let (large, small) = (try await bank.pay(30_01), try await bank.pay(30_00))
        try await bank.restart()
        let before = try await bank.contents()
        for pin in Phone.PIN.allCases {
            let result = try await thief.decide(on: large, with: pin, in: bank)
            #expect(result == .refused(.deviceWaiting(until: end)))
        }
        #expect(try await bank.contents() == before)
        #expect(try await thief.decide(on: small, in: bank) == .accepted(nil))
        let more = try await bank.pay(1)
        #expect(try await thief.decide(on: more, in: bank) == .refused(.deviceWaiting(until: end)))
        #expect(try await phone.decide(on: large, in: bank) == .accepted(nil))
        bank.clock.advance(by: day - .milliseconds(1))
        #expect(try await !bank.approves(on: thief))
        bank.clock.advance(by: .milliseconds(1))
        #expect(try await bank.approves(on: thief))
    }

    @Test func `SEC-117: its typed codes are refused, with data and without`() async throws {
        let bank = try await Bank(policy: Bank.waitingPolicy)
        let phone = try await bank.activate()
        bank.clock.advance(by: .seconds(1))
        let thief = try await bank.activate()
        let end = bank.clock.now + day
        for data in [nil, Array("limit 5000".utf8)] {
            let code = try await thief.typedCode(over: data, in: bank)
            let result = try await thief.type(code, over: data, in: bank)
            #expect(result == .refused(.deviceWaiting(until: end)))
            let right = try await phone.typedCode(over: data, in: bank)
            #expect(try await phone.type(right, over: data, in: bank) == .accepted(nil))
        }
        bank.clock.advance(by: day)
        let code = try await thief.typedCode(in: bank)
        #expect(try await thief.type(code, in: bank) == .accepted(nil))
    }

    @Test func `SEC-117: it approves nothing without an amount, but can log in and reject`()
        async throws
    {
        let bank = try await Bank(policy: Bank.waitingPolicy)
        _ = try await bank.activate()
        let thief = try await bank.activate()
        let contexts: [(Transaction.Context, Bool)] = [(.action, false), (.login, true)]
        for (context, isAllowed) in contexts {
            let transaction = try await bank.request(context)
            let result = try await thief.decide(on: transaction, in: bank)
            #expect(result.isAccepted == isAllowed)
        }
        #expect(try await thief.logIn(in: bank).isAccepted)
        #expect(try await thief.changePIN(in: bank).isAccepted)
        let payment = try await bank.pay()
        #expect(try await thief.decide(.reject(.notMe), on: payment, in: bank) == .accepted(nil))
    }

    @Test(arguments: EarlierDevice.all)
    func `SEC-117: waits because of an earlier device`(_ earlier: EarlierDevice) async throws {
        let bank = try await Bank(policy: earlier.policy)
        let account = try await earlier.make(bank)
        let device = try await bank.activate(account)
        #expect(try await !bank.approves(on: device, from: account))
        bank.clock.advance(by: day)
        #expect(try await bank.approves(on: device, from: account))
    }

    @Test func `SEC-117: a device waits that moves to an account whose person has a device`()
        async throws
    {
        let bank = try await Bank(policy: Bank.waitingPolicy)
        let victim = try await bank.addAccount("4712")
        let phone = try await bank.activate(victim)
        let thief = try await bank.activate()
        #expect(try await bank.approves(on: thief))
        let result = try await bank.verifier.replace(Bank.account, by: victim.key, by: Bank.core)
        #expect(result == .done)
        let end = bank.clock.now + day
        let large = try await bank.pay(30_01, from: victim)
        let verdict = try await thief.decide(on: large, in: bank)
        #expect(verdict == .refused(.deviceWaiting(until: end)))
        #expect(try await phone.decide(on: large, in: bank) == .accepted(nil))
    }

    @Test func `SEC-117: the first device of a person does not wait, on all linked accounts`()
        async throws
    {
        let bank = try await Bank(policy: Bank.waitingPolicy)
        let linked = try await bank.addLinkedAccount("4712")
        let phones = try await bank.activateAll(Bank.account, 2)
        #expect(try await bank.approves(on: phones[0]))
        #expect(try await bank.approves(on: phones[1], from: linked))
        _ = try await bank.activateAll(Bank.account, 2)
        #expect(try await bank.approves(on: phones[0]))
    }

    @Test func `SEC-117: a clock that is set back neither hides nor shortens the wait`()
        async throws
    {
        let premises = try Premises()
        let bank = try await premises.begin(policy: Bank.waitingPolicy)
        let phone = try await bank.activate()
        bank.clock.advance(by: day * -3650)
        // Both activations have the same time of the clock.
        let thief = try await bank.activate()
        #expect(try await !bank.approves(on: thief))
        #expect(try await bank.approves(on: phone))
        bank.clock.advance(by: day * -3650)
        #expect(try await !bank.approves(on: thief))
        bank.clock.advance(by: day)
        #expect(try await bank.approves(on: thief))
        try await bank.journalNow()
        await bank.database.close()
        #expect(try await premises.audit(againstJournal: true).findings == [])
    }

    @Test func `SEC-117: of two activations at the same time on two nodes, only one is the first`()
        async throws
    {
        let bank = try await Bank(policy: Bank.waitingPolicy)
        let linked = try await bank.addLinkedAccount("4712")
        var commits: [ActivationCommit] = []
        var phones: [Phone] = []
        for account in [Bank.account, linked] {
            let issued = try await bank.issue(for: account)
            let installation = [try bank.phone(), try bank.phone()]
            let claim = try installation[0].claim(issued.id, issued.code)
            commits.append(try await bank.offered(claim, to: installation, issued.code))
            phones.append(installation[account == linked ? 1 : 0])
        }
        let other = try bank.openAgain()
        let nodes = [bank.verifier, bank.verifier(over: other)]
        try await withThrowingTaskGroup { group in
            for (node, commit) in zip(nodes, commits) {
                group.addTask { _ = try await node.commit(commit) }
            }
            try await group.waitForAll()
        }
        var approvals = 0
        for phone in phones where try await bank.approves(on: phone) { approvals += 1 }
        #expect(approvals == 1)
        await other.close()
    }

    @Test func `SEC-117: an enterprise neither knows the devices of another one nor its policy`()
        async throws
    {
        let bank = try await Bank(policy: Bank.waitingPolicy)
        _ = try await bank.activate()
        let other = EnterpriseID(checked: "other")
        try await bank.verifier.addEnterprise(other, policy: "{}", by: .operatorCommand)
        let account = AccountReference(enterprise: other, key: Bank.account.key)
        _ = try await bank.verifier.addAccount(account, by: .operatorCommand)
        let devices = [try await bank.activate(account), try await bank.activate(account)]
        #expect(try await bank.approves(on: devices[1], from: account))
        _ = try await bank.verifier.setPolicy(Bank.waitingPolicy, of: other, by: Bank.core)
        #expect(try await bank.approves(on: devices[0], from: account))
        #expect(try await !bank.approves(on: devices[1], from: account))
    }

    @Test func `SEC-117: a policy that is set during an approval applies to it`() async throws {
        let bank = try await Bank()
        _ = try await bank.activate()
        let device = try await bank.activate()
        let payment = try await bank.pay()
        let attempt = try await device.attempt(
            over: InBandQuestion.approval(of: payment),
            in: bank
        )
        let verifier = bank.verifier(interleaving: {
            _ = try await bank.verifier.setPolicy(
                Bank.waitingPolicy,
                of: Bank.enterprise,
                by: Bank.core
            )
        })
        let result = try await device.send(on: payment, attempt, to: verifier)
        #expect(!result.isAccepted)
        #expect(try await bank.state(of: payment) == .pending)
    }

    @Test func `SEC-117: a payment in many parts ends at the ceiling, also after a restart`()
        async throws
    {
        var bank = try await Bank(policy: Bank.waitingPolicy)
        let phone = try await bank.activate()
        let thief = try await bank.activate()
        for _ in 1...3 { #expect(try await bank.approves(9_99, on: thief)) }
        try await bank.restart()
        #expect(try await !bank.approves(4, on: thief))
        #expect(try await bank.approves(3, on: thief))
        #expect(try await !bank.approves(1, on: thief))
        // The earlier device neither counts nor is stopped.
        #expect(try await bank.approves(on: phone))
        bank.clock.advance(by: day)
        #expect(try await bank.approves(on: thief))
    }

    @Test func `SEC-117: only approvals count, and time, a PIN change and a login change nothing`()
        async throws
    {
        let bank = try await Bank(policy: Bank.waitingPolicy)
        _ = try await bank.activate()
        let thief = try await bank.activate()
        for _ in 1...2 {
            let rejected = try await bank.pay(30_00)
            let result = try await thief.decide(.reject(.wrongDetails), on: rejected, in: bank)
            #expect(result == .accepted(nil))
        }
        let payment = try await bank.pay(30_00)
        #expect(try await thief.decide(on: payment, with: .wrong, in: bank) == .wrong(left: 4))
        #expect(try await thief.decide(on: payment, in: bank) == .accepted(nil))
        #expect(try await thief.changePIN(in: bank).isAccepted)
        #expect(try await thief.logIn(in: bank).isAccepted)
        bank.clock.advance(by: day / 2)
        #expect(try await !bank.approves(1, on: thief))
    }

    @Test func `SEC-117: waiting devices of a person share the ceiling, on all linked accounts`()
        async throws
    {
        let bank = try await Bank(policy: Bank.waitingPolicy)
        _ = try await bank.activate()
        let linked = try await bank.addLinkedAccount("4712")
        let thief = try await bank.activateAll(Bank.account, 2)
        #expect(try await bank.approves(10_00, on: thief[0]))
        #expect(try await bank.approves(10_00, on: thief[1], from: linked))
        try await bank.revoke(thief[0])
        let second = try await bank.activateAll(Bank.account, 2)[0]
        #expect(try await !bank.approves(10_01, on: second))
        #expect(try await bank.approves(10_00, on: second))
        #expect(try await !bank.approves(1, on: thief[1], from: linked))
        // Another person has a ceiling of their own.
        let (account, other) = try await bank.activate("4799")
        #expect(try await bank.approves(on: other, from: account))
    }

    @Test func `SEC-117: an approval by consent counts to both ceilings`() async throws {
        let members = Bank.waitingPolicy.dropFirst().dropLast()
        let bank = try await Bank.allowingConsent(String(members))
        _ = try await bank.activate()
        let thief = try await bank.activate()
        #expect(try await bank.consents(20_00, on: thief))
        #expect(try await !bank.approves(10_01, on: thief))
        #expect(try await bank.approves(10_00, on: thief))
    }

    @Test func `SEC-117: parallel approvals on several nodes do not exceed the ceiling`()
        async throws
    {
        let bank = try await Bank(policy: Bank.waitingPolicy)
        _ = try await bank.activate()
        let other = try bank.openAgain()
        let nodes = [bank.verifier, bank.verifier(over: other)]
        var attempts: [(Phone, Transaction, Attempt)] = []
        for _ in 1...3 {
            let thief = try await bank.activate()
            let payment = try await bank.pay(15_00)
            let approval = try InBandQuestion.approval(of: payment)
            attempts.append((thief, payment, try await thief.attempt(over: approval, in: bank)))
        }
        let results = try await withThrowingTaskGroup(of: AttemptResult.self) { group in
            for (index, (thief, payment, attempt)) in attempts.enumerated() {
                let node = nodes[index % 2]
                group.addTask { try await thief.send(on: payment, attempt, to: node) }
            }
            return try await group.reduce(into: [AttemptResult]()) { $0.append($1) }
        }
        #expect(results.count { $0 == .accepted(nil) } == 2, "\(results)")
        await other.close()
    }

    @Test func `new devices do not wait by default`() async throws {
        let bank = try await Bank()
        _ = try await bank.activate()
        #expect(try await bank.approves(on: try await bank.activate()))
    }
}

/// A history in which the person had a device before.
struct EarlierDevice: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var policy = Bank.waitingPolicy
    /// Returns the account for the new device.
    let make: @Sendable (Bank) async throws -> AccountReference

    static let all = [
        EarlierDevice(testDescription: "revoked before the activation") { bank in
            try await bank.revoke(try await bank.activate())
            bank.clock.advance(by: day * 1000)
            return Bank.account
        },
        EarlierDevice(testDescription: "blocked") { bank in
            try await bank.activate().guessUntilBlocked(in: bank)
            return Bank.account
        },
        // Without common activations, the new device has no device for the other account.
        EarlierDevice(
            testDescription: "on a linked account",
            policy: Bank.waitingPolicy.dropLast() + #", "linksAccounts": false}"#
        ) { bank in
            _ = try await bank.activate()
            return try await bank.addLinkedAccount("4712")
        },
        EarlierDevice(testDescription: "of a replaced account") { bank in
            _ = try await bank.activate()
            let new = Bank.account("4712")
            _ = try await bank.verifier.replace(Bank.account, by: new.key, by: Bank.core)
            return new
        },
        EarlierDevice(testDescription: "of a replaced account, and revoked") { bank in
            let phone = try await bank.activate()
            try await bank.revoke(phone)
            let new = Bank.account("4712")
            _ = try await bank.verifier.replace(Bank.account, by: new.key, by: Bank.core)
            return new
        },
        EarlierDevice(testDescription: "that the person deleted") { bank in
            _ = try await bank.verifier.delete(try await bank.activate().id, attempt: .random())
            return Bank.account
        },
    ]
}

extension Bank {
    /// Whether the device approves a payment, by default a large one.
    fileprivate func approves(
        _ minorUnits: UInt64 = 47_11,
        on phone: Phone,
        from account: AccountReference = account
    ) async throws -> Bool {
        let payment = try await pay(minorUnits, from: account)
        switch try await phone.decide(on: payment, in: self) {
        case .accepted: return true
        case .refused(.deviceWaiting):
            _ = try await verifier.withdraw(payment.id, of: account, by: Self.core)
            return false
        case .refused: throw Unexpected()
        }
    }

    func request(_ context: Transaction.Context) async throws -> Transaction {
        let content = try Transaction.Content(context: context, title: DisplayText("Phone number"))
        let request = TransactionRequest(account: Self.account, content: content)
        guard case .created(let transaction, _) = try await verifier.request(request, by: Self.core)
        else { throw Unexpected() }
        return transaction
    }
}
