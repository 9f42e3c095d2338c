import Cryptography
import OneTimePassword
import TransactionApproval

@testable import SelfTest

extension VectorType {
    /// Both steps of an activation, with the computed values of both sides.
    static let activation = VectorType(
        name: "activation",
        inputs: [
            .text("code"), .bytes("server_scalar_hex"), .bytes("ephemeral_scalar_hex"),
            .list("device_scalars_hex"), .bytes("offer_hex"), .text("commit"), .list("outcomes"),
        ],
        results: [
            .bytes("proof_hex"), .bytes("mac_hex"), .text("claim"),
            .bytes("claim_digest_hex"), .text("offer_response"), .list("seeds"),
            .bytes("receipt_hex"),
        ]
    ) { row in
        let commit = try row.message("commit", as: ActivationCommit.self)
        let offer = try row.orRefused(ActivationOffer(try row.bytes("offer_hex")))
        let session = try row.verifiersSession(for: commit, offer)
        let seeds = try row.openedSeeds(of: commit, in: session)
        try row.checkDevicesSide(of: commit, session)
        let response = ActivationClaimExchange.Response(offer: offer, mac: session.offerMAC)
        let receipt = try session.receipt(for: commit, row.outcomes())
        return [
            "proof_hex": .hexadecimal(commit.submittedClaim.proof.array),
            "mac_hex": .hexadecimal(session.offerMAC.array),
            "claim": try .written(commit.submittedClaim),
            "claim_digest_hex": .hexadecimal(try commit.submittedClaim.digest().array),
            "offer_response": try .written(response),
            "seeds": .list(seeds.map { .list($0.map { .hexadecimal($0) }) }),
            "receipt_hex": .hexadecimal(receipt.array),
        ]
    }

    static let rekey = VectorType(
        name: "rekey",
        inputs: [
            .bytes("server_scalar_hex"), .bytes("ephemeral_scalar_hex"), .bytes("seed_hex"),
            .text("request"),
        ],
        results: [.text("question"), .bytes("new_seed_hex")]
    ) { row in
        let request = try row.message("request", as: RekeyExchange.Request.self)
        let proposal = request.rekey.proposal
        let seed = try row.seed()
        let server = try row.privateKey("server_scalar_hex")
        guard proposal.serverKey == (try ServerKeyID(of: server.publicKey)) else {
            throw VectorCase.Refused()
        }
        let session = try RekeySession(proposal, server: server, authority: seed)
        guard let new = try session.open(request.rekey.seed) else { throw VectorCase.Refused() }
        let ephemeral = try row.privateKey("ephemeral_scalar_hex")
        let device = try RekeySession(
            proposal,
            ephemeral: ephemeral,
            server: server.publicKey,
            authority: seed
        )
        guard
            ephemeral.publicKey == proposal.ephemeralKey,
            try device.request(sealing: new, nonce: request.rekey.seed.nonce) == request.rekey
        else { throw VectorCase.Refused() }
        let question = try request.rekey.question()
        try row.check(request.envelope, question, InBandCodes(of: proposal.authority, seed: seed))
        let asked = try question.ocraQuestion(
            for: proposal.authority,
            in: request.envelope.epoch
        )
        return [
            "question": try row.confirmed(asked),
            "new_seed_hex": .text(new.withBytes { TextEncoding.hexadecimal.encode($0) }),
        ]
    }
}

extension VectorCase {
    fileprivate func privateKey(_ name: String) throws -> P256.PrivateKey {
        try P256.PrivateKey(scalar: try secureBytes(name))
    }

    fileprivate func outcomes() throws -> [EnrolmentOutcome] {
        try list("outcomes").map {
            guard case .text(let name) = $0 else { throw Refused() }
            return try orRefused(EnrolmentOutcome(rawValue: name))
        }
    }

    private func activationCode() throws -> ActivationCode {
        let text = Array(try text("code").utf8)
        return try ActivationCode(typed: text.span)
    }

    fileprivate func verifiersSession(
        for commit: ActivationCommit,
        _ offer: ActivationOffer
    ) throws -> EnrolmentSession {
        let server = try privateKey("server_scalar_hex")
        let submitted = commit.submittedClaim
        let code = try activationCode()
        let session = try ActivationSession.verify(submitted, server: server, code: code)
        guard let session, submitted.claim.serverKey == (try ServerKeyID(of: server.publicKey))
        else { throw Refused() }
        return try session.offering(offer)
    }

    fileprivate func openedSeeds(
        of commit: ActivationCommit,
        in session: borrowing EnrolmentSession
    ) throws -> [[[UInt8]]] {
        var opened: [[[UInt8]]] = []
        for index in session.offer.enrolments.indices {
            let seeds = try session.seeds(at: index, of: commit)
            let user = seeds.user.withBytes { $0.array }
            opened.append([user, seeds.device.withBytes { $0.array }])
        }
        return opened
    }

    /// Rejects a commit that a device with these keys, seeds and nonces would not send.
    fileprivate func checkDevicesSide(
        of commit: ActivationCommit,
        _ verifiers: borrowing EnrolmentSession
    ) throws {
        let claim = commit.submittedClaim.claim
        let ephemeral = try privateKey("ephemeral_scalar_hex")
        let server = try privateKey("server_scalar_hex").publicKey
        let code = try activationCode()
        let begun = try ActivationSession(claim, ephemeral: ephemeral, server: server, code: code)
        guard
            ephemeral.publicKey == claim.ephemeralKey, begun.proof == commit.submittedClaim.proof,
            let session = try begun.accepting(verifiers.offer, mac: verifiers.offerMAC)
        else { throw Refused() }
        for (index, sent) in commit.enrolments.enumerated() {
            let place = session.offer.enrolments[index]
            let device = NewDevice(id: sent.device, key: try deviceKey(index))
            let seeds = try verifiers.seeds(at: index, of: commit)
            let nonce = sent.userSeed.nonce
            let made = try session.enrol(place, on: device, seeds, nonce: nonce)
            guard
                made.deviceKey == sent.deviceKey, made.userSeed == sent.userSeed,
                made.deviceSeed == sent.deviceSeed
            else { throw Refused() }
        }
    }

    private func deviceKey(_ index: Int) throws -> P256.PrivateKey {
        let scalars = try list("device_scalars_hex")
        guard index < scalars.count, case .text(let text) = scalars[index] else { throw Refused() }
        let scalar = try TextEncoding.hexadecimal.decode(text)
        return try P256.PrivateKey(scalar: SecureBytes(copying: scalar.span))
    }
}
