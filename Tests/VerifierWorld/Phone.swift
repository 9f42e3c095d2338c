package import Cryptography
import Foundation
import OneTimePassword
import PrivateFiles
import Storage
package import TransactionApproval
import Verification

/// A simulated device: seeds, counters, and a person who may know the PIN.
///
/// A wrong PIN is simply another seed. The device reads its counter and generation from the
/// verifier's store.
package final class Phone: Sendable {
    package enum PIN: CaseIterable { case right, wrong }

    package let id: DeviceID
    package let key: P256.PrivateKey
    private let ephemeral: P256.PrivateKey
    private let server: P256.PublicKey
    private let lock = NSLock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var seeds: [CredentialKind: [UInt8]]

    package convenience init(agreeingWith server: P256.PublicKey) throws {
        try self.init(
            .random(),
            P256.PrivateKey(),
            user: randomBytes(count: 32),
            device: randomBytes(count: 32),
            agreeingWith: server
        )
    }

    private init(
        _ id: DeviceID,
        _ key: P256.PrivateKey,
        user: [UInt8],
        device: [UInt8],
        agreeingWith server: P256.PublicKey
    ) throws {
        self.id = id
        self.key = key
        ephemeral = try P256.PrivateKey()
        self.server = server
        seeds = [.user: user, .device: device]
    }

    package func seed(_ kind: CredentialKind, _ pin: PIN = .right) throws -> CredentialSeed {
        guard pin == .right else { return try CredentialSeed.random() }
        let bytes = try seedBytes(kind).unwrapped()
        return try CredentialSeed(SecureBytes(copying: bytes.span)).unwrapped()
    }

    package func seedBytes(_ kind: CredentialKind) -> [UInt8]? { lock.withLock { seeds[kind] } }

    package func keep(_ seed: [UInt8], for kind: CredentialKind) {
        lock.withLock { seeds[kind] = seed }
    }
}

// MARK: For another process

extension Phone {
    /// Everything that another process needs to act as this phone.
    var line: String {
        get throws {
            let scalar = try key.scalar().withBytes { bytes in bytes.indices.map { bytes[$0] } }
            let secrets = [scalar, seedBytes(.user) ?? [], seedBytes(.device) ?? []]
            return ([id.description] + secrets.map { TextEncoding.hexadecimal.encode($0.span) })
                .joined(separator: " ")
        }
    }

    /// Nil if the text is not such a line.
    convenience init?(line: Substring, agreeingWith server: P256.PublicKey) throws {
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 4, let id = DeviceID(words[0]) else { return nil }
        let secrets = try words.dropFirst().map { try TextEncoding.hexadecimal.decode($0) }
        let scalar = secrets[0]
        try self.init(
            id,
            P256.PrivateKey(scalar: SecureBytes(copying: scalar.span)),
            user: secrets[1],
            device: secrets[2],
            agreeingWith: server
        )
    }
}

// MARK: Activation

extension Phone {
    package func claim(
        _ activation: ActivationID,
        _ code: borrowing ActivationCode
    ) throws -> SubmittedClaim {
        let claim = ActivationClaim(
            activation: activation,
            serverKey: try ServerKeyID(of: server),
            device: id,
            ephemeralKey: ephemeral.publicKey,
            deviceKey: key.publicKey,
            deviceName: try DeviceName("Phone").unwrapped()
        )
        let session = try session(claim, code)
        return SubmittedClaim(claim, proof: session.proof)
    }

    /// Seals the seeds of every account of the offer; each further account has its own device.
    package func commit(
        _ submitted: SubmittedClaim,
        _ offer: ActivationOffer,
        mac: Digest,
        _ code: borrowing ActivationCode,
        with others: ArraySlice<Phone> = [],
        joining sibling: ActivationCommit.Sibling? = nil
    ) throws -> ActivationCommit {
        let session = try session(submitted.claim, code)
        let enrolment = try session.accepting(offer, mac: mac).unwrapped()
        var enrolled: [ActivationCommit.Enrolment] = []
        for (place, phone) in zip(offer.enrolments, [self] + others) {
            enrolled.append(
                try enrolment.enrol(
                    place,
                    on: NewDevice(id: phone.id, key: phone.key),
                    AccountSeeds(user: try phone.seed(.user), device: try phone.seed(.device)),
                    nonce: .random()
                )
            )
        }
        return try ActivationCommit(submitted, enrolled, sibling: sibling).unwrapped()
    }

    /// The receipt that the verifier must return for a commit.
    package func receipt(
        for commit: ActivationCommit,
        _ outcomes: [EnrolmentOutcome],
        _ offer: ActivationOffer,
        mac: Digest,
        _ code: borrowing ActivationCode
    ) throws -> Digest {
        let session = try session(commit.submittedClaim.claim, code)
        return try session.accepting(offer, mac: mac).unwrapped().receipt(for: commit, outcomes)
    }

    private func session(
        _ claim: ActivationClaim,
        _ code: borrowing ActivationCode
    ) throws -> ActivationSession {
        try ActivationSession(claim, ephemeral: ephemeral, server: server, code: code)
    }
}

// MARK: Rekey

extension Phone {
    /// A new seed for a credential, in one message with its own key pair.
    package struct Rekey {
        package let request: RekeyRequest
        package let seed: [UInt8]
    }

    /// `id` is the id of a new credential; nil for a random one.
    package func rekey(
        _ kind: CredentialKind = .user,
        with pin: PIN = .right,
        skipping generations: UInt64 = 0,
        id: CredentialID? = nil,
        agreeingWith key: P256.PublicKey? = nil,
        in bank: Bank
    ) async throws -> Rekey {
        let server = key ?? server
        let (authority, _, _) = try await context(.user, in: bank)
        let next = try await target(kind, id, authority, skipping: generations, in: bank)
        let ephemeral = try P256.PrivateKey()
        let proposal = try RekeyProposal(
            authority: authority,
            credential: next,
            ephemeralKey: ephemeral.publicKey,
            serverKey: try ServerKeyID(of: server)
        ).unwrapped()
        let session = try RekeySession(
            proposal,
            ephemeral: ephemeral,
            server: server,
            authority: try seed(.user, pin)
        )
        let bytes = try randomBytes(count: CredentialSeed.byteCount)
        let seed = try CredentialSeed(SecureBytes(copying: bytes.span)).unwrapped()
        return Rekey(request: try session.request(sealing: seed, nonce: .random()), seed: bytes)
    }

    /// The credential that a rekey creates: the next generation, or the first one.
    private func target(
        _ kind: CredentialKind,
        _ newID: CredentialID?,
        _ authority: CredentialContext,
        skipping generations: UInt64,
        in bank: Bank
    ) async throws -> CredentialContext {
        let id = id
        let current = try await bank.read { ledger throws(StoreFailure) in
            try ledger.credentialState(kind, on: id)?.context
        }
        return CredentialContext(
            enterprise: authority.enterprise,
            id: try current?.id ?? newID ?? .random(),
            kind: kind,
            generation: Generation(current.map { $0.generation.value + 1 + generations } ?? 0)
        )
    }
}

extension Optional where Wrapped: ~Copyable {
    /// Like `#require`, but for any program and for noncopyable values.
    package consuming func unwrapped() throws -> Wrapped {
        switch consume self {
        case .some(let value): return value
        case .none: throw Bank.Unexpected()
        }
    }
}
