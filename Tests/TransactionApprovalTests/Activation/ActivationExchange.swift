import Cryptography
import Testing
import TransactionApproval

/// One activation with all its keys; a test can change each step.
struct ActivationExchange: Sendable {
    static let code = "01234-56789-ABCDE-FGHXG"

    let server: P256.PrivateKey
    let ephemeral: P256.PrivateKey
    let devices: [NewDevice]
    var claim: ActivationClaim
    var offer: ActivationOffer

    init(server: P256.PrivateKey) throws {
        self.server = server
        ephemeral = try P256.PrivateKey()
        devices = try (0..<3).map { _ in NewDevice(id: try .random(), key: try P256.PrivateKey()) }
        claim = ActivationClaim(
            activation: try .random(),
            serverKey: try ServerKeyID(of: server.publicKey),
            device: devices[0].id,
            ephemeralKey: ephemeral.publicKey,
            deviceKey: devices[0].key.publicKey,
            deviceName: try #require(DeviceName("Anna's phone"))
        )
        offer = try #require(
            ActivationOffer(
                enterprise: .bank,
                epoch: Epoch(1),
                policy: Array("digits 8".utf8),
                enrolments: try ["a", "b", "c"].map {
                    ActivationOffer.Enrolment(
                        account: AccountKey(
                            type: AccountType(checked: "main"),
                            id: AccountID(checked: $0)
                        ),
                        userCredential: try .random(),
                        deviceCredential: try .random()
                    )
                }
            )
        )
    }

    init() throws {
        try self.init(server: try P256.PrivateKey())
    }
}

// MARK: The device

extension ActivationExchange {
    func deviceSession(code: String = ActivationExchange.code) throws -> ActivationSession {
        try ActivationSession(
            claim,
            ephemeral: ephemeral,
            server: server.publicKey,
            code: try ActivationCode(code)
        )
    }

    func submittedClaim() throws -> SubmittedClaim {
        SubmittedClaim(claim, proof: try deviceSession().proof)
    }

    /// The seed bytes of an account, which differ for each account.
    static func seed(_ kind: CredentialKind, of account: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(account) * 2 + (kind == .user ? 0 : 1), count: 32)
    }

    /// The enrolments of an honest device.
    func enrolments() throws -> [ActivationCommit.Enrolment] {
        let session = try deviceSession().offering(offer)
        return try offer.enrolments.indices.map { index in
            let seeds = AccountSeeds(
                user: try CredentialSeed(Self.seed(.user, of: index)),
                device: try CredentialSeed(Self.seed(.device, of: index))
            )
            return try session.enrol(
                offer.enrolments[index],
                on: devices[index],
                seeds,
                nonce: try .random()
            )
        }
    }
}

// MARK: The server

extension ActivationExchange {
    func serverSession(_ submitted: SubmittedClaim) throws -> ActivationSession {
        try required(
            try ActivationSession.verify(
                submitted,
                server: server,
                code: try ActivationCode(Self.code)
            )
        )
    }

    func accepts(_ submitted: SubmittedClaim) throws -> Bool {
        let session = try ActivationSession.verify(
            submitted,
            server: server,
            code: try ActivationCode(Self.code)
        )
        return session != nil
    }

    /// The server's refusal of these enrolments under its own offer.
    func refusal(
        of enrolments: [ActivationCommit.Enrolment],
        at index: Int = 0
    ) throws -> EnrolmentSession.Refusal? {
        let submitted = try submittedClaim()
        let commit = try #require(ActivationCommit(submitted, enrolments))
        let session = try serverSession(submitted).offering(offer)
        do throws(EnrolmentSession.Refusal) {
            _ = try session.seeds(at: index, of: commit)
            return nil
        } catch {
            return error
        }
    }
}
