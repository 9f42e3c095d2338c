import Cryptography
import OneTimePassword
import Testing
import TransactionApproval

@testable import Verifier

extension Bank {
    /// A further account with a phone.
    func activate(_ name: String) async throws -> (AccountReference, Phone) {
        let account = try await addAccount(name)
        return (account, try await activate(account))
    }

    func addAccount(_ name: String) async throws -> AccountReference {
        let key = AccountKey(type: Self.account.key.type, id: AccountID(checked: name))
        let account = AccountReference(enterprise: Self.enterprise, key: key)
        _ = try await verifier.addAccount(account, by: .operatorCommand)
        return account
    }

    func revoke(_ phone: Phone) async throws {
        try await verifier.change(by: .operatorCommand) { scene throws(StoreFailure) in
            guard var device = try scene.ledger.device(phone.id) else { throw .damaged }
            _ = device.revoke(events: &scene.events)
            try scene.ledger.save(device)
        }
    }

    func setEnabled(_ isEnabled: Bool, _ phone: Phone) async throws {
        try await verifier.change(by: .operatorCommand) { scene throws(StoreFailure) in
            guard let old = try scene.ledger.credentialState(.user, on: phone.id) else {
                throw .damaged
            }
            var new = old
            _ = new.setEnabled(isEnabled, events: &scene.events)
            try scene.ledger.save(new, replacing: old)
        }
    }

    func credential(of phone: Phone) async throws -> CredentialState {
        try #require(
            await read { ledger throws(StoreFailure) in
                try ledger.credentialState(.user, on: phone.id)
            }
        )
    }
}

extension Phone {
    func attempt(
        over question: InBandQuestion,
        with pin: PIN = .right,
        ahead: UInt64 = 0,
        in bank: Bank
    ) async throws -> Attempt {
        let code = try await code(.user, over: question, with: pin, ahead: ahead, in: bank)
        return Attempt(id: try .random(), device: id, kind: .user, code: code)
    }

    /// Guesses at the PIN until nobody may any more.
    func guessUntilBlocked(in bank: Bank) async throws {
        for _ in 1...100 {
            let attempt = try await attempt(over: .pinCheck, with: .wrong, in: bank)
            switch try await bank.verifier.checkPIN(attempt) {
            case .refused(.wrongCode(.blocked)): return
            case .refused(.wrongCode(.locked)): bank.clock.advance(by: .seconds(24 * 60 * 60))
            case .refused(.wrongCode): break
            default: throw Bank.Unexpected()
            }
        }
        throw Bank.Unexpected()
    }

    /// Sends a new seed, as after a change of PIN.
    func changePIN(in bank: Bank) async throws -> Answer {
        let (request, attempt) = try await newSeed(in: bank)
        return try await bank.verifier.rekey(request, attempt)
    }

    func newSeed(in bank: Bank) async throws -> (RekeyRequest, Attempt) {
        let (context, _, _) = try await context(.user, in: bank)
        let ephemeral = try P256.PrivateKey()
        let proposal = try RekeyProposal(
            authority: context,
            credential: context.rekeyed.unwrapped(),
            ephemeralKey: ephemeral.publicKey,
            serverKey: AgreementKeyID(of: bank.agreementKey.publicKey)
        ).unwrapped()
        let session = try RekeySession(
            proposal,
            ephemeral: ephemeral,
            server: bank.agreementKey.publicKey,
            authority: try seed(.user)
        )
        let request = try session.request(sealing: try .random(), nonce: .random())
        return (request, try await attempt(over: try request.question(), in: bank))
    }

    /// The code that a person reads off the device, as far ahead as `ahead` says.
    func typedCode(ahead: UInt64 = 0, in bank: Bank) async throws -> String {
        let (context, least, _) = try await context(.user, in: bank)
        let codes = try TypedCodes(of: context, seed: seed(.user))
        return codes.hotp.code(at: Counter(least.value + ahead)).text
    }

    func submit(
        _ code: String,
        call: String = "call",
        for account: AccountReference = Bank.account,
        in bank: Bank
    ) async throws -> Answer {
        let submission = TypedSubmission(call: call, device: id, account: account)
        return try await bank.verifier.verify(typed: code, submission, by: .token(name: "core"))
    }
}

extension Verifier {
    /// Has the journal write down everything, as it does every minute.
    func journalNow() async throws {
        try await #require(journal).checkpoint()
    }
}
