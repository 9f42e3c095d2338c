import Cryptography
import OneTimePassword
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Sealing
@testable import Storage
@testable import Verification

extension Statement {
    fileprivate static let putCode = Statement("UPDATE activations SET code = $2 WHERE id = $1")
    fileprivate static let moveActivation = Statement(
        "UPDATE activations SET account_id = $2 WHERE id = $1"
    )
    fileprivate static let putNumber = Statement(
        "UPDATE transactions SET number = $2 WHERE id = $1"
    )
    fileprivate static let moveTransaction = Statement(
        "UPDATE transactions SET account_id = $2 WHERE id = $1"
    )
    fileprivate static let putFingerprintKey = Statement("UPDATE verifier SET fingerprint_key = $1")
    fileprivate static let putCredential = Statement(
        """
        UPDATE credentials SET seed = $2, generation = $3, counter = $4
        WHERE device = $1 AND kind = 1
        """
    )
}

/// Sealed values that an attacker moves to another owner or restores in their own row.
@Suite(.onEveryStore) struct `A sealed value in the place of another` {
    private let premises: Premises

    init() throws {
        premises = try Premises()
    }

    private func forged(_ row: String) -> Verifier.Failure { .store(.forged(row: row)) }

    /// Otherwise an attacker with a code for one account could claim an activation of another.
    @Test func `opens no activation`() async throws {
        var bank = try await premises.begin()
        let account = try await bank.addAccount("4712")
        let mine = try await bank.issue()
        let theirs = try await bank.issue(for: account)
        let (sealed, id) = (try await bank.sealedCode(of: mine.id), theirs.id)
        bank = try await premises.change(bank, .putCode, [.text(id.text), .bytes(sealed)])
        try await expectNotAuthentic(theirs.id, mine.code, in: bank)
    }

    @Test func `opens no activation that was moved to another account`() async throws {
        var bank = try await premises.begin()
        _ = try await bank.addAccount("4712")
        let issued = try await bank.issue()
        bank = try await premises.change(
            bank,
            .moveActivation,
            [.text(issued.id.text), .text("4712")]
        )
        try await expectNotAuthentic(issued.id, issued.code, in: bank)
    }

    @Test func `opens no later activation of the same account`() async throws {
        var bank = try await premises.begin()
        let first = try await bank.issue()
        let sealed = try await bank.sealedCode(of: first.id)
        let second = try await bank.issue()
        bank = try await premises.change(bank, .putCode, [.text(second.id.text), .bytes(sealed)])
        try await expectNotAuthentic(second.id, first.code, in: bank)
    }

