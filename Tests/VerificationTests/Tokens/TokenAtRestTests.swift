import OneTimePassword
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Sealing
@testable import Storage
@testable import Verification

private let tokensAllowed = #"{"minimumTokenDigits": 6}"#

@Suite(.onEveryStore) struct `A token's secret at rest` {
    private let premises: Premises

    init() throws {
        premises = try Premises()
    }

    @Test(arguments: [
        "UPDATE devices SET token_suite = 'HOTP-SHA1-6'",
        "UPDATE devices SET token_suite = 'HOTP-SHA256-8'",
        "UPDATE devices SET token_suite = NULL, public_key = id",
        "UPDATE devices SET account_id = '4712'",
        "UPDATE credentials SET id = device",
        """
        UPDATE credentials SET seed =
            (SELECT seed FROM credentials AS other WHERE other.device <> credentials.device)
        """,
    ])
    func `it opens only for its own suite, device and account`(_ statement: String) async throws {
        var bank = try await premises.begin(policy: tokensAllowed)
        _ = try await bank.addAccount("4712")
        let eight = TokenSuite(digits: .eight)
        let hand = try await SimulatedToken(eight, in: bank)
        let other = try await SimulatedToken(eight, serial: "A-2", in: bank)
        await bank.database.close()
        try await premises.tamperWithKeys(statement)
        bank = try await premises.open()
        let account = statement.contains("account_id") ? Bank.account("4712") : Bank.account
        var failures = 0
        for hand in [hand, other] {
            let state = try await bank.credentialState(.device, on: hand.id)
            do {
                _ = try await hand.type(try hand.code(at: 0), from: account, in: bank)
                // An edited row may claim to be an installation, which has no such credential.
                _ = try bank.verifier.openSecret(of: state)
            } catch let failure as Verifier.Failure {
                #expect(failure == .store(.forged(row: "credentials device=\(hand.id) kind=2")))
                failures += 1
                #expect(try await bank.credentialState(.device, on: hand.id) == state)
            }
        }
        #expect(failures > 0)
    }

    @Test func `it is sealed again under a newer key, like all others`() async throws {
        let bank = try await premises.begin(policy: tokensAllowed)
        let hand = try await SimulatedToken(in: bank)
        try KeyFile.addEncryptionKey(at: premises.keysPath)
        bank.verifier.use(try KeyFile.encryptionKeys(in: .file(premises.keysPath)))
        let rotation = try await bank.verifier.rotateKeys(by: .operatorCommand)
        #expect(rotation.counts == [2: 2])
        try KeyFile.removeEncryptionKeys(olderThan: 2, at: premises.keysPath)
        bank.verifier.use(try KeyFile.encryptionKeys(in: .file(premises.keysPath)))
        #expect(try await hand.type(try hand.code(at: 0), in: bank) == .accepted(nil))
    }

    @Test func `it is nowhere in the store in plain text`() async throws {
        let bank = try await premises.begin(policy: tokensAllowed)
        let hand = try await SimulatedToken(in: bank)
        let secret = hand.token.secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
        #expect(try !bank.isOnDisk(secret))
        #expect(try bank.isOnDisk(hand.id.bytes))
    }

    @Test func `an audit finds that its device row is missing`() async throws {
        let bank = try await premises.begin(policy: tokensAllowed)
        let hand = try await SimulatedToken(in: bank)
        await bank.database.close()
        #expect(try await premises.audit().findings == [])
        try premises.tamper("DELETE FROM credentials; DELETE FROM devices")
        let findings = try await premises.audit().findings
        #expect(findings.count == 2)
        for finding in findings { #expect("\(finding)".contains(hand.id.description)) }
    }
}

@Suite(.onEveryStore) struct `Tokens in a restored store` {
    private let premises: Premises
    private var backup: String { premises.path + "/backup" }

    init() throws {
        premises = try Premises()
    }

    private func backUp(_ bank: Bank) async throws {
        try await premises.store.backUp(to: backup)
    }

    private func restore(_ bank: Bank) async throws -> Bank {
        try await bank.journalNow()
        await bank.database.close()
        try premises.store.putBack(backup)
        _ = try await premises.restore()
        return try await premises.open()
    }

    /// Two used codes in a row look like two new ones, because a token's code is not bound to an
    /// epoch.
    @Test func `no code and no pair of codes is accepted without a witness`() async throws {
        var bank = try await premises.begin(policy: tokensAllowed)
        let hand = try await SimulatedToken(in: bank)
        try await backUp(bank)
        for counter: UInt64 in 0...5 {
            #expect(try await hand.type(try hand.code(at: counter), in: bank) == .accepted(nil))
        }
        bank = try await restore(bank)
        // The first call creates the key for bank call fingerprints.
        _ = try await hand.type("000000", in: bank)
        let before = try await bank.contents()
        for counter: UInt64 in 0...6 {
            let code = try await hand.type(try hand.code(at: counter), in: bank)
            #expect(code == .refused(.counterUnconfirmed))
            let pair = try await hand.resynchronise(at: counter, in: bank)
            #expect(pair == .refused(.counterUnconfirmed))
        }
        #expect(try await bank.contents() == before)

        #expect(
            try await hand.resynchronise(at: 300, isWitnessed: true, in: bank) == .wrong(left: 4)
        )
        #expect(
            try await hand.type(try hand.code(at: 6), in: bank) == .refused(.counterUnconfirmed)
        )
        #expect(try await hand.resynchronise(at: 6, isWitnessed: true, in: bank) == .accepted(nil))
        #expect(try await hand.type(try hand.code(at: 5), in: bank) == .refused(.codeUsed))
        #expect(try await hand.type(try hand.code(at: 8), in: bank) == .accepted(nil))
        let resynchronised = try await bank.events().filter { $0.kind == .credentialResynchronised }
        #expect(resynchronised.map(\.detail) == ["witnessed"])
    }

    @Test func `a witness cannot resynchronise an installation, which proves its counter in band`()
        async throws
    {
        var bank = try await premises.begin()
        let phone = try await bank.activate()
        try await backUp(bank)
        bank = try await restore(bank)
        let judged = try await bank.verifier.resynchronise(
            try await phone.typedCode(in: bank),
            then: try await phone.typedCode(ahead: 1, in: bank),
            isWitnessed: true,
            .of(["a pair"], on: phone.id, to: bank.verifier),
            by: Bank.core
        )
        #expect(judged.result == .refused(.counterUnconfirmed))
    }

    @Test(arguments: [false, true])
    func `a token that the store lost needs a current counter when it is added again`(
        _ counterIsCurrent: Bool
    ) async throws {
        var bank = try await premises.begin(policy: tokensAllowed)
        try await backUp(bank)
        let hand = try await SimulatedToken(in: bank)
        let code = try hand.code(at: 0)
        #expect(try await hand.type(code, in: bank) == .accepted(nil))
        bank = try await restore(bank)
        let again = try await SimulatedToken(
            adding: hand.token,
            counterIsCurrent: counterIsCurrent,
            in: bank
        )
        let expected: AttemptResult =
            counterIsCurrent ? .accepted(nil) : .refused(.counterUnconfirmed)
        #expect(try await again.type(code, in: bank) == expected)
    }
}

extension Bank {
    fileprivate func credentialState(
        _ kind: CredentialKind,
        on id: DeviceID
    ) async throws -> CredentialState {
        let state = try await read { ledger throws(StoreFailure) in
            try ledger.credentialState(kind, on: id)
        }
        return try #require(state)
    }
}
