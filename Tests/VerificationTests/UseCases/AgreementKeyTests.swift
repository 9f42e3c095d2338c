import Cryptography
import StoreTesting
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@Suite(.onAnyStore) struct `The agreement key of a verifier` {
    private var bank: Bank
    private let current: P256.PrivateKey
    private let next: P256.PrivateKey

    init() async throws {
        bank = try await Bank()
        current = bank.agreementKey
        next = try P256.PrivateKey()
    }

    /// Runs both steps of an activation with this key.
    private func activate(_ key: P256.PrivateKey) async throws -> Phone {
        let phone = try Phone(agreeingWith: key.publicKey)
        try await bank.activate(Bank.account, on: [phone])
        return phone
    }

    private func rekey(_ phone: Phone, _ key: P256.PrivateKey) async throws -> AttemptResult {
        let rekey = try await phone.rekey(agreeingWith: key.publicKey, in: bank)
        return try await phone.send(rekey, in: bank)
    }

    @Test mutating func `SEC-110: and the next one are both accepted until the change`()
        async throws
    {
        let phone = try await activate(current)
        bank.agree(with: current, next: next)
        #expect(try await rekey(phone, current) == .accepted(nil))
        #expect(try await rekey(phone, next) == .accepted(nil))
        for key in [current, next] {
            let another = try await activate(key)
            #expect(try await another.checkPIN(in: bank) == .accepted(nil))
        }
    }

    @Test mutating func `SEC-110: is not accepted before or after its time`() async throws {
        let phone = try await activate(current)
        await #expect(throws: Bank.Unexpected.self) { try await activate(next) }
        #expect(try await rekey(phone, next) == .refused(.agreementKeyUnknown))
        bank.agree(with: next)
        await #expect(throws: Bank.Unexpected.self) { try await activate(current) }
        #expect(try await rekey(phone, current) == .refused(.agreementKeyUnknown))
        #expect(try await rekey(phone, next) == .accepted(nil))
    }

    /// A device that missed the rotation must not lock its person out.
    @Test mutating func `SEC-110: costs no attempt if the device has a former one`() async throws {
        let phone = try await activate(current)
        bank.agree(with: next)
        for _ in 1...20 {
            #expect(try await rekey(phone, current) == .refused(.agreementKeyUnknown))
        }
        #expect(try await bank.credential(of: phone).failures.consecutiveFailures == 0)
        let payment = try await bank.pay()
        #expect(try await phone.decide(on: payment, in: bank) == .accepted(nil))
    }

    /// A thief cannot use a name that the verifier does not know to test PINs without a charge.
    @Test mutating func `SEC-110: a wrong PIN is still charged with each accepted key`()
        async throws
    {
        let phone = try await activate(current)
        bank.agree(with: current, next: next)
        for (left, key) in [(4, current), (3, next)] {
            let rekey = try await phone.rekey(
                with: .wrong,
                agreeingWith: key.publicKey,
                in: bank
            )
            #expect(try await phone.send(rekey, with: .wrong, in: bank) == .wrong(left: left))
        }
    }

    /// The name in the message chooses the key, and both are authenticated.
    @Test mutating func `SEC-110: a claim that names the other key is refused`() async throws {
        bank.agree(with: current, next: next)
        let issued = try await bank.issue()
        let phone = try Phone(agreeingWith: current.publicKey)
        let claim = try phone.claim(issued.id, issued.code)
        let renamed = ActivationClaim(
            activation: claim.claim.activation,
            serverKey: try ServerKeyID(of: next.publicKey),
            device: claim.claim.device,
            ephemeralKey: claim.claim.ephemeralKey,
            deviceKey: claim.claim.deviceKey,
            deviceName: claim.claim.deviceName
        )
        let other = SubmittedClaim(renamed, proof: claim.proof)
        #expect(try await bank.verifier.claim(other) == .refused(.codeInvalid))
        _ = try await bank.offered(claim, to: [phone], issued.code)
    }

    /// The change happens between the two steps of an activation.
    @Test mutating func `SEC-110: an activation that the change interrupts can start again`()
        async throws
    {
        let issued = try await bank.issue()
        let phone = try Phone(agreeingWith: current.publicKey)
        let claim = try phone.claim(issued.id, issued.code)
        let commit = try await bank.offered(claim, to: [phone], issued.code)
        bank.agree(with: next)
        let refused = CommitResult.refused(.activation(.codeInvalid))
        #expect(try await bank.verifier.commit(commit) == refused)
        let updated = try Phone(agreeingWith: next.publicKey)
        let again = try updated.claim(issued.id, issued.code)
        try await bank.complete(try await bank.offered(again, to: [updated], issued.code))
    }
}