    private func expectNotAuthentic(
        _ activation: ActivationID,
        _ code: borrowing ActivationCode,
        in bank: Bank
    ) async throws {
        let phone = try Phone(agreeingWith: premises.agreementKey.publicKey)
        let claim = try phone.claim(activation, code)
        await #expect(throws: forged("activations id=\(activation)")) {
            _ = try await bank.verifier.claim(claim)
        }
        #expect(try await bank.count(of: .activationClaimed) == 0)
    }

    /// A known number of another account's payment, or of an earlier payment of the same account.
    @Test(arguments: ["4711", "4712"])
    func `is invalid as the number of a transaction`(_ source: String) async throws {
        var bank = try await premises.begin(policy: #"{"numberMatchingDigits": 6}"#)
        _ = try await bank.activate("4712")
        let phone = try await bank.activate()
        let (known, number) = try await bank.payShowingNumber(from: Bank.account(source))
        let (payment, shown) = try await bank.payShowingNumber()
        let sealed = try await bank.sealedNumber(of: known)
        bank = try await premises.change(
            bank,
            .putNumber,
            [.text(payment.id.text), .bytes(sealed)]
        )
        for number in [number, shown] {
            await #expect(throws: forged("transactions id=\(payment.id)")) {
                _ = try await phone.decide(on: payment, number: number, in: bank)
            }
        }
        #expect(try await bank.state(of: payment) == .pending)
        #expect(try await bank.credential(of: phone).failures.consecutiveFailures == 0)
    }

    @Test func `is invalid as the number of a transaction that was moved to another account`()
        async throws
    {
        var bank = try await premises.begin(policy: #"{"numberMatchingDigits": 6}"#)
        _ = try await bank.activate()
        let (_, phone) = try await bank.activate("4712")
        let (payment, number) = try await bank.payShowingNumber()
        bank = try await premises.change(
            bank,
            .moveTransaction,
            [.text(payment.id.text), .text("4712")]
        )
        await #expect(throws: forged("transactions id=\(payment.id)")) {
            _ = try await phone.decide(on: payment, number: number, in: bank)
        }
        #expect(try await bank.state(of: payment) == .pending)
    }

    @Test func `is invalid as the key for fingerprints of calls`() async throws {
        var bank = try await premises.begin()
        let phone = try await bank.activate()
        let code = try await phone.typedCode(in: bank)
        let seed = try await bank.credential(of: phone).credential.seed.stored
        bank = try await premises.change(bank, .putFingerprintKey, [.bytes(seed)])
        await bank.database.close()
        bank = try await premises.open()
        await #expect(throws: forged("verifier id=1")) {
            _ = try await phone.type(code, in: bank)
        }
        #expect(try await bank.credential(of: phone).credential.counter.value == 0)
    }

    /// The new seed is invalid for the old generation, and the old seed for the new generation.
    @Test(arguments: [true, false])
    func `is invalid as a seed of another generation of its credential`(_ isOld: Bool) async throws
    {
        var bank = try await premises.begin()
        let phone = try await bank.activate()
        let old = try await bank.credential(of: phone).credential
        #expect(try await phone.changePIN(in: bank) == .accepted(nil))
        let new = try await bank.credential(of: phone).credential
        let (seed, generation) = isOld ? (old.seed, new.generation) : (new.seed, old.generation)
        bank = try await premises.put(seed, generation, new.counter, on: phone, of: bank)
        let attempt = try await phone.attempt(over: .pinCheck, in: bank)
        await #expect(throws: forged("credentials device=\(phone.id) kind=1")) {
            _ = try await bank.verifier.checkPIN(attempt)
        }
    }

    /// The old row opens, because it was valid once; only the trail shows that it is old.
    @Test func `is found by an audit if its complete old row was restored`() async throws {
        var bank = try await premises.begin()
        let phone = try await bank.activate()
        let (old, seed) = (try await bank.credential(of: phone).credential, phone.seedBytes(.user))
        #expect(try await phone.changePIN(in: bank) == .accepted(nil))
        bank = try await premises.put(old.seed, old.generation, old.counter, on: phone, of: bank)
        #expect(try await premises.audit().findings != [])
        phone.keep(try #require(seed), for: .user)
        #expect(try await phone.checkPIN(in: bank) == .accepted(nil))
        #expect(try await premises.audit().findings != [])
    }
}

extension Premises {
    /// Changes a row as an attacker does who could also compute its tag, and returns the bank after
    /// a restart.
    fileprivate func change(
        _ bank: Bank,
        _ statement: Statement,
        _ values: [SQLValue]
    ) async throws -> Bank {
        let count = try await bank.database.write { connection throws(StoreFailure) in
            try connection.run(statement, values)
        }
        #expect(count == 1)
        await bank.database.close()
        try await tamperWithKeys("")
        return try await open()
    }

    fileprivate func put(
        _ seed: SealedValue,
        _ generation: Generation,
        _ counter: Counter,
        on phone: Phone,
        of bank: Bank
    ) async throws -> Bank {
        try await change(
            bank,
            .putCredential,
            [
                .bytes(phone.id.bytes), .bytes(seed.stored), .integer(Int64(generation.value)),
                .integer(Int64(counter.value)),
            ]
        )
    }
}

extension Bank {
    fileprivate func sealedCode(of id: ActivationID) async throws -> [UInt8] {
        let activation = try await read { ledger throws(StoreFailure) in try ledger.activation(id) }
        guard case .open(let code, _)? = activation?.state else { throw Unexpected() }
        return code.stored
    }

    fileprivate func sealedNumber(of transaction: Transaction) async throws -> [UInt8] {
        let record = try await read { ledger throws(StoreFailure) in
            try ledger.transaction(transaction.id)
        }
        return try #require(record?.number).stored
    }
}
