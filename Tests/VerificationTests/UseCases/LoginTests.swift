import Cryptography
import OneTimePassword
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@Suite(.onAnyStore) struct `Logins` {
    @Test func `a login is redeemed once, over the signed data`() async throws {
        var bank = try await Bank()
        let phone = try await bank.activate()
        let id = try await phone.grant(in: bank)
        #expect(try await bank.redeem(id, over: [1, 2, 3]) == .refused(.otherData))
        #expect(try await bank.redeem(id, of: Bank.account("4712")) == .unknown)
        #expect(try await bank.redeem(TransactionID(checked: "none")) == .unknown)
        guard case .redeemed(let grant) = try await bank.redeem(id) else {
            throw Bank.Unexpected()
        }
        #expect(grant.device == phone.id)
        #expect(grant.type == .userPIN)
        try await bank.restart()
        #expect(try await bank.redeem(id) == .refused(.redeemedBefore))
        #expect(try await bank.count(of: .loginRedeemed) == 1)
    }

    @Test(arguments: [(-1, true), (0, false)] as [(Int, Bool)])
    func `SEC-30: a login can be redeemed for exactly two minutes`(
        _ row: (milliseconds: Int, isRedeemed: Bool)
    ) async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let id = try await phone.grant(in: bank)
        bank.clock.advance(by: .seconds(120) + .milliseconds(row.milliseconds))
        let result = try await bank.redeem(id)
        if row.isRedeemed {
            guard case .redeemed = result else { throw Bank.Unexpected() }
        } else {
            #expect(result == .refused(.expired))
        }
    }

    @Test(arguments: [true, false])
    func `SEC-54: a login of a revoked or blocked device cannot be redeemed`(
        _ isRevoked: Bool
    ) async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let id = try await phone.grant(in: bank)
        if isRevoked {
            #expect(try await bank.revoke(phone) == .done)
        } else {
            try await phone.guessUntilBlocked(in: bank)
        }
        // Blocking takes longer than a login is valid; the device is the first reason for the
        // refusal.
        #expect(try await bank.redeem(id) == .refused(.deviceNotActive))
        #expect(try await bank.count(of: .loginRedeemed) == 0)
    }

    @Test func `other data or a wrong PIN are refused`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        #expect(try await phone.logIn(with: .wrong, in: bank) == .wrong(left: 4))
        #expect(try await phone.logIn(over: [UInt8](repeating: 8, count: 32), in: bank).isAccepted)
        let short = try await bank.verifier.logIn(
            over: [1, 2, 3],
            by: .userPIN,
            phone.attempt(over: .pinCheck, in: bank)
        )
        #expect(short == .refused(.typeNotAllowed))
    }

    @Test func `a login needs the person, and an authentication type of the policy`() async throws {
        let bank = try await Bank(policy: #"{"authentication": ["userPIN", "consent"]}"#)
        let phone = try await bank.activate()
        #expect(try await phone.logIn(by: .consent, in: bank) == .refused(.typeNotAllowed))
        let rekey = try await phone.rekey(.biometric, in: bank)
        #expect(try await phone.send(rekey, in: bank) == .accepted(nil))
        #expect(try await phone.logIn(by: .biometric, in: bank) == .refused(.typeNotAllowed))
        #expect(try await phone.logIn(by: .userPIN, in: bank).isAccepted)
    }

    @Test func `SEC-31: a login code is invalid for every other purpose`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let digest = try #require(Digest(sha256: Phone.challenge))
        let login = try await phone.attempt(over: .login(digest), in: bank)
        #expect(try await bank.verifier.checkPIN(login) == .wrong(left: 4))
        let check = try await phone.attempt(over: .pinCheck, in: bank)
        let result = try await bank.verifier.logIn(over: Phone.challenge, by: .userPIN, check)
        #expect(result == .wrong(left: 3))
    }
}

@Suite(.onAnyStore) struct `PIN checks` {
    @Test func `a PIN check uses up the code and changes nothing else`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        #expect(try await phone.checkPIN(with: .wrong, in: bank) == .wrong(left: 4))
        #expect(try await phone.checkPIN(in: bank) == .accepted(nil))
        #expect(try await bank.credential(of: phone).credential.counter == Counter(1))
        #expect(try await bank.credential(of: phone).failures.consecutiveFailures == 0)
    }

    @Test func `only the user credential can check a PIN`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let attempt = try await phone.attempt(.device, over: .pinCheck, in: bank)
        #expect(try await bank.verifier.checkPIN(attempt) == .wrong(left: 4))
    }
}

extension Phone {
    func grant(in bank: Bank) async throws -> TransactionID {
        guard case .accepted(let id?) = try await logIn(in: bank) else { throw Bank.Unexpected() }
        return id
    }
}

extension AttemptResult {
    var isAccepted: Bool { if case .accepted = self { true } else { false } }
}

extension Bank {
    func redeem(
        _ id: TransactionID,
        of account: AccountReference = account,
        over digest: [UInt8] = Phone.challenge
    ) async throws -> RedemptionResult {
        try await verifier.redeemLogin(id, of: account, over: digest, by: Self.core)
    }
}
