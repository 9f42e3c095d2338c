import Cryptography
import Foundation
import OneTimePassword
import Testing

@testable import TransactionApproval

/// Computes `docs/protocol/worked-example.md` from fixed keys and fixed random values.
///
/// ECDSA signatures are random, so the page records them. Each is verified where it is used.
final class WorkedExample {
    struct MissingSignature: Error { let name: String }

    var text = ""
    var values = ""
    let recorded: [String: [UInt8]]
    let signsAnew: Bool

    private let agreementKey: P256.PrivateKey
    let responseKey: P256.PrivateKey
    private let ephemeral: P256.PrivateKey
    let device: NewDevice
    let origin: ServerOrigin
    private let code = "01234-56789-ABCDE-FGHXG"
    private let userSeed = bytes(from: 0x21, 32)
    let deviceSeed = bytes(from: 0x61, 32)

    init(page: String, signsAnew: Bool) throws {
        self.signsAnew = signsAnew
        recorded = try Self.signatures(in: page)
        agreementKey = try Self.key(1)
        responseKey = try Self.key(129)
        ephemeral = try Self.key(33)
        device = NewDevice(
            id: DeviceID(checked: bytes(from: 0xD0, 16)),
            key: try Self.key(65)
        )
        origin = try #require(ServerOrigin("https://approve.bank.example"))
    }

    private static func key(_ first: UInt8) throws -> P256.PrivateKey {
        try P256.PrivateKey(scalar: try SecureBytes(bytes(from: first, 32)))
    }

    private static func signatures(in page: String) throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for line in page.split(separator: "\n") where line.hasPrefix("signature of ") {
            let parts = line.components(separatedBy: " = ")
            found[parts[0]] = try TextEncoding.hexadecimal.decode(parts[1])
        }
        return found
    }
}

// MARK: The page

extension WorkedExample {
    func compute() throws {
        write(
            """
            # Worked example

            This page shows one activation and one decision with every byte.
            A test computes the whole page from the code and compares it. Values are in hexadecimal.
            A signature has a random part, so a test verifies each signature instead.

            ## Keys and random values
            """
        )
        value("key-agreement key of the verifier, private", bytes(from: 1, 32))
        value("key-agreement key of the verifier", agreementKey.publicKey.uncompressedPoint)
        value("signature key of the verifier, private", bytes(from: 129, 32))
        value("signature key of the verifier", responseKey.publicKey.uncompressedPoint)
        value("name of the key-agreement key", try ServerKeyID(of: agreementKey.publicKey).bytes)
        value("name of the signature key", try ServerKeyID(of: responseKey.publicKey).bytes)
        value("device id", device.id.bytes)
        value("device key, private", bytes(from: 65, 32))
        value("device key", device.key.publicKey.uncompressedPoint)
        value("ephemeral key, private", bytes(from: 33, 32))
        value("ephemeral key", ephemeral.publicKey.uncompressedPoint)
        value("seed of the user credential", userSeed)
        value("seed of the device credential", deviceSeed)
        values += "activation code = \(code)\n"
        endBlock()
        let offer = try activate()
        try decide(with: offer.credential(.user, of: offer.enrolments[0]))
    }

