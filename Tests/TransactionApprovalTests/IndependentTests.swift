import Cryptography
import OneTimePassword
import Testing
import TransactionApproval

/// Another program computed the expected values from the order of the fields.
///
/// A changed value breaks all existing devices.
@Suite struct `Values of another program` {
    private let server: P256.PrivateKey
    private let ephemeral: P256.PrivateKey
    private let device: NewDevice
    private let nonce: SealingNonce

    init() throws {
        server = try P256.PrivateKey(scalar: try SecureBytes(Array(1...32)))
        ephemeral = try P256.PrivateKey(scalar: try SecureBytes(Array(33...64)))
        device = NewDevice(
            id: DeviceID(checked: [UInt8](repeating: 0xD, count: 16)),
            key: try P256.PrivateKey(scalar: try SecureBytes(Array(65...96)))
        )
        nonce = try #require(SealingNonce(Array(0..<12)))
    }

    @Test func `activation is the same`() throws {
        let session = try ActivationSession(
            try claim(),
            ephemeral: ephemeral,
            server: server.publicKey,
            code: try ActivationCode(ActivationExchange.code)
        )
        let proof = "34856ad6a50bc1bd86080c4f76f053059abc016f6c05df8c12b594c135f5d18e"
        #expect(hexadecimal(session.proof.array) == proof)

        let offer = try offer()
        let enrolling = try session.offering(offer)
        let mac = "875b28e6de9adef31193ed2ab622a264000c49d4ddbf1791f76c133628ff7762"
        #expect(hexadecimal(enrolling.offerMAC.array) == mac)

        let seeds = AccountSeeds(
            user: try CredentialSeed([UInt8](repeating: 7, count: 32)),
            device: try .random()
        )
        let enrolment = offer.enrolments[0]
        let commit = try enrolling.enrol(enrolment, on: device, seeds, nonce: nonce)
        let sealed =
            "5ae75c28838e27178946b246d35a01109cd771dfcdd93df02d48eac15ef31f3f"
            + "66e7efbdace9dda2ed01380b3da61a16"
        #expect(hexadecimal(commit.userSeed.ciphertext) == sealed)
    }

    @Test func `a rekey is the same`() throws {
        let proposal = try #require(
            RekeyProposal(
                authority: .sample(generation: 3),
                credential: .sample(generation: 4),
                ephemeralKey: ephemeral.publicKey,
                serverKey: try ServerKeyID(of: server.publicKey)
            )
        )
        let session = try RekeySession(
            proposal,
            ephemeral: ephemeral,
            server: server.publicKey,
            authority: try CredentialSeed([UInt8](repeating: 1, count: 32))
        )
        let newSeed = try CredentialSeed([UInt8](repeating: 2, count: 32))
        let request = try session.request(sealing: newSeed, nonce: nonce)
        let sealed =
            "43798a7899d80dbc79667e199d6697c744cbc85881696d9a19edead3077baa88"
            + "864cd29b48f0706998c5f51bb96502b2"
        #expect(hexadecimal(request.seed.ciphertext) == sealed)

        let question = try request.question().ocraQuestion(for: .sample(), in: Epoch(2))
        let digits = "df130d807e5b45fcac3e18210a571248ff3af795493c0cfbf5edc33f3fea3e1a"
        #expect(question == OCRAQuestion(digits))
    }

    private func claim() throws -> ActivationClaim {
        ActivationClaim(
            activation: try #require(ActivationID("01ABCDEFGH")),
            serverKey: try ServerKeyID(of: server.publicKey),
            device: device.id,
            ephemeralKey: ephemeral.publicKey,
            deviceKey: device.key.publicKey,
            deviceName: try #require(DeviceName("phone"))
        )
    }

    private func offer() throws -> ActivationOffer {
        let account = AccountKey(
            type: AccountType(checked: "main"),
            id: AccountID(checked: "a")
        )
        let enrolment = ActivationOffer.Enrolment(
            account: account,
            userCredential: CredentialID(checked: [UInt8](repeating: 0xA, count: 16)),
            deviceCredential: CredentialID(checked: [UInt8](repeating: 0xB, count: 16))
        )
        return try #require(
            ActivationOffer(
                enterprise: .bank,
                epoch: Epoch(1),
                policy: Array("digits 8".utf8),
                enrolments: [enrolment]
            )
        )
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        TextEncoding.hexadecimal.encode(bytes.span)
    }
}
