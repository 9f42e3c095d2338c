import OneTimePassword
import Sealing
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@Suite(.onAnyStore) struct `The counter of a credential` {
    @Test func `an in-band counter can be at most 2^20 ahead`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let nextCounter = try await bank.credential(of: phone).credential.counter
        let far = Counter(nextCounter.value + (1 << 20) + 1)
        for pin in Phone.PIN.allCases {
            let result = try await phone.checkPIN(with: pin, at: far, in: bank)
            #expect(result == .refused(.counterOutOfStep(minimumCounter: nextCounter)))
        }
        let last = Counter(nextCounter.value + (1 << 20))
        #expect(try await phone.checkPIN(at: last, in: bank) == .accepted(nil))
        #expect(try await bank.credential(of: phone).credential.counter == far)
    }

    @Test func `the largest integer is refused as a counter`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        for value in [UInt64.max, UInt64(Int64.max), UInt64(Int64.max) - 1] {
            let result = try await phone.checkPIN(at: Counter(value), in: bank)
            #expect(result == .refused(.counterOutOfStep(minimumCounter: Counter(0))))
        }
    }

    @Test func `SEC-04: a code is accepted once, even after a restart`() async throws {
        var bank = try await Bank()
        let phone = try await bank.activate()
        var used: [Attempt] = []
        for counter in 0...7 {
            used.append(try await phone.attempt(over: .pinCheck, in: bank))
            #expect(try await bank.verifier.checkPIN(used[counter]) == .accepted(nil))
        }
        try await bank.restart()
        for attempt in used {
            let renamed = try attempt.withNewID()
            let result = try await bank.verifier.checkPIN(renamed)
            #expect(result == .refused(.counterOutOfStep(minimumCounter: Counter(8))))
        }
        #expect(try await bank.count(of: .codeRefused) == 0)
    }

    @Test func `a device can use up counters as far as a code could`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        try await phone.checkPIN(at: Counter(6), in: bank)
        let reach = Credential.reach
        for (counter, isUsedUp) in [
            (0, false), (7, false), (7 + reach + 1, false), (UInt64(Int64.max), false),
            (.max, false), (8, true), (8, false), (8 + reach, true),
        ] as [(UInt64, Bool)] {
            let before = try await bank.contents()
            try await bank.verifier.end(codesBelow: Counter(counter), of: phone.id)
            #expect(try await (bank.contents() != before) == isUsedUp, "\(counter)")
        }
        #expect(try await bank.credential(of: phone).credential.counter == Counter(8 + reach))
        #expect(try await bank.count(of: .credentialResynchronised) == 2)
    }

    /// A store's integer ends here.
    @Test func `counters are used up to the largest one and no further`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let held = try await bank.credential(of: phone)
        let largest = UInt64(Int64.max) - 1
        var events: [Event] = []
        var state = CredentialState(
            device: held.device,
            credential: Credential(
                id: held.credential.id,
                device: phone.id,
                kind: .user,
                generation: .first,
                counter: Counter(largest - 5),
                status: .active,
                confirmedEpoch: Epoch(0),
                seed: held.credential.seed
            ),
            failures: FailureCount()
        )
        for counter in [largest + 1, largest + 2, .max] {
            let isUsedUp = state.useUp(codesBelow: Counter(counter), events: &events)
            #expect(!isUsedUp)
        }
        let isUsedUp = state.useUp(codesBelow: Counter(largest), events: &events)
        #expect(isUsedUp)
        #expect(state.credential.counter == Counter(largest))
        #expect(events.map(\.kind) == [.credentialResynchronised])
    }

    @Test(arguments: [true, false])
    func `SEC-48, SEC-54: a revoked or suspended device cannot use up counters`(
        _ isRevoked: Bool
    ) async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        if isRevoked {
            try await bank.revoke(phone)
        } else {
            try await phone.guessUntilBlocked(in: bank)
        }
        let before = try await bank.contents()
        for counter in [1, 2, 1000] as [UInt64] {
            try await bank.verifier.end(codesBelow: Counter(counter), of: phone.id)
        }
        #expect(try await bank.contents() == before)
    }

    @Test func `SEC-04: skipped counters are used up as well`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let skipped = try await phone.attempt(over: .pinCheck, at: Counter(3), in: bank)
        #expect(try await phone.checkPIN(at: Counter(9), in: bank) == .accepted(nil))
        let result = try await bank.verifier.checkPIN(skipped)
        #expect(result == .refused(.counterOutOfStep(minimumCounter: Counter(10))))
    }

    @Test func `2.5: a wrong code changes only the failure count`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let before = try await bank.credential(of: phone).credential
        _ = try await phone.checkPIN(with: .wrong, at: Counter(500), in: bank)
        #expect(try await bank.credential(of: phone).credential == before)
        #expect(try await bank.credential(of: phone).failures.consecutiveFailures == 1)
    }

    @Test func `SEC-52, 2.6: an unknown device gets one constant response and changes nothing`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let known = try await phone.attempt(over: .pinCheck, with: .wrong, in: bank)
        let before = try await bank.contents()
        for _ in 0..<20 {
            let stranger = Attempt(device: try .random(), code: try known.withNewID().code)
            #expect(try await bank.verifier.checkPIN(stranger) == .refused(.typeNotAllowed))
        }
        #expect(try await bank.contents() == before)
        #expect(try await phone.checkPIN(in: bank) == .accepted(nil))
    }

    @Test
    func `2.10: a device restored from a copy continues at the lowest counter, with an event`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        for _ in 0..<5 { try await phone.checkPIN(in: bank) }
        let old = try await phone.checkPIN(at: Counter(2), in: bank)
        #expect(old == .refused(.counterOutOfStep(minimumCounter: Counter(5))))
        #expect(try await bank.count(of: .deviceCopied) == 1)
        #expect(try await phone.checkPIN(at: Counter(5), in: bank) == .accepted(nil))
    }

    @Test(arguments: Phone.PIN.allCases)
    func `2.10: repeated old counters cause one event until the next right code`(
        _ pin: Phone.PIN
    ) async throws {
        var bank = try await Bank()
        let phone = try await bank.activate()
        try await phone.checkPIN(in: bank)
        try await phone.checkPIN(with: pin, at: Counter(0), in: bank)
        #expect(try await bank.count(of: .deviceCopied) == 1)
        try await bank.restart()
        let before = try await bank.contents()
        for _ in 0..<5 { try await phone.checkPIN(with: pin, at: Counter(0), in: bank) }
        #expect(try await bank.contents() == before)
        try await phone.checkPIN(with: .wrong, in: bank)
        try await phone.checkPIN(with: pin, at: Counter(0), in: bank)
        #expect(try await bank.count(of: .deviceCopied) == 1)
        #expect(try await phone.checkPIN(in: bank) == .accepted(nil))
        try await phone.checkPIN(with: pin, at: Counter(0), in: bank)
        #expect(try await bank.count(of: .deviceCopied) == 2)
    }

    @Test func `each credential has its own counter`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        for _ in 0..<3 { try await phone.checkPIN(in: bank) }
        try await phone.decide(.reject(.notMe), on: payment, in: bank)
        #expect(try await bank.credential(.user, of: phone).credential.counter == Counter(3))
        #expect(try await bank.credential(.device, of: phone).credential.counter == Counter(1))
    }
}
