import Cryptography
import Foundation
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Sealing
@testable import Storage
@testable import Verification

/// An attacker has the key that a rotation removed, and writes to the database.
@Suite(.onEveryStore) struct `A removed encryption key` {
    private let premises: Premises
    private let bank: Bank
    private let phone: Phone
    /// Another running node, with both keys in its memory and in its file.
    private let node: Verifier
    private let path: String

    init() async throws {
        premises = try Premises()
        bank = try await premises.begin()
        phone = try await bank.activate()
        try KeyFile.addEncryptionKey(at: premises.keysPath)
        path = premises.path + "/node-keys"
        try FileManager.default.copyItem(atPath: premises.keysPath, toPath: path)
        let both = try KeyFile.encryptionKeys(in: .file(path))
        node = Verifier(
            database: try bank.openAgain(),
            keys: KeyRing(both, readFrom: path),
            agreementKey: bank.agreementKey,
            journal: nil,
            clock: bank.clock.verifierClock
        )
        bank.verifier.use(both)
        #expect(try await bank.verifier.rotateKeys(by: .operatorCommand).isComplete)
        try await checkPIN()
    }

    private func checkPIN() async throws {
        let attempt = try await phone.attempt(over: .pinCheck, in: bank)
        #expect(try await node.checkPIN(attempt) == .accepted(nil))
    }

    private func removeOldKey() async throws {
        #expect(try await bank.verifier.endKeys(olderThan: 2, by: .operatorCommand))
    }

    /// Writes the verifier's row under the first key, and with it a token for all enterprises.
    private func forgeToken() async throws -> [UInt8] {
        let (store, ring) = (try premises.openStore(), KeyRing(premises.keys))
        try await store.write { connection throws(StoreFailure) in
            let ledger = Ledger(connection, ring)
            var state = try Ledger(connection, nil).state()
            let name = RowName(.verifier, [.integer(1)])
            // Later than the version that any node has seen.
            ledger.recorded.note(KnownRow(version: 1 << 40, digests: []), as: name)
            state.minimumKeyVersion = 0
            ledger.recorded.state = state
            try ledger.save(state, by: Self.forgeState)
        }
        await store.close()
        // The bank's other verifiers have key 2; this one has only the attacker's key.
        return try await Bank(premises).makeToken("attacker", for: .administrator, in: nil)
    }

    private static let forgeState = Statement(
        "UPDATE verifier SET \(set: [.minimumKeyVersion, .tag]) WHERE id = 1"
    )

    private func expectRefusal(of token: [UInt8], _ isExpected: (Verifier.Failure) -> Bool) async {
        let failure = await #expect(throws: Verifier.Failure.self) {
            let accepted = try await node.token(shown: token)
            #expect(accepted == nil)
        }
        #expect(failure.map(isExpected) == true, "\(String(describing: failure))")
    }

    @Test func `SEC-101: proves rows only before the rotation ended`() async throws {
        let token = try await forgeToken()
        #expect(try await node.token(shown: token)?.role == .administrator)
    }

    @Test func `SEC-101: proves nothing on a node that saw the end of the rotation`()
        async throws
    {
        try await removeOldKey()
        try await checkPIN()
        // The operator did not copy the key file.
        #expect(try KeyFile.encryptionKeys(in: .file(path)).versions == [1, 2])
        #expect(node.keyRing.keys.versions == [2])
        let token = try await forgeToken()
        await expectRefusal(of: token) { failure in
            if case .store(let reason) = failure { reason.isForgery } else { false }
        }
        #expect(node.forgeries.count == 1)
        node.keyRing.readChangedFile()
        #expect(node.keyRing.keys.versions == [2])
    }

    @Test func `SEC-101: proves nothing on a node whose key file lost it`() async throws {
        try await removeOldKey()
        try KeyFile.removeEncryptionKeys(olderThan: 2, at: path)
        #expect(node.keyRing.keys.versions == [1, 2])
        let token = try await forgeToken()
        await expectRefusal(of: token) { $0 == .sealedRecord(.keyMissing(version: 1)) }
    }

    /// Writes only a token under the first key; the verifier's row stays authentic.
    private func forgeTokenRow() async throws {
        let (store, ring) = (try premises.openStore(), KeyRing(premises.keys))
        let token = try await bank.read { ledger throws(StoreFailure) in
            try ledger.bankTokens().first
        }
        let found = try token.unwrapped()
        try await store.write { connection throws(StoreFailure) in
            let ledger = Ledger(connection, ring)
            var state = try Ledger(connection, nil).state()
            state.minimumKeyVersion = 0
            ledger.recorded.state = state
            try ledger.add(
                BankToken(
                    id: BankTokenID(checked: [UInt8](repeating: 1, count: found.id.bytes.count)),
                    secretDigest: found.secretDigest,
                    name: BankTokenName(checked: "attacker"),
                    reach: .all,
                    role: .administrator,
                    created: found.created,
                    expiry: found.expiry,
                    revoked: nil
                )
            )
            ledger.recorded.traces = []
        }
        await store.close()
    }

    private func backgroundAudit() throws -> BackgroundAudit {
        BackgroundAudit(
            for: node,
            against: try JournalFile(premises.journalPath, signedBy: premises.auditKey.publicKey)
        ) { [store = premises.store] () throws(StoreFailure) in
            try store.open(migrations: Schema.migrations)
        }
    }

    /// The trail is broken too: otherwise the row would be found because it has no record.
    @Test func `SEC-101: does not make a row authentic for the background audit of a node`()
        async throws
    {
        _ = try await bank.makeToken("core")
        try await removeOldKey()
        try await checkPIN()
        try await forgeTokenRow()
        try premises.tamper("DELETE FROM audit WHERE sequence = 1")
        #expect(node.forgeries.count == 0)
        let audit = try backgroundAudit()
        try await audit.run()
        let rows = node.forgeries.takeUnrecorded()
        #expect(rows.count == 2 && rows[0] == "audit sequence=1", "\(rows)")
        #expect(rows.last?.hasPrefix("bank_tokens id=0101") == true, "\(rows)")
    }

    @Test func `SEC-101: does not make the row of the verifier authentic for the background audit`()
        async throws
    {
        try await removeOldKey()
        try await checkPIN()
        _ = try await forgeToken()
        let audit = try backgroundAudit()
        await #expect(throws: Verifier.Failure.self) { try await audit.run() }
        #expect(node.forgeries.takeUnrecorded() == ["verifier id=1"])
    }

    /// One state of the store is audited, in which values can be under the old key.
    @Test func `is kept by an audit that began before the end of the rotation`() throws {
        let ring = KeyRing(try KeyFile.encryptionKeys(in: .file(path)), readFrom: path)
        let audit = ring.copied()
        ring.retire(olderThan: 2)
        try KeyFile.removeEncryptionKeys(olderThan: 2, at: path)
        audit.readChangedFile()
        #expect(audit.keys.versions == [1, 2])
        #expect(ring.keys.versions == [2])
        #expect(ring.copied().keys.versions == [2])
    }

    @Test func `is kept if it is the only key`() throws {
        let ring = KeyRing(premises.keys)
        ring.retire(olderThan: 2)
        #expect(ring.keys.versions == [1])
    }
}