    private func activate() throws -> ActivationOffer {
        write("## Activation\n\n### The claim")
        let claim = ActivationClaim(
            activation: try #require(ActivationID("01ABCDEFGH")),
            serverKey: try ServerKeyID(of: agreementKey.publicKey),
            device: device.id,
            ephemeralKey: ephemeral.publicKey,
            deviceKey: device.key.publicKey,
            deviceName: try #require(DeviceName("Anna's phone"))
        )
        let agreed = try ephemeral.sharedSecret(with: agreementKey.publicKey)
            .withBytes { $0.array }
        var writer = FieldWriter(.activationClaim)
        writer.append(claim.activation)
        writer.append(claim.serverKey)
        writer.append(claim.device)
        writer.append(claim.ephemeralKey)
        writer.append(claim.deviceKey)
        writer.append(claim.deviceName.text)
        value("claim", writer.bytes)
        let transcript = try hash("transcript", writer.bytes)
        #expect(transcript == (try claim.transcript().array))
        value("agreed", agreed)
        let secret = Array(code.replacing("-", with: "").utf8.prefix(18))
        let session = try extract("session", salt: transcript, agreed + secret)
        let claimKey = try expand("claim key", session, FieldWriter(.claimKey))
        let proof = try mac("proof", claimKey, transcript)
        endBlock()
        let submitted = SubmittedClaim(claim, proof: try proofOfCode(in: claim))
        #expect(submitted.proof.array == proof)

        write("### The offer")
        let offer = try offer()
        value("policy", offer.policy)
        value("offer", offer.bytes)
        var exchanged = FieldWriter(.activationTranscript)
        exchanged.append(transcript)
        exchanged.append(proof)
        exchanged.append(offer.bytes)
        value("said", exchanged.bytes)
        let offerKey = try expand("offer key", session, FieldWriter(.offerKey))
        let offerMAC = try mac("mac", offerKey, exchanged.bytes)
        exchanged.append(offerMAC)
        let context = try hash("context", exchanged.bytes)
        endBlock()
        let sentMAC = try self.offerMAC(for: claim, offer)
        #expect(sentMAC.array == offerMAC)
        try exchange(
            "claim",
            ActivationClaimExchange.self,
            submitted,
            .init(offer: offer, mac: sentMAC),
            nonce: 0x40
        )

        write("### The commit")
        let enrolment = offer.enrolments[0]
        let nonce = try #require(SealingNonce(bytes(from: 0, 12)))
        let sealed = try sealedEnrolment(for: claim, offer, nonce)
        value("sealing nonce", nonce.bytes)
        for (kind, seed) in [(CredentialKind.user, sealed.userSeed), (.device, sealed.deviceSeed)] {
            let credential = offer.credential(kind, of: enrolment)
            var written = FieldWriter()
            written.append(credential)
            value("\(kind) credential", written.bytes)
            var info = FieldWriter(.activationSeedKey)
            info.append(credential)
            let key = try expand("key of the \(kind) seed", session, info)
            var associated = FieldWriter(.activationSeed)
            associated.append(context)
            associated.append(credential)
            associated.append(device.id)
            associated.append(device.key.publicKey)
            let associatedBytes = associated.bytes
            value("associated data of the \(kind) seed", associatedBytes)
            let plain = kind == .user ? userSeed : deviceSeed
            let ciphertext = try AESGCM.seal(
                plain.span,
                key: SecureBytes(key),
                nonce: nonce.bytes.span,
                authenticating: associatedBytes.span
            )
            #expect(seed.ciphertext == ciphertext)
            value("sealed \(kind) seed", nonce.bytes + ciphertext)
        }
        var possession = FieldWriter(.devicePossession)
        possession.append(context)
        possession.append(enrolment)
        possession.append(device.id)
        possession.append(device.key.publicKey)
        value("possession", possession.bytes)
        let raw = try signature("possession", by: device.key, over: possession.bytes)
        let proven = try P256.Signature(raw: raw.span)
        let commit = try #require(
            ActivationCommit(
                submitted,
                [
                    ActivationCommit.Enrolment(
                        device: device.id,
                        deviceKey: device.key.publicKey,
                        userSeed: sealed.userSeed,
                        deviceSeed: sealed.deviceSeed,
                        possession: proven
                    )
                ]
            )
        )
        var receipt = FieldWriter(.activationReceipt)
        receipt.append(context)
        receipt.append(UInt32(1))
        receipt.append(commit.enrolments[0])
        receipt.append(UInt32(1))
        receipt.append("enrolled")
        value("message of the receipt", receipt.bytes)
        let receiptKey = try expand("receipt key", session, FieldWriter(.receiptKey))
        let receiptMAC = try mac("receipt", receiptKey, receipt.bytes)
        endBlock()
        let computed = try receiptOfVerifier(for: commit, offer)
        #expect(computed.array == receiptMAC)
        try exchange(
            "commit",
            ActivationCommitExchange.self,
            commit,
            .init(outcomes: [.enrolled], receipt: computed),
            nonce: 0x50
        )
        return offer
    }

    private func session(_ claim: ActivationClaim) throws -> ActivationSession {
        try ActivationSession(
            claim,
            ephemeral: ephemeral,
            server: agreementKey.publicKey,
            code: try ActivationCode(code)
        )
    }

    private func proofOfCode(in claim: ActivationClaim) throws -> Digest {
        let session = try session(claim)
        return session.proof
    }

    private func offerMAC(for claim: ActivationClaim, _ offer: ActivationOffer) throws -> Digest {
        let enrolling = try session(claim).offering(offer)
        return enrolling.offerMAC
    }

    private func sealedEnrolment(
        for claim: ActivationClaim,
        _ offer: ActivationOffer,
        _ nonce: SealingNonce
    ) throws -> ActivationCommit.Enrolment {
        let seeds = AccountSeeds(
            user: try CredentialSeed(userSeed),
            device: try CredentialSeed(deviceSeed)
        )
        let enrolling = try session(claim).offering(offer)
        return try enrolling.enrol(offer.enrolments[0], on: device, seeds, nonce: nonce)
    }

    /// The verifier opens the seeds before it computes the receipt.
    private func receiptOfVerifier(
        for commit: ActivationCommit,
        _ offer: ActivationOffer
    ) throws -> Digest {
        let enrolling = try session(commit.submittedClaim.claim).offering(offer)
        let opened = try enrolling.seeds(at: 0, of: commit)
        let (user, device) = (opened.user.array, opened.device.array)
        #expect(user == userSeed)
        #expect(device == deviceSeed)
        return try enrolling.receipt(for: commit, [.enrolled])
    }

    private func offer() throws -> ActivationOffer {
        let policy = DevicePolicy(
            pin: .default,
            authentication: .all,
            returnAddresses: [try #require(ReturnAddress("https://bank.example"))]
        )
        let enrolment = ActivationOffer.Enrolment(
            account: AccountKey(
                type: AccountType(checked: "current"),
                id: AccountID(checked: "acc-1")
            ),
            userCredential: CredentialID(checked: bytes(from: 0x10, 16)),
            deviceCredential: CredentialID(checked: bytes(from: 0x20, 16))
        )
        return try #require(
            ActivationOffer(
                enterprise: EnterpriseID(checked: "bank-1"),
                epoch: .first,
                policy: policy.bytes,
                enrolments: [enrolment]
            )
        )
    }

    private func decide(with credential: CredentialContext) throws {
        write("## Decision\n\n### The transaction")
        var parts = TransactionParts()
        parts.epoch = 0
        let transaction = try parts.transaction()
        value("canonical bytes", transaction.canonicalBytes)
        let hash = try hash("hash of the transaction", transaction.canonicalBytes)
        endBlock()
        try exchange(
            "transaction",
            TransactionExchange.self,
            .init(transaction: transaction.id),
            .init(canonicalBytes: transaction.canonicalBytes),
            nonce: 0x60
        )

        write("### The code")
        var subkey = FieldWriter(.ocraKey)
        subkey.append(credential)
        let key = try expand("subkey", userSeed, subkey)
        var question = FieldWriter(.decision)
        question.append(credential)
        question.append(Epoch.first)
        question.append(hash)
        question.append(Decision.approve.byte)
        question.append("")
        value("question", question.bytes)
        let hashed = try self.hash("Q", question.bytes)
        let input =
            Array(CodeSuite.inBand.rawValue.utf8) + [0] + [UInt8](repeating: 0, count: 8) + hashed
            + [UInt8](repeating: 0, count: 96)
        value("input of OCRA", input)
        let digits = try mac("code", key, input)
        endBlock()
        let codes = try InBandCodes(of: credential, seed: try CredentialSeed(userSeed))
        let transactionHash = try #require(TransactionHash(hash))
        let decisionQuestion = InBandQuestion.decision(transactionHash, .approve, nil)
        let code = try codes.code(for: decisionQuestion, in: .first, at: Counter(0))
        #expect(code.text == TextEncoding.hexadecimal.encode(digits.span))

        write("### The decision")
        let envelope = CodeEnvelope(
            attempt: AttemptID(checked: bytes(from: 0xA0, 16)),
            generation: .first,
            epoch: .first,
            counter: Counter(0),
            code: try #require(InBandCode(code)),
            blind: try #require(Blind(wireBytes: bytes(from: 0xB0, 16)))
        )
        var evidence = FieldWriter(.decisionEvidence)
        evidence.append(device.id)
        evidence.append(hash)
        evidence.append(Decision.approve.byte)
        evidence.append("user")
        evidence.append(Generation.first)
        evidence.append(Epoch.first)
        evidence.append(UInt64(0))
        value("evidence", evidence.bytes)
        let raw = try signature("evidence", by: device.key, over: evidence.bytes)
        endBlock()
        let signature = try P256.Signature(raw: raw.span)
        let signed = try DecisionEvidence(
            of: .approve(.userPIN),
            on: transactionHash,
            by: device.id,
            envelope
        ).signed(with: signature, by: device.key.publicKey)
        #expect(signed?.stored == raw + evidence.bytes)
        try exchange(
            "decision",
            DecisionExchange.self,
            .init(
                transaction: transaction.id,
                choice: .approve(.userPIN),
                evidence: signature,
                envelope: envelope
            ),
            .init(),
            nonce: 0x70
        )
    }
}
