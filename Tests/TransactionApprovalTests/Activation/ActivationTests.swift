import Cryptography
import Testing
import TransactionApproval

@Suite struct `Activation` {
    @Test func `transfers the seeds of all accounts to the server`() throws {
        let exchange = try ActivationExchange()
        // Step 1.
        let device = try exchange.deviceSession()
        let submitted = SubmittedClaim(exchange.claim, proof: device.proof)
        let server = try exchange.serverSession(submitted)
        let mac = try server.offering(exchange.offer).offerMAC
        // Step 2; the server kept no state.
        let accepted = try required(try device.accepting(exchange.offer, mac: mac))
        let commit = try #require(ActivationCommit(submitted, try exchange.enrolments()))
        let session = try exchange.serverSession(commit.submittedClaim)
        let enrolling = try session.offering(exchange.offer)
        for index in exchange.offer.enrolments.indices {
            let seeds = try enrolling.seeds(at: index, of: commit)
            #expect(seeds.user.array == ActivationExchange.seed(.user, of: index))
            #expect(seeds.device.array == ActivationExchange.seed(.device, of: index))
        }
        let outcomes = [EnrolmentOutcome](repeating: .enrolled, count: 3)
        let receipt = try enrolling.receipt(for: commit, outcomes)
        #expect(try accepted.receipt(for: commit, outcomes) == receipt)
    }

    @Test func `has a receipt for one commit and its outcomes only`() throws {
        let exchange = try ActivationExchange()
        let session = try exchange.deviceSession().offering(exchange.offer)
        let submitted = try exchange.submittedClaim()
        // Sealed twice, with different nonces.
        let first = try #require(ActivationCommit(submitted, try exchange.enrolments()))
        let second = try #require(ActivationCommit(submitted, try exchange.enrolments()))
        let fewer = try #require(ActivationCommit(submitted, first.enrolments.dropLast()))
        let outcomes = EnrolmentOutcome.allCases
        let receipt = try session.receipt(for: first, outcomes)
        #expect(try session.receipt(for: first, outcomes) == receipt)
        #expect(try session.receipt(for: second, outcomes) != receipt)
        #expect(try session.receipt(for: fewer, outcomes) != receipt)
        #expect(try session.receipt(for: first, outcomes.reversed()) != receipt)
        #expect(try session.receipt(for: first, outcomes.dropLast()) != receipt)
    }
}

@Suite struct `SEC-53: a claim` {
    @Test(arguments: ClaimChange.allCases)
    func `with any change is refused`(_ change: ClaimChange) throws {
        let exchange = try ActivationExchange()
        let submitted = try exchange.submittedClaim()
        #expect(try exchange.accepts(submitted))
        let changed = SubmittedClaim(
            try change.applied(to: submitted.claim),
            proof: submitted.proof
        )
        #expect(try !exchange.accepts(changed))
    }

    @Test func `with any bit of its proof changed is refused`() throws {
        let exchange = try ActivationExchange()
        let submitted = try exchange.submittedClaim()
        for bytes in submitted.proof.array.eachWithOneBitFlipped {
            let proof = try #require(Digest(sha256: bytes))
            #expect(try !exchange.accepts(SubmittedClaim(exchange.claim, proof: proof)))
        }
        #expect(Digest(sha256: Array(submitted.proof.array.dropLast())) == nil)
    }

    @Test func `for the key of a man in the middle is refused`() throws {
        let exchange = try ActivationExchange()
        let other = try ActivationExchange(server: try P256.PrivateKey())
        #expect(try !other.accepts(try exchange.submittedClaim()))
        // Even if the attacker uses the device's id.
        let session = try ActivationSession(
            exchange.claim,
            ephemeral: exchange.ephemeral,
            server: other.server.publicKey,
            code: try ActivationCode(ActivationExchange.code)
        )
        let submitted = SubmittedClaim(exchange.claim, proof: session.proof)
        #expect(try !exchange.accepts(submitted))
    }

    @Test func `by a sender without the ephemeral key is refused`() throws {
        let exchange = try ActivationExchange()
        let session = try ActivationSession(
            exchange.claim,
            ephemeral: try P256.PrivateKey(),
            server: exchange.server.publicKey,
            code: try ActivationCode(ActivationExchange.code)
        )
        let submitted = SubmittedClaim(exchange.claim, proof: session.proof)
        #expect(try !exchange.accepts(submitted))
    }

    // The type ensures this: without a valid proof there is no session.
    @Test func `with a wrong code gets no data that depend on a code`() throws {
        let exchange = try ActivationExchange()
        for _ in 0..<20 {
            let code = try ActivationCode.random()
            let session = try ActivationSession(
                exchange.claim,
                ephemeral: exchange.ephemeral,
                server: exchange.server.publicKey,
                code: code
            )
            let submitted = SubmittedClaim(exchange.claim, proof: session.proof)
            #expect(try !exchange.accepts(submitted))
        }
    }

    @Test(arguments: [
        [UInt8](repeating: 0, count: 65), [4] + [UInt8](repeating: 0, count: 64), [0], [],
        [4] + [UInt8](repeating: 0xFF, count: 64), [4] + [UInt8](repeating: 1, count: 64),
    ])
    func `has only keys on the curve`(_ point: [UInt8]) {
        #expect(throws: CryptographyFailure.invalidCurveEncoding) {
            _ = try P256.PublicKey(uncompressedPoint: point.span)
        }
    }
}

/// The parts of a claim that an attacker may change.
enum ClaimChange: CaseIterable {
    case activation, serverKey, device, ephemeralKey, deviceKey, deviceName

    func applied(to claim: ActivationClaim) throws -> ActivationClaim {
        let key = try P256.PrivateKey().publicKey
        return ActivationClaim(
            activation: self == .activation ? try .random() : claim.activation,
            serverKey: self == .serverKey ? try ServerKeyID(of: key) : claim.serverKey,
            device: self == .device
                ? DeviceID(checked: claim.device.bytes.flipping(bit: 77)) : claim.device,
            ephemeralKey: self == .ephemeralKey ? key : claim.ephemeralKey,
            deviceKey: self == .deviceKey ? key : claim.deviceKey,
            deviceName: self == .deviceName
                ? try #require(DeviceName(claim.deviceName.text + "2")) : claim.deviceName
        )
    }
}
