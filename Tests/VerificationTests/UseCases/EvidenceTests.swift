import Cryptography
import Foundation
import TestSupport
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@Suite(.onEveryStore) struct `The evidence of a decision` {
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
