import Cryptography
import Foundation
import OneTimePassword
import Storage
import TestSupport
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@Suite(.onAnyStore) struct `The evidence of a decision` {
    @Test(arguments: [Decision.approve, .reject(.notMe)])
    func `it is stored with the transaction, and openssl verifies it with the device's key`(
        _ decision: Decision
    ) async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        #expect(try await bank.record(of: payment).evidence == nil)
        try await phone.decide(decision, on: payment, in: bank)
        let evidence = try #require(try await bank.record(of: payment).evidence)
        #expect(try opensslVerifies(evidence, under: phone.key.publicKey))
        var other = evidence
        other[other.count - 1] ^= 1
        #expect(try !opensslVerifies(other, under: phone.key.publicKey))

        let hash = try TransactionHash(of: payment)
        #expect(Data(evidence).range(of: Data(hash.bytes)) != nil)
        #expect(Data(evidence).range(of: Data(phone.id.bytes)) != nil)
    }

    @Test func `SEC-34: evidence of another key or decision is refused and costs nothing`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let (payment, other) = (try await bank.pay(), try await bank.pay())
        let (hash, otherHash) = (try TransactionHash(of: payment), try TransactionHash(of: other))
        let attempt = try await phone.attempt(over: try .approval(of: payment), in: bank)
        let code = attempt.code
        let approval = DecisionExchange.Choice.approve(.userPIN)
        let forged = [
            try phone.decision(approval, on: payment.id, hash, code, signedBy: P256.PrivateKey()),
            try phone.decision(approval, on: payment.id, otherHash, code),
            try phone.decision(.reject(.notMe), on: payment.id, hash, code),
            try phone.decision(approval, on: payment.id, hash, code.with(counter: Counter(1))),
            try bank.phone().decision(approval, on: payment.id, hash, code, signedBy: phone.key),
        ].map { $0.with(approval, code) }
        let before = try await bank.contents()
        for request in forged {
            let result = try await phone.send(request, to: bank.verifier)
            #expect(result == .refused(.evidenceMismatch))
        }
        #expect(try await bank.contents() == before)
        // The same code is still valid with the right evidence.
        let right = try phone.decision(approval, on: payment.id, hash, code)
        #expect(try await phone.send(right, to: bank.verifier) == .accepted(nil))
    }

    @Test func `SEC-34: evidence of another device of the account is refused`() async throws {
        let bank = try await Bank()
        let (phone, second) = (try await bank.activate(), try await bank.activate())
        let payment = try await bank.pay()
        let hash = try TransactionHash(of: payment)
        let attempt = try await phone.attempt(over: try .approval(of: payment), in: bank)
        let stolen = try second.decision(.approve(.userPIN), on: payment.id, hash, attempt.code)
        #expect(try await phone.send(stolen, to: bank.verifier) == .refused(.evidenceMismatch))
    }

    @Test func `SEC-34: evidence under a key that is not stored is refused and costs nothing`()
        async throws
    {
        let (bank, other) = (try await Bank(), try P256.PrivateKey())
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        let attempt = try await phone.attempt(over: try .approval(of: payment), in: bank)
        let forged = try phone.decision(
            .approve(.userPIN),
            on: payment.id,
            try TransactionHash(of: payment),
            attempt.code,
            signedBy: other
        )
        let before = try await bank.contents()
        let result = try await bank.verifier.decide(
            forged,
            from: phone.id,
            signedBy: other.publicKey
        )
        #expect(result == .refused(.evidenceMismatch))
        #expect(try await bank.contents() == before)
    }

    @Test func `a repeated attempt gets its stored verdict, whatever its evidence`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        let hash = try TransactionHash(of: payment)
        let attempt = try await phone.attempt(over: try .approval(of: payment), in: bank)
        let right = try phone.decision(.approve(.userPIN), on: payment.id, hash, attempt.code)
        #expect(try await phone.send(right, to: bank.verifier) == .accepted(nil))
        let forged = try phone.decision(
            .approve(.userPIN),
            on: payment.id,
            hash,
            attempt.code,
            signedBy: P256.PrivateKey()
        )
        let before = try await bank.contents()
        #expect(try await phone.send(forged, to: bank.verifier) == .accepted(nil))
        #expect(try await bank.contents() == before)
    }

    @Test func `a foreign transaction gets the same response as an unknown one`() async throws {
        let bank = try await Bank()
        let (_, stranger) = try await bank.activate("4712")
        _ = try await bank.activate()
        let payment = try await bank.pay()
        let hash = try TransactionHash(of: payment)
        for id in [payment.id, TransactionID(checked: "unknown")] {
            let attempt = try await stranger.attempt(over: try .approval(of: payment), in: bank)
            let result = try await stranger.send(on: id, hash, attempt, to: bank.verifier)
            #expect(result == .refused(.unknownTransaction))
        }
    }

    private func opensslVerifies(_ evidence: [UInt8], under key: P256.PublicKey) throws -> Bool {
        let folder = try TemporaryFolder()
        let raw = Array(evidence.prefix(64))
        let signature = try P256.Signature(raw: raw.span).distinguishedEncoding
        let files = [
            "key": key.subjectPublicKeyInfo, "signature": signature,
            "message": Array(evidence.dropFirst(64)),
        ]
        for (name, bytes) in files {
            try Data(bytes).write(to: URL(filePath: folder.path + "/" + name))
        }
        let options = ["-sha256", "-keyform", "DER", "-verify", folder.path + "/key"]
        let process = try FinishedProcess.run(
            "openssl",
            ["dgst"] + options
                + ["-signature", folder.path + "/signature", folder.path + "/message"]
        )
        return process.output == "Verified OK\n"
    }
}

extension Bank {
    fileprivate func record(of transaction: Transaction) async throws -> TransactionRecord {
        try await read { ledger throws(StoreFailure) in
            try ledger.transaction(transaction.id)
        }.unwrapped()
    }
}

extension DecisionExchange.Request {
    /// The same signature with other content.
    fileprivate func with(
        _ choice: DecisionExchange.Choice,
        _ code: CodeEnvelope
    ) -> DecisionExchange.Request {
        DecisionExchange.Request(
            transaction: transaction,
            choice: choice,
            evidence: evidence,
            envelope: code
        )
    }
}
