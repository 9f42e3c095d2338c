import Cryptography
import OneTimePassword
import TransactionApproval

@testable import SelfTest

extension VectorType {
    static let inBandCode = VectorType(
        name: "in-band-code",
        inputs: credential + [
            .text("epoch"), .text("counter"), .text("purpose"),
            .bytes("transaction_hash_hex").optional, .text("choice").optional,
            .text("typed_number").optional, .bytes("digest_hex").optional,
        ],
        results: [.text("question"), .text("code")]
    ) { row in
        let codes = try InBandCodes(of: row.credentialContext(), seed: row.seed())
        let (question, epoch) = (try row.question(), try row.epoch())
        let code = try codes.code(for: question, in: epoch, at: row.counter())
        let asked = try question.ocraQuestion(for: codes.credential, in: epoch)
        return ["question": try row.confirmed(asked), "code": .text(code.text)]
    }

    static let typedCode = VectorType(
        name: "typed-code",
        inputs: credential + [.text("epoch"), .text("counter"), .bytes("data_hex").optional],
        results: [.text("code")]
    ) { row in
        let codes = try TypedCodes(of: row.credentialContext(), seed: row.seed())
        let (counter, epoch) = (try row.counter(), try row.epoch())
        guard row.has("data_hex") else { return ["code": .text(codes.hotp.code(at: counter).text)] }
        let data = try row.bytes("data_hex")
        return ["code": .text(try codes.code(over: data, in: epoch, at: counter).text)]
    }

    /// A whole decision, as a verifier with the seed checks it.
    static let decision = VectorType(
        name: "decision",
        inputs: [
            .bytes("seed_hex"), .text("credential"), .bytes("canonical_hex"), .text("device"),
            .bytes("device_key_hex"), .text("typed_number").optional, .text("request"),
        ],
        results: [.bytes("evidence_hex"), .text("question")]
    ) { row in
        let request = try row.message("request", as: DecisionExchange.Request.self)
        let transaction = try Transaction(canonicalBytes: row.bytes("canonical_hex"))
        guard request.transaction == transaction.id, request.choice.isTaken(by: transaction) else {
            throw VectorCase.Refused()
        }
        let hash = try TransactionHash(of: transaction)
        let evidence = try row.evidence(in: request, on: hash)
        let number = try row.typedNumber()
        let question = InBandQuestion.decision(
            hash,
            request.choice.decision,
            request.choice.decision == .approve ? number : nil
        )
        let credential = CredentialContext(
            enterprise: transaction.enterprise,
            id: try row.identifier("credential"),
            kind: request.choice.credentialKind,
            generation: request.envelope.generation
        )
        let codes = try InBandCodes(of: credential, seed: row.seed())
        try row.check(request.envelope, question, codes)
        let asked = try question.ocraQuestion(for: credential, in: request.envelope.epoch)
        return [
            "evidence_hex": .hexadecimal(Array(evidence.dropFirst(P256.signatureByteCount))),
            "question": try row.confirmed(asked),
        ]
    }

    private static let credential: [VectorField] = [
        .bytes("seed_hex"), .text("enterprise"), .text("credential"), .text("kind"),
        .text("generation"),
    ]
}

extension VectorCase {
    func seed(_ name: String = "seed_hex") throws -> CredentialSeed {
        guard let seed = CredentialSeed(try secureBytes(name)) else { throw Refused() }
        return seed
    }

    func credentialContext() throws -> CredentialContext {
        CredentialContext(
            enterprise: try orRefused(EnterpriseID(try text("enterprise"))),
            id: try identifier("credential"),
            kind: try orRefused(CredentialKind(rawValue: try text("kind"))),
            generation: Generation(try counter("generation").value)
        )
    }

    func identifier<Identifier: HexadecimalIdentifier>(_ name: String) throws -> Identifier {
        try orRefused(Identifier(try text(name)))
    }

    /// Questions cannot be printed, so this compares with the expected question.
    func confirmed(_ question: OCRAQuestion) throws -> Value {
        guard has("question") else { return .text("") }
        let expected = try text("question")
        return .text(OCRAQuestion(expected) == question ? expected : "another one")
    }

    /// Rejects an envelope whose code does not belong to its counter.
    func check(
        _ envelope: CodeEnvelope,
        _ question: InBandQuestion,
        _ codes: InBandCodes
    ) throws {
        let isRight = try codes.matches(
            envelope.code.code,
            question,
            in: envelope.epoch,
            at: envelope.counter
        )
        guard isRight, envelope.generation == codes.credential.generation else { throw Refused() }
    }

    fileprivate func epoch() throws -> Epoch { Epoch(try counter("epoch").value) }

    fileprivate func question() throws -> InBandQuestion {
        switch try text("purpose") {
        case "decision":
            let hash = TransactionHash(try bytes("transaction_hash_hex"))
            return .decision(try orRefused(hash), try decision(), try typedNumber())
        case "login": return .login(try digest())
        case "pin-check": return .pinCheck
        case "rekey": return .rekey(try digest())
        default: throw Refused()
        }
    }

    private func decision() throws -> Decision {
        let choice = try text("choice")
        if choice == "approve" { return .approve }
        return .reject(try orRefused(RejectionReason(rawValue: choice)))
    }

    private func digest() throws -> Digest {
        try orRefused(Digest(sha256: try bytes("digest_hex")))
    }

    fileprivate func typedNumber() throws -> TypedNumber? {
        guard has("typed_number") else { return nil }
        return try orRefused(TypedNumber(try text("typed_number")))
    }

    /// The stored evidence, with a verified signature.
    fileprivate func evidence(
        in request: DecisionExchange.Request,
        on hash: TransactionHash
    ) throws -> [UInt8] {
        let point = try bytes("device_key_hex")
        let evidence = DecisionEvidence(
            of: request.choice,
            on: hash,
            by: try identifier("device"),
            request.envelope
        )
        let key = try P256.PublicKey(uncompressedPoint: point.span)
        return try orRefused(try evidence.signed(with: request.evidence, by: key)).stored
    }
}

extension DecisionExchange.Choice {
    fileprivate func isTaken(by transaction: Transaction) -> Bool {
        switch self {
        case .approve(let type): transaction.acceptedAuthentication.contains(type)
        case .reject: true
        }
    }
}
