import Cryptography
import OneTimePassword
import Testing
import TransactionApproval
import Verifier

/// A device as the verifier meets it: seeds, counters, and a person who may know the PIN.
///
/// A wrong PIN is another seed: that is all it ever is.
final class Phone: Sendable {
    let id: DeviceID
    let key: P256.PrivateKey
    private let ephemeral: P256.PrivateKey
    private let server: P256.PublicKey
    private let seeds: [CredentialKind: [UInt8]]

    init(agreeingWith server: P256.PublicKey) throws {
        id = try .random()
        key = try P256.PrivateKey()
        ephemeral = try P256.PrivateKey()
        self.server = server
        seeds = [.user: try randomBytes(count: 32), .device: try randomBytes(count: 32)]
    }

    func seed(_ kind: CredentialKind) throws -> CredentialSeed {
        let bytes = try #require(seeds[kind])
        return try CredentialSeed(SecureBytes(copying: bytes.span)).unwrapped()
    }
}

// MARK: Activation

extension Phone {
    func claim(
        _ activation: ActivationID,
        _ code: borrowing ActivationCode
    ) throws -> SubmittedClaim {
        let claim = ActivationClaim(
            activation: activation,
            serverKey: try ServerKeyID(of: server),
            device: id,
            ephemeralKey: ephemeral.publicKey,
            deviceKey: key.publicKey,
            deviceName: try #require(DeviceName("Phone"))
        )
        let session = try session(claim, code)
        return SubmittedClaim(claim, proof: session.proof)
    }

    /// Seals the seeds of the first account of the offer.
    func commit(
        _ submitted: SubmittedClaim,
        _ offer: ActivationOffer,
        mac: Digest,
        _ code: borrowing ActivationCode
    ) throws -> ActivationCommit {
        let session = try session(submitted.claim, code)
        let enrolment = try session.accepting(offer, mac: mac).unwrapped()
        let enrolled = try enrolment.enrol(
            offer.enrolments[0],
            on: NewDevice(id: id, key: key),
            AccountSeeds(user: try seed(.user), device: try seed(.device)),
            nonce: .random()
        )
        return try #require(ActivationCommit(submitted, [enrolled]))
    }

    private func session(
        _ claim: ActivationClaim,
        _ code: borrowing ActivationCode
    ) throws -> ActivationSession {
        try ActivationSession(claim, ephemeral: ephemeral, server: server, code: code)
    }
}

// MARK: Codes

extension Phone {
    /// What the device knows of a credential.
    func context(
        _ kind: CredentialKind,
        in bank: Bank
    ) async throws -> (CredentialContext, Counter, Epoch) {
        let id = id
        return try await bank.read { ledger throws(StoreFailure) in
            guard let state = try ledger.credentialState(kind, on: id) else { throw .damaged }
            return (state.context, state.credential.counter, try ledger.state().epoch)
        }
    }

    enum PIN { case right, wrong }

    /// A code at the counter that is next, or as far ahead of it as `ahead` says.
    func code(
        _ kind: CredentialKind,
        over question: InBandQuestion,
        with pin: PIN = .right,
        ahead: UInt64 = 0,
        in bank: Bank
    ) async throws -> SubmittedCode {
        let (context, least, epoch) = try await context(kind, in: bank)
        let seed = pin == .right ? try seed(kind) : try CredentialSeed.random()
        let counter = Counter(least.value + ahead)
        let codes = try InBandCodes(of: context, seed: seed)
        return SubmittedCode(
            generation: context.generation,
            counter: counter,
            code: try codes.code(for: question, in: epoch, at: counter)
        )
    }

    /// Decides as a person does who read the transaction.
    @discardableResult
    func decide(
        _ decision: Decision = .approve,
        on transaction: Transaction,
        by type: AuthenticationType = .userPIN,
        with pin: PIN = .right,
        number: TypedNumber? = nil,
        attempt: AttemptID? = nil,
        in bank: Bank
    ) async throws -> Answer {
        let kind = decision == .approve ? type.credentialKind : .device
        let question = InBandQuestion.decision(
            try TransactionHash(of: transaction),
            decision,
            number
        )
        let code = try await code(kind, over: question, with: pin, in: bank)
        let attempt = Attempt(id: try attempt ?? .random(), device: id, kind: kind, code: code)
        return try await bank.verifier.decide(decision, on: transaction.id, by: type, attempt)
    }
}

extension Optional where Wrapped: ~Copyable {
    /// What `#require` does, for what cannot be copied.
    consuming func unwrapped() throws -> Wrapped {
        switch consume self {
        case .some(let value): return value
        case .none: throw Bank.Unexpected()
        }
    }
}
