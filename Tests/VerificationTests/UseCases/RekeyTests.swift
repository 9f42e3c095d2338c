import OneTimePassword
import Sealing
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@Suite(.onAnyStore) struct `Rekeys` {
    @Test func `a rekey changes the PIN: the new PIN is right, the old one wrong`() async throws {
        var bank = try await Bank()
        let phone = try await bank.activate()
        let old = try #require(phone.seedBytes(.user))
        let rekey = try await phone.rekey(in: bank)
        #expect(try await phone.send(rekey, in: bank) == .accepted(nil))
        try await bank.restart()
        #expect(try await phone.checkPIN(in: bank) == .accepted(nil))
        phone.keep(old, for: .user)
        #expect(try await phone.checkPIN(in: bank) == .wrong(left: 4))
        #expect(try await bank.count(of: .credentialRekeyed) == 1)
    }

    @Test func `a wrong old PIN is charged and changes nothing`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let before = try await bank.credential(of: phone).credential
        let rekey = try await phone.rekey(with: .wrong, in: bank)
        #expect(try await phone.send(rekey, with: .wrong, in: bank) == .wrong(left: 4))
        #expect(try await bank.credential(of: phone).credential == before)
        #expect(try await phone.checkPIN(in: bank) == .accepted(nil))
    }

    @Test func `a seed that does not open makes a wrong code, even if the code is right`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let rekey = try await phone.rekey(with: .wrong, in: bank)
        #expect(try await phone.send(rekey, in: bank) == .wrong(left: 4))
    }

    @Test(arguments: [CredentialKind.user, .device, .biometric])
    func `a rekey whose response was lost returns the same result to its attempt`(
        _ kind: CredentialKind
    ) async throws {
        var bank = try await Bank()
        let phone = try await bank.activate()
        let rekey = try await phone.rekey(kind, in: bank)
        let attempt = try await phone.attempt(over: try rekey.request.question(), in: bank)
        #expect(try await bank.verifier.rekey(rekey.request, attempt) == .accepted(nil))
        try await bank.restart()
        let before = try await bank.contents()
        #expect(try await bank.verifier.rekey(rekey.request, attempt) == .accepted(nil))
        #expect(try await bank.contents() == before)
        let generation = try await bank.verifier.status(of: phone.id)?.credentials
            .first { $0.kind == kind }?.generation
        #expect(generation == Generation(kind == .biometric ? 0 : 1))
    }

    @Test func `a rekey with another seed is another attempt`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let (first, second) = (try await phone.rekey(in: bank), try await phone.rekey(in: bank))
        let id = try AttemptID.random()
        let wrong = try await phone.send(first, with: .wrong, attempt: id, in: bank)
        #expect(wrong == .wrong(left: 4))
        let other = try await phone.send(second, attempt: id, in: bank)
        #expect(other == .refused(.attemptReused))
        #expect(try await phone.send(second, in: bank) == .accepted(nil))
    }

    @Test func `a rekey of the same proposal with another seed is another attempt`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let rekey = try await phone.rekey(in: bank)
        let attempt = try await phone.attempt(over: try rekey.request.question(), in: bank)
        #expect(try await bank.verifier.rekey(rekey.request, attempt) == .accepted(nil))
        #expect(try await bank.verifier.rekey(rekey.request, attempt) == .accepted(nil))
        let seed = try #require(
            SealedSeed(nonce: try .random(), ciphertext: rekey.request.seed.ciphertext)
        )
        let other = RekeyRequest(rekey.request.proposal, seed: seed)
        #expect(try await bank.verifier.rekey(other, attempt) == .refused(.attemptReused))
    }

    @Test func `a finished rekey is refused under another attempt id`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let rekey = try await phone.rekey(in: bank)
        let attempt = try await phone.attempt(over: try rekey.request.question(), in: bank)
        #expect(try await bank.verifier.rekey(rekey.request, attempt) == .accepted(nil))
        let again = try attempt.withNewID()
        let result = try await bank.verifier.rekey(rekey.request, again)
        #expect(result == .refused(.generationMismatch))
    }

    @Test func `a revoked device is refused when it repeats a finished rekey`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let rekey = try await phone.rekey(in: bank)
        let attempt = try await phone.attempt(over: try rekey.request.question(), in: bank)
        #expect(try await bank.verifier.rekey(rekey.request, attempt) == .accepted(nil))
        try await bank.revoke(phone)
        let result = try await bank.verifier.rekey(rekey.request, try attempt.withNewID())
        #expect(result == .refused(.deviceRevoked))
    }

    @Test(arguments: [CredentialKind.device, .biometric])
    func `a rekey that skips a generation is refused and costs nothing`(
        _ kind: CredentialKind
    ) async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let biometric = try await phone.rekey(.biometric, in: bank)
        #expect(try await phone.send(biometric, in: bank) == .accepted(nil))
        let skipping = try await phone.rekey(kind, skipping: 1, in: bank)
        let before = try await bank.contents()
        #expect(try await phone.send(skipping, in: bank) == .refused(.generationMismatch))
        #expect(try await bank.contents() == before)
    }

    @Test func `a rekey keeps the counter, wrong codes and the growth of locks`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        for _ in 0..<3 {
            try await phone.decide(.reject(.notMe), on: payment, with: .wrong, in: bank)
        }
        let before = try await bank.credential(.device, of: phone)
        let rekey = try await phone.rekey(.device, in: bank)
        #expect(try await phone.send(rekey, in: bank) == .accepted(nil))
        let after = try await bank.credential(.device, of: phone)
        #expect(after.failures == before.failures)
        #expect(after.failures.consecutiveFailures == 3)
        #expect(after.credential.counter == before.credential.counter)
        let moments = try await bank.credential(of: phone).failures.moments
        try await phone.checkPIN(with: .wrong, in: bank)
        let again = try await phone.rekey(in: bank)
        let counter = try await bank.credential(of: phone).credential.counter
        #expect(try await phone.send(again, in: bank) == .accepted(nil))
        let user = try await bank.credential(of: phone)
        #expect(user.failures.moments == moments + [bank.clock.now])
        #expect(user.credential.counter == Counter(counter.value + 1))
    }

    @Test func `a rekey adds a biometric credential, and replaces its seed later`() async throws {
        let bank = try await Bank(policy: #"{"authentication": ["userPIN", "biometric"]}"#)
        let phone = try await bank.activate()
        for generation in [0, 1, 2] as [UInt64] {
            let payment = try await bank.pay()
            let rekey = try await phone.rekey(.biometric, in: bank)
            #expect(try await phone.send(rekey, in: bank) == .accepted(nil))
            let credential = try await bank.credential(.biometric, of: phone).credential
            #expect(credential.generation == Generation(generation))
            #expect(try await phone.decide(on: payment, by: .biometric, in: bank) == .accepted(nil))
        }
        #expect(try await bank.count(of: .credentialAdded) == 1)
        #expect(try await bank.count(of: .credentialRekeyed) == 2)
    }

    /// A restore finds the credential of an audit record by its id.
    @Test(arguments: CredentialKind.allCases)
    func `a new credential cannot have the id of another credential of the account`(
        _ kind: CredentialKind
    ) async throws {
        let bank = try await Bank()
        let (phone, other) = (try await bank.activate(), try await bank.activate())
        if kind == .biometric {
            let addition = try await other.rekey(.biometric, in: bank)
            #expect(try await other.send(addition, in: bank) == .accepted(nil))
        }
        var ids = [try await bank.credential(kind, of: other).credential.id]
        if kind == .device { ids.append(try await bank.credential(kind, of: phone).credential.id) }
        try await bank.revoke(other)
        let before = try await bank.contents()
        for id in ids {
            let rekey = try await phone.rekey(.biometric, id: id, in: bank)
            #expect(try await phone.send(rekey, in: bank) == .refused(.generationMismatch))
        }
        #expect(try await bank.contents() == before)
        let rekey = try await phone.rekey(.biometric, in: bank)
        #expect(try await phone.send(rekey, in: bank) == .accepted(nil))
    }

    @Test func `only the user credential can authorise a rekey`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let rekey = try await phone.rekey(.device, in: bank)
        let attempt = try await phone.attempt(
            .device,
            over: try rekey.request.question(),
            in: bank
        )
        let result = try await bank.verifier.rekey(rekey.request, attempt)
        #expect(result == .wrong(left: 4))
    }

    @Test func `a decision of the old generation is refused without a charge`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        let late = try await phone.attempt(
            over: .decision(try TransactionHash(of: payment), .approve, nil),
            at: Counter(5),
            in: bank
        )
        let rekey = try await phone.rekey(in: bank)
        let verifier = bank.verifier(interleaving: { _ = try await phone.send(rekey, in: bank) })
        let result = try await phone.send(on: payment, late, to: verifier)
        #expect(result == .refused(.generationMismatch))
        #expect(try await bank.count(of: .codeRefused) == 0)
    }

    /// A thief can know the old seed, and the number of the next generation.
    @Test func `a code of the old seed is refused under the new generation, without a charge`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let old = try await phone.attempt(over: .pinCheck, at: Counter(5), in: bank)
        let rekey = try await phone.rekey(in: bank)
        // The seed is opened before the rekey, and the code is checked after it.
        let verifier = bank.verifier(interleaving: { _ = try await phone.send(rekey, in: bank) })
        let relabelled = Attempt(device: phone.id, code: old.code.with(generation: Generation(1)))
        let result = try await verifier.checkPIN(relabelled)
        #expect(result == .refused(.generationMismatch))
        #expect(try await bank.count(of: .codeRefused) == 0)
        let credential = try await bank.credential(of: phone).credential
        #expect(credential.generation == Generation(1))
        #expect(credential.counter == Counter(1))
    }

    @Test func `a typed code of the old seed is refused after a rekey, without a charge`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let (code, rekey) = (
            try await phone.typedCode(ahead: 3, in: bank), try await phone.rekey(in: bank)
        )
        let verifier = bank.verifier(interleaving: { _ = try await phone.send(rekey, in: bank) })
        let judged = try await verifier.verify(
            typed: code,
            .of([code], on: phone.id, to: verifier),
            by: Bank.core
        )
        #expect(judged.result == .refused(.generationMismatch))
        #expect(try await bank.count(of: .codeRefused) == 0)
        #expect(try await bank.count(of: .codeAccepted) == 0)
        #expect(try await bank.credential(of: phone).credential.counter == Counter(1))
    }

    /// The key agreement is needed only to open the message.
    @Test func `the message is opened only after lock, generation and counter`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        try await phone.checkPIN(at: Counter(5), in: bank)
        func agreements(_ rekey: Phone.Rekey, at counter: UInt64? = nil, _ result: AttemptResult)
            async throws -> Int
        {
            let question = try rekey.request.question()
            let attempt = try await phone.attempt(
                over: question,
                at: counter.map { Counter($0) },
                in: bank
            )
            var found: AttemptResult?
            let count = try await work {
                found = try await bank.verifier.rekey(rekey.request, attempt)
            }
            #expect(found == result)
            return count.agreements
        }
        let right = try await phone.rekey(in: bank)
        let expected = AttemptResult.refused(.counterOutOfStep(minimumCounter: Counter(6)))
        #expect(try await agreements(right, at: 7 + Credential.reach, expected) == 0)
        #expect(try await bank.count(of: .deviceCopied) == 0)
        #expect(try await agreements(right, at: 5, expected) == 0)
        // The refusal in the commit has all its consequences.
        #expect(try await bank.count(of: .deviceCopied) == 1)
        let device = try await phone.rekey(.device, skipping: 1, in: bank)
        #expect(try await agreements(device, .refused(.generationMismatch)) == 0)
        #expect(try await agreements(right, .accepted(nil)) == 1)
        phone.keep(right.seed, for: .user)
        // The old generation of the authority.
        #expect(try await agreements(right, .refused(.generationMismatch)) == 0)

        let last = try await phone.rekey(in: bank)
        try await phone.failUntilLocked(in: bank)
        let end = bank.clock.now + .seconds(30 * 60)
        #expect(try await agreements(last, .refused(.locked(until: end))) == 0)
        bank.clock.advance(by: .seconds(30 * 60))
        #expect(try await agreements(last, .accepted(nil)) == 1)
    }
}
