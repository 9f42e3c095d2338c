import Cryptography
import OneTimePassword
import Testing
import TransactionApproval

@Suite struct `A rekey` {
    private let server: P256.PrivateKey
    private let ephemeral: P256.PrivateKey
    private let oldSeed = [UInt8](repeating: 1, count: 32)
    private let newSeed = [UInt8](repeating: 2, count: 32)

    init() throws {
        server = try P256.PrivateKey()
        ephemeral = try P256.PrivateKey()
    }

    private func proposal(
        authority: CredentialContext = .sample(generation: 3),
        credential: CredentialContext = .sample(generation: 4)
    ) throws -> RekeyProposal? {
        RekeyProposal(
            authority: authority,
            credential: credential,
            ephemeralKey: ephemeral.publicKey,
            serverKey: try ServerKeyID(of: server.publicKey)
        )
    }

    private func request(
        _ proposal: RekeyProposal,
        ephemeral: P256.PrivateKey? = nil,
        authority: [UInt8]? = nil
    ) throws -> RekeyRequest {
        let session = try RekeySession(
            proposal,
            ephemeral: ephemeral ?? self.ephemeral,
            server: server.publicKey,
            authority: try CredentialSeed(authority ?? oldSeed)
        )
        return try session.request(sealing: try CredentialSeed(newSeed), nonce: try .random())
    }

    private func opened(
        _ request: RekeyRequest,
        server: P256.PrivateKey? = nil,
        authority: [UInt8]? = nil
    ) throws -> [UInt8]? {
        let session = try RekeySession(
            request.proposal,
            server: server ?? self.server,
            authority: try CredentialSeed(authority ?? oldSeed)
        )
        let seed = try session.open(request.seed)
        guard let seed else { return nil }
        return seed.array
    }

    @Test(arguments: [
        CredentialContext.sample(generation: 4),
        .sample(id: .other, kind: .device, generation: 9),
        .sample(id: .other, kind: .biometric, generation: 0),
    ])
    func `transfers a new seed to the server`(of credential: CredentialContext) throws {
        let proposal = try #require(try proposal(credential: credential))
        #expect(try opened(try request(proposal)) == newSeed)
    }

    @Test(arguments: [
        CredentialContext.sample(generation: 3), .sample(generation: 2), .sample(generation: 5),
        .sample(generation: 0), .sample(id: .other, generation: 4),
        .sample(enterprise: .shop, generation: 4),
        .sample(kind: .device, generation: 4), .sample(kind: .biometric, generation: 0),
        .sample(enterprise: .shop, id: .other, kind: .biometric, generation: 0),
    ])
    func `of the user credential always leads to its next generation`(
        _ credential: CredentialContext
    ) throws {
        #expect(try proposal(credential: credential) == nil)
    }

    @Test(arguments: [CredentialKind.device, .biometric])
    func `is authorized only by the user credential`(_ kind: CredentialKind) throws {
        let other = CredentialContext.sample(kind: kind, generation: 3)
        #expect(try proposal(authority: other, credential: try #require(other.rekeyed)) == nil)
        let third = CredentialContext.sample(id: .other, kind: .biometric, generation: 0)
        #expect(try proposal(authority: other, credential: third) == nil)
    }

    @Test func `skips no generation and starts at the first`() throws {
        func follows(_ generation: UInt64, _ current: UInt64?) throws -> Bool {
            let credential = CredentialContext.sample(
                id: .other,
                kind: .device,
                generation: generation
            )
            let proposal = try #require(try proposal(credential: credential))
            return proposal.follows(
                current.map { .sample(id: .other, kind: .device, generation: $0) }
            )
        }
        #expect(try follows(0, nil))
        #expect(try follows(4, 3))
        #expect(try !follows(1, nil))
        #expect(try !follows(4, 4))
        #expect(try !follows(5, 3))
        #expect(try !follows(3, 4))
        #expect(try !follows(0, .max))
        #expect(Generation(.max).next == nil)
    }

    @Test func `with any bit of the sealed seed changed cannot be opened`() throws {
        let request = try request(try #require(try proposal()))
        for seed in try everyChange(of: request.seed) {
            #expect(try opened(RekeyRequest(request.proposal, seed: seed)) == nil)
        }
    }

    @Test func `with any part of the proposal changed cannot be opened`() throws {
        let device = CredentialContext.sample(id: .other, kind: .device, generation: 9)
        let request = try request(try #require(try proposal(credential: device)))
        let keyID = try ServerKeyID(of: server.publicKey)
        let otherKey = try P256.PrivateKey().publicKey
        for changed in [
            try proposal(authority: .sample(generation: 4), credential: device),
            try proposal(authority: .sample(id: .init(checked: Array(2...17))), credential: device),
            try proposal(credential: .sample(id: .other, kind: .device, generation: 8)),
            try proposal(credential: .sample(id: .other, kind: .biometric, generation: 9)),
            try proposal(
                authority: .sample(enterprise: .shop),
                credential: .sample(enterprise: .shop, id: .other, kind: .device, generation: 9)
            ),
            RekeyProposal(
                authority: .sample(),
                credential: device,
                ephemeralKey: otherKey,
                serverKey: keyID
            ),
            RekeyProposal(
                authority: .sample(),
                credential: device,
                ephemeralKey: ephemeral.publicKey,
                serverKey: try ServerKeyID(of: otherKey)
            ),
        ] {
            let moved = RekeyRequest(try #require(changed), seed: request.seed)
            #expect(try opened(moved) == nil)
        }
    }

    // The attacker has an old copy of the device, with the old seed, and reads all messages.
    @Test func `cannot be opened without the ephemeral key, and old seed`() throws {
        let request = try request(try #require(try proposal()))
        let thief = try P256.PrivateKey()
        #expect(try opened(request, server: thief) == nil)
    }

    // The attacker has the device and the server's public key, but not the PIN.
    @Test func `cannot be made without the old seed`() throws {
        let proposal = try #require(try proposal())
        for guess in oldSeed.eachWithOneBitFlipped {
            #expect(try opened(try request(proposal, authority: guess)) == nil)
        }
        #expect(try opened(try request(proposal, ephemeral: try P256.PrivateKey())) == nil)
    }

    @Test func `has a signature over all its parts`() throws {
        let proposal = try #require(try proposal())
        let request = try request(proposal)
        let codes = try InBandCodes(of: .sample(), seed: try CredentialSeed(oldSeed))
        let code = try codes.code(for: try request.question(), in: Epoch(0), at: Counter(1))
        func isSigned(_ request: RekeyRequest) throws -> Bool {
            try codes.matches(code, try request.question(), in: Epoch(0), at: Counter(1))
        }
        #expect(try isSigned(request))
        for seed in try everyChange(of: request.seed) {
            #expect(try !isSigned(RekeyRequest(proposal, seed: seed)))
        }
        let other = try #require(
            RekeyProposal(
                authority: proposal.authority,
                credential: proposal.credential,
                ephemeralKey: try P256.PrivateKey().publicKey,
                serverKey: proposal.serverKey
            )
        )
        #expect(try !isSigned(RekeyRequest(other, seed: request.seed)))
    }
}
