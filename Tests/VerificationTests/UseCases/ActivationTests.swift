import Cryptography
import Sealing
import Storage
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@Suite(.onAnyStore) struct `Activation of a device` {
    @Test func `SEC-53: an activation is used once, and a repeated commit adds no device`()
        async throws
    {
        var bank = try await Bank()
        let issued = try await bank.issue()
        let phone = try bank.phone()
        let submitted = try phone.claim(issued.id, issued.code)
        let commit = try await bank.offered(submitted, to: [phone], issued.code)
        try await bank.complete(commit)
        try await bank.restart()
        let over = Activation.Refusal.codeInvalid
        #expect(try await bank.verifier.commit(commit) == .refused(.activation(over)))
        #expect(try await bank.verifier.claim(submitted) == .refused(over))
        #expect(try await bank.count(of: .activationIssued) == 1)
        #expect(try await bank.count(of: .deviceActivated) == 1)
        #expect(try await bank.verifier.status(of: phone.id)?.status == .active)
        #expect(try await phone.checkPIN(in: bank) == .accepted(nil))
    }

    @Test func `SEC-53: a later claim supersedes an earlier one, and can be committed`()
        async throws
    {
        let bank = try await Bank()
        let issued = try await bank.issue()
        let (first, second) = (try bank.phone(), try bank.phone())
        let early = try await bank.offered(
            first.claim(issued.id, issued.code),
            to: [first],
            issued.code
        )
        let late = try await bank.offered(
            second.claim(issued.id, issued.code),
            to: [second],
            issued.code
        )
        let result = try await bank.verifier.commit(early)
        #expect(result == .refused(.activation(.superseded)))
        try await bank.complete(late)
    }

    @Test func `SEC-53: a repeated claim gets the same offer while it is the current one`()
        async throws
    {
        let bank = try await Bank()
        let issued = try await bank.issue()
        let phone = try bank.phone()
        let claim = try phone.claim(issued.id, issued.code)
        let offered = try await bank.verifier.claim(claim)
        let commit = try await bank.offered(claim, to: [phone], issued.code)
        #expect(try await bank.verifier.claim(claim) == offered)
        try await bank.complete(commit)
    }

    @Test func `SEC-53: a claim that the device cancelled gets a new offer`() async throws {
        let bank = try await Bank()
        let issued = try await bank.issue()
        let phone = try bank.phone()
        let claim = try phone.claim(issued.id, issued.code)
        let commit = try await bank.offered(claim, to: [phone], issued.code)
        let sent = SentCommit(
            activation: issued.id,
            claim: try claim.digest(),
            deviceKey: phone.key.publicKey
        )
        #expect(try await bank.verifier.end(sent, of: phone.id) == .cancelled)
        let newCommit = try await bank.offered(claim, to: [phone], issued.code)
        #expect(try await bank.verifier.commit(commit) == .refused(.enrolment))
        try await bank.complete(newCommit)
    }

    @Test func `SEC-53: a commit that is superseded on its way adds no device`() async throws {
        let bank = try await Bank()
        let issued = try await bank.issue()
        let (first, second) = (try bank.phone(), try bank.phone())
        let commit = try await bank.offered(
            first.claim(issued.id, issued.code),
            to: [first],
            issued.code
        )
        let later = try second.claim(issued.id, issued.code)
        let verifier = bank.verifier(interleaving: { _ = try await bank.verifier.claim(later) })
        let result = try await verifier.commit(commit)
        #expect(result == .refused(.activation(.superseded)))
        #expect(try await bank.count(of: .deviceActivated) == 0)
    }

    @Test func `SEC-53: an activation expires at its deadline; only the right code reveals that`()
        async throws
    {
        let bank = try await Bank(policy: #"{"activationSeconds": 600}"#)
        let issued = try await bank.issue()
        let phone = try bank.phone()
        let submitted = try phone.claim(issued.id, issued.code)
        bank.clock.advance(by: .seconds(600) - .milliseconds(1))
        let commit = try await bank.offered(submitted, to: [phone], issued.code)
        bank.clock.advance(by: .milliseconds(1))
        #expect(try await bank.verifier.commit(commit) == .refused(.activation(.expired)))
        #expect(try await bank.verifier.claim(submitted) == .refused(.expired))
        let guess = try phone.claim(issued.id, ActivationCode.random())
        #expect(try await bank.verifier.claim(guess) == .refused(.codeInvalid))
    }

    @Test func `SEC-49, SEC-52: an id without its code, or a code without its id, is refused`()
        async throws
    {
        let bank = try await Bank()
        let issued = try await bank.issue()
        let phone = try bank.phone()
        let withoutCode = try phone.claim(issued.id, ActivationCode.random())
        #expect(try await bank.verifier.claim(withoutCode) == .refused(.codeInvalid))
        let withoutID = try phone.claim(.random(), issued.code)
        #expect(try await bank.verifier.claim(withoutID) == .refused(.codeInvalid))
    }

    @Test func `SEC-53: an activation of one account adds no device to another`() async throws {
        let bank = try await Bank()
        let other = Bank.account("4712")
        _ = try await bank.verifier.addAccount(other, by: Bank.core)
        let mine = try await bank.issue()
        let theirs = try await bank.issue(for: other)
        let swapped = try bank.phone().claim(theirs.id, mine.code)
        #expect(try await bank.verifier.claim(swapped) == .refused(.codeInvalid))
    }

    @Test func `2.6: wrong codes of a stranger cannot stop a device that has claimed`()
        async throws
    {
        let bank = try await Bank()
        let issued = try await bank.issue()
        let phone = try bank.phone()
        let submitted = try phone.claim(issued.id, issued.code)
        let commit = try await bank.offered(submitted, to: [phone], issued.code)
        for _ in 0..<9 {
            _ = try await bank.verifier.claim(phone.claim(issued.id, ActivationCode.random()))
        }
        try await bank.complete(commit)
    }

    @Test func `a new activation revokes the open one of its account`() async throws {
        let bank = try await Bank()
        let first = try await bank.issue()
        let phone = try bank.phone()
        let submitted = try phone.claim(first.id, first.code)
        let commit = try await bank.offered(submitted, to: [phone], first.code)
        let second = try await bank.issue()
        let over = Activation.Refusal.codeInvalid
        #expect(try await bank.verifier.commit(commit) == .refused(.activation(over)))
        #expect(try await bank.verifier.claim(submitted) == .refused(over))
        #expect(try await bank.count(of: .activationRevoked) == 1)
        let next = try bank.phone()
        _ = try await bank.offered(next.claim(second.id, second.code), to: [next], second.code)
    }

    @Test func `an account takes as many devices as the policy allows, without revoked ones`()
        async throws
    {
        let bank = try await Bank(policy: #"{"devicesPerAccount": 2}"#)
        let first = try await bank.activate()
        _ = try await bank.activate()
        let issued = try await bank.issue()
        let phone = try bank.phone()
        let submitted = try phone.claim(issued.id, issued.code)
        let commit = try await bank.offered(submitted, to: [phone], issued.code)
        let before = try await bank.contents()
        #expect(try await bank.outcomes(of: commit) == [.tooManyDevices])
        #expect(try await bank.contents() == before)
        _ = try await bank.verifier.revoke(first.id, of: Bank.account, by: Bank.core)
        try await bank.complete(commit)
    }

    @Test(arguments: ["4711", "4712"])
    func `linked accounts are activated together, each with its own outcome`(_ full: String)
        async throws
    {
        let bank = try await Bank(policy: #"{"devicesPerAccount": 1}"#)
        let second = Bank.account("4712")
        _ = try await bank.verifier.addAccount(second, by: Bank.core)
        _ = try await bank.activate(Bank.account(full))
        _ = try await bank.verifier.link(Bank.account, to: second.key, by: Bank.core)
        let issued = try await bank.issue()
        let phones = [try bank.phone(), try bank.phone()]
        let submitted = try phones[0].claim(issued.id, issued.code)
        let commit = try await bank.offered(submitted, to: phones, issued.code)
        let isFirstFull = full == Bank.account.key.id.text
        let outcomes: [EnrolmentOutcome] =
            isFirstFull ? [.tooManyDevices, .enrolled] : [.enrolled, .tooManyDevices]
        #expect(try await bank.outcomes(of: commit) == outcomes)
        let (enrolled, other) = isFirstFull ? (phones[1], phones[0]) : (phones[0], phones[1])
        #expect(try await enrolled.checkPIN(with: .wrong, in: bank) == .wrong(left: 4))
        #expect(try await enrolled.checkPIN(in: bank) == .accepted(nil))
        #expect(try await bank.verifier.status(of: other.id) == nil)
        let over = Activation.Refusal.codeInvalid
        #expect(try await bank.verifier.commit(commit) == .refused(.activation(over)))
    }

    @Test func `the device can verify the receipt of a commit`() async throws {
        let bank = try await Bank()
        let issued = try await bank.issue()
        let phone = try bank.phone()
        let submitted = try phone.claim(issued.id, issued.code)
        guard case .offered(let offer, let mac) = try await bank.verifier.claim(submitted) else {
            throw Bank.Unexpected()
        }
        let commit = try phone.commit(submitted, offer, mac: mac, issued.code)
        let receipt = try phone.receipt(for: commit, [.enrolled], offer, mac: mac, issued.code)
        let result = try await bank.verifier.commit(commit)
        #expect(result == .committed([.enrolled], receipt: receipt))
    }

    @Test func `a commit with a seed that was sealed for another place is refused`() async throws {
        let bank = try await Bank()
        let issued = try await bank.issue()
        let (phone, other) = (try bank.phone(), try bank.phone())
        let submitted = try phone.claim(issued.id, issued.code)
        let commit = try await bank.offered(submitted, to: [phone], issued.code)
        let theirs = try await bank.offered(
            other.claim(issued.id, issued.code),
            to: [other],
            issued.code
        )
        _ = try await bank.offered(submitted, to: [phone], issued.code)
        // The same claim is current again, but its offer has new credentials; so seeds for the old
        // offer are invalid.
        #expect(try await bank.verifier.commit(commit) == .refused(.enrolment))
        #expect(try await bank.verifier.commit(theirs) == .refused(.activation(.superseded)))
        #expect(try await bank.count(of: .deviceActivated) == 0)
    }

    /// A restore finds the credential of an audit record by its id.
    @Test func `a commit is refused if a device of the account took an offered id meanwhile`()
        async throws
    {
        let bank = try await Bank()
        let (first, second) = (try await bank.activate(), try bank.phone())
        let issued = try await bank.issue()
        let claim = try second.claim(issued.id, issued.code)
        guard case .offered(let offer, let mac) = try await bank.verifier.claim(claim) else {
            throw Bank.Unexpected()
        }
        let commit = try second.commit(claim, offer, mac: mac, issued.code)
        let id = offer.enrolments[0].deviceCredential
        let rekey = try await first.rekey(.biometric, id: id, in: bank)
        #expect(try await first.send(rekey, in: bank) == .accepted(nil))
        #expect(try await bank.verifier.commit(commit) == .refused(.enrolment))
        #expect(try await bank.verifier.status(of: second.id) == nil)
        let third = try bank.phone()
        let other = try third.claim(issued.id, issued.code)
        try await bank.complete(try await bank.offered(other, to: [third], issued.code))
    }

    @Test func `SEC-36, SEC-48, SEC-57: no code and no seed is readable in the store`() async throws
    {
        let bank = try await Bank()
        let issued = try await bank.issue()
        let text = try issued.code.text().withBytes { $0.array }
        let phone = try await bank.activate()
        #expect(try bank.isOnDisk(phone.id.bytes))
        #expect(try !bank.isOnDisk(text))
        #expect(try !bank.isOnDisk(text.filter { $0 != UInt8(ascii: "-") }))
        for kind in [CredentialKind.user, .device] {
            #expect(try !bank.isOnDisk(try #require(phone.seedBytes(kind))))
        }
    }

    @Test func `SEC-56, SEC-118: the bank is notified of each change of a device`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        #expect(try await phone.changePIN(in: bank) == .accepted(nil))
        try await phone.failUntilLocked(in: bank)
        let issued = try #require(try await bank.events().first { $0.kind == .activationIssued })
        var notices: [AuditRecord] = []
        while let next = try await bank.deliveries().first {
            guard case .event(let notice)? = try await bank.verifier.notice(of: next) else {
                throw Bank.Unexpected()
            }
            notices.append(notice.record)
            try await bank.verifier.note(.delivered, of: next)
        }
        #expect(
            notices.map(\.event.kind) == [
                .activationIssued, .deviceActivated, .credentialRekeyed, .failuresRepeated,
                .credentialLocked,
            ]
        )
        #expect(notices.prefix(2).map(\.event.subject) == [issued.subject, phone.id.description])
    }
}

extension Bank {
    /// The outcome of each account; nil if the commit is refused.
    fileprivate func outcomes(of commit: ActivationCommit) async throws -> [EnrolmentOutcome]? {
        guard case .committed(let outcomes, _) = try await verifier.commit(commit) else {
            return nil
        }
        return outcomes
    }

    func deliveries() async throws -> [Delivery] {
        let now = clock.now
        return try await read { ledger throws(StoreFailure) in
            try ledger.dueDeliveries(to: .webhook, at: now, limit: .max)
                + ledger.dueDeliveries(to: .push, at: now, limit: .max)
        }
    }
}

/// Both steps could be used to guess codes.
enum ActivationStep: CaseIterable { case claim, commit }

extension Verifier {
    /// The refusal of a claim, alone or inside an empty commit.
    func refusal(
        of submitted: SubmittedClaim,
        _ step: ActivationStep
    ) async throws -> Activation.Refusal? {
        switch step {
        case .claim:
            guard case .refused(let refusal) = try await claim(submitted) else { return nil }
            return refusal
        case .commit:
            let commit = try #require(ActivationCommit(submitted, [submitted.enrolment()]))
            guard case .refused(.activation(let refusal)) = try await self.commit(commit) else {
                return nil
            }
            return refusal
        }
    }
}

extension SubmittedClaim {
    /// An empty enrolment for its device.
    fileprivate func enrolment() throws -> ActivationCommit.Enrolment {
        let nothing = [UInt8](repeating: 0, count: SealedSeed.ciphertextByteCount)
        let seed = try #require(SealedSeed(nonce: .random(), ciphertext: nothing))
        let signature = try P256.PrivateKey().signature(for: nothing.span)
        return ActivationCommit.Enrolment(
            device: claim.device,
            deviceKey: claim.deviceKey,
            userSeed: seed,
            deviceSeed: seed,
            possession: signature
        )
    }
}
