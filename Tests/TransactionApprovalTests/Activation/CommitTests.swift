import Cryptography
import Testing
import TransactionApproval

@Suite struct `A commit` {
    private let exchange: ActivationExchange
    private let enrolments: [ActivationCommit.Enrolment]

    init() throws {
        exchange = try ActivationExchange()
        enrolments = try exchange.enrolments()
    }

    private func refusal(replacing index: Int, by enrolment: ActivationCommit.Enrolment) throws
        -> EnrolmentSession.Refusal?
    {
        var changed = enrolments
        changed[index] = enrolment
        return try exchange.refusal(of: changed, at: index)
    }

    @Test func `of the device is accepted`() throws {
        for index in enrolments.indices {
            #expect(try exchange.refusal(of: enrolments, at: index) == nil)
        }
    }

    @Test func `with any bit of a sealed seed changed is refused`() throws {
        for seed in try everyChange(of: enrolments[1].userSeed) {
            let changed = enrolments[1].with(userSeed: seed)
            #expect(try refusal(replacing: 1, by: changed) == .seedNotAuthentic)
        }
        for seed in try everyChange(of: enrolments[1].deviceSeed) {
            let changed = enrolments[1].with(deviceSeed: seed)
            #expect(try refusal(replacing: 1, by: changed) == .seedNotAuthentic)
        }
    }

    @Test func `with any bit of a signature changed is refused`() throws {
        for raw in enrolments[1].possession.raw.eachWithOneBitFlipped {
            let changed = enrolments[1].with(possession: try P256.Signature(raw: raw.span))
            #expect(try refusal(replacing: 1, by: changed) == .possessionNotProven)
        }
    }

    @Test func `for another device or key is refused`() throws {
        let thief = NewDevice(id: try .random(), key: try P256.PrivateKey())
        let id = enrolments[1].with(device: thief.id)
        #expect(try refusal(replacing: 1, by: id) == .possessionNotProven)
        let key = enrolments[1].with(deviceKey: thief.key.publicKey)
        #expect(try refusal(replacing: 1, by: key) == .possessionNotProven)
    }

    // An attacker with another device key has no seed that was sealed for that key.
    @Test func `with seeds that another device sealed is refused`() throws {
        let thief = NewDevice(id: try .random(), key: try P256.PrivateKey())
        let own = try exchange.deviceSession().offering(exchange.offer)
            .enrol(exchange.offer.enrolments[1], on: thief, zeroSeeds(), nonce: try .random())
        #expect(try refusal(replacing: 1, by: own) == nil)
        let stolen = own.with(userSeed: enrolments[1].userSeed)
        #expect(try refusal(replacing: 1, by: stolen) == .seedNotAuthentic)
    }

    @Test func `with seeds swapped between kinds is refused`() throws {
        let one = enrolments[1]
        let swapped = one.with(userSeed: one.deviceSeed, deviceSeed: one.userSeed)
        #expect(try refusal(replacing: 1, by: swapped) == .seedNotAuthentic)
        let doubled = one.with(deviceSeed: one.userSeed)
        #expect(try refusal(replacing: 1, by: doubled) == .seedNotAuthentic)
    }

    @Test func `with seeds swapped between accounts is refused`() throws {
        let changed = enrolments[1].with(userSeed: enrolments[2].userSeed)
        #expect(try refusal(replacing: 1, by: changed) == .seedNotAuthentic)
        let swapped = [enrolments[0], enrolments[2], enrolments[1]]
        #expect(try exchange.refusal(of: swapped, at: 1) == .possessionNotProven)
    }

    @Test func `with more or fewer accounts than the offer is refused`() throws {
        let fewer = Array(enrolments.dropLast())
        #expect(try exchange.refusal(of: fewer, at: 0) == .enrolmentsDiffer)
        #expect(try exchange.refusal(of: fewer, at: 2) == .enrolmentsDiffer)
    }

    @Test func `that repeats a device or starts with another one is not possible`() throws {
        let submitted = try exchange.submittedClaim()
        #expect(ActivationCommit(submitted, []) == nil)
        #expect(ActivationCommit(submitted, enrolments.reversed()) == nil)
        #expect(ActivationCommit(submitted, [enrolments[0], enrolments[0]]) == nil)
        let sameKey = enrolments[1].with(deviceKey: enrolments[0].deviceKey)
        #expect(ActivationCommit(submitted, [enrolments[0], sameKey]) == nil)
        let otherID = enrolments[0].with(device: try .random())
        #expect(ActivationCommit(submitted, [otherID]) == nil)
        let otherKey = enrolments[0].with(deviceKey: enrolments[1].deviceKey)
        #expect(ActivationCommit(submitted, [otherKey]) == nil)
    }

    @Test func `of another session is refused`() throws {
        // The same claim with a new ephemeral key supersedes the earlier one.
        var later = try ActivationExchange(server: exchange.server)
        later.offer = exchange.offer
        let own = try later.enrolments()
        let replayed = [own[0], enrolments[1], own[2]]
        #expect(try later.refusal(of: replayed, at: 1) == .possessionNotProven)
        let mixed = own[1].with(userSeed: enrolments[1].userSeed)
        #expect(try later.refusal(of: [own[0], mixed, own[2]], at: 1) == .seedNotAuthentic)
    }

    @Test func `under an offer that has changed since is refused`() throws {
        var later = exchange
        later.offer = try #require(
            ActivationOffer(
                enterprise: .bank,
                epoch: Epoch(2),
                policy: exchange.offer.policy,
                enrolments: exchange.offer.enrolments
            )
        )
        #expect(try later.refusal(of: enrolments) == .possessionNotProven)
    }

    private func zeroSeeds() throws -> AccountSeeds {
        let zeros = [UInt8](repeating: 0, count: 32)
        return AccountSeeds(user: try CredentialSeed(zeros), device: try CredentialSeed(zeros))
    }
}

/// The sealed seed with each bit flipped.
func everyChange(of seed: SealedSeed) throws -> [SealedSeed] {
    let nonces = try seed.nonce.bytes.eachWithOneBitFlipped.map {
        SealedSeed(nonce: try #require(SealingNonce($0)), ciphertext: seed.ciphertext)
    }
    let ciphertexts = seed.ciphertext.eachWithOneBitFlipped.map {
        SealedSeed(nonce: seed.nonce, ciphertext: $0)
    }
    return try (nonces + ciphertexts).map { try #require($0) }
}

extension ActivationCommit.Enrolment {
    fileprivate func with(
        device: DeviceID? = nil,
        deviceKey: P256.PublicKey? = nil,
        userSeed: SealedSeed? = nil,
        deviceSeed: SealedSeed? = nil,
        possession: P256.Signature? = nil
    ) -> ActivationCommit.Enrolment {
        ActivationCommit.Enrolment(
            device: device ?? self.device,
            deviceKey: deviceKey ?? self.deviceKey,
            userSeed: userSeed ?? self.userSeed,
            deviceSeed: deviceSeed ?? self.deviceSeed,
            possession: possession ?? self.possession
        )
    }
}
