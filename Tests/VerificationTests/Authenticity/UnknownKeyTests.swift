import Cryptography
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Sealing
@testable import Storage
@testable import Verification

/// An attacker writes the version of a key that does not exist into tags, to stop audits.
@Suite(.onEveryStore) struct `A tag under an unknown key` {
    private let scene: ForgeryScene
    private var premises: Premises { scene.premises }

    init() async throws {
        scene = try await ForgeryScene()
    }

    private func replaceKeyVersion(in table: Table, by version: String = "7fffffff") throws {
        try premises.tamper(
            premises.inEngine(
                """
                UPDATE \(table.name)
                SET tag = CAST(x'\(version)' || substr(tag, 5) AS BLOB)
                """
            )
        )
    }

    @Test func `SEC-101: does not hide a row that was put back from an audit`() async throws {
        try premises.keepRows(of: .credentials)
        try await scene.phone.checkPIN(in: scene.bank)
        await scene.bank.database.close()
        try premises.putBackRows(of: .credentials)
        try replaceKeyVersion(in: .attempts)
        let rows = try await premises.audit(withKeys: true).findings.compactMap(\.kind.row)
        for table in ["attempts", "credentials"] {
            #expect(rows.contains { $0.hasPrefix("\(table) device=") }, "\(rows)")
        }
    }

    @Test func `SEC-101: raises the alarm in the background audit, with all other rows`()
        async throws
    {
        try premises.keepRows(of: .credentials)
        try await scene.phone.checkPIN(in: scene.bank)
        try premises.putBackRows(of: .credentials)
        try replaceKeyVersion(in: .attempts)
        let audit = try premises.backgroundAudit(of: scene.bank)
        try await audit.run()
        #expect(scene.bank.verifier.forgeries.count >= 2)
        try await scene.bank.verifier.recordForgeries()
        #expect(try await scene.bank.count(of: .rowForged) >= 2)
    }

    /// A node that has seen the row knows its columns, and needs no key.
    @Test(arguments: ["7fffffff", "00000000"])
    func `SEC-101: is a forged row for the call that reads it`(_ version: String) async throws {
        try replaceKeyVersion(in: .devices, by: version)
        let verifier = scene.bank.verifier(over: scene.bank.database)
        let failure = await #expect(throws: Verifier.Failure.self) {
            _ = try await verifier.status(of: scene.phone.id)
        }
        #expect(failure == .store(.forged(row: "devices id=\(scene.phone.id)")))
        #expect(verifier.forgeries.count == 1)
    }

    /// A node that remembers the row does not believe the version in its tag.
    @Test(arguments: ["7fffffff", "00000002"])
    func `SEC-101: of the verifier's own row stops each call`(_ version: String) async throws {
        _ = try await scene.bank.verifier.status(of: scene.phone.id)
        try replaceKeyVersion(in: .verifier, by: version)
        await #expect(throws: Verifier.Failure.self) {
            _ = try await scene.bank.verifier.status(of: scene.phone.id)
        }
    }

    @Test func `SEC-101: makes a token invalid, as any other forged tag`() async throws {
        let token = try await scene.bank.verifier.token(shown: scene.auditorToken)
        #expect(token?.name.text == "auditor")
        try replaceKeyVersion(in: .bankTokens)
        let verifier = scene.bank.verifier(over: scene.bank.database)
        #expect(try await verifier.token(shown: scene.auditorToken) == nil)
        #expect(verifier.forgeries.count == 1)
    }

    /// Otherwise a late copy of the key file would look like an attack.
    @Test func `is a missing key if another verifier has begun to use it`() async throws {
        let bank = scene.bank
        try KeyFile.addEncryptionKey(at: premises.keysPath)
        let both = try KeyFile.encryptionKeys(in: .file(premises.keysPath))
        let phone = scene.phone
        let record = AttemptRecord(
            device: phone.id,
            id: try .random(),
            made: bank.clock.now,
            fingerprint: [1],
            verdict: .unchanged
        )
        let ring = KeyRing(both)
        ring.useNewestKey()
        // It writes no audit record.
        try await bank.database.write { connection throws(StoreFailure) in
            try Ledger(connection, ring).add(record)
        }
        await #expect(throws: Verifier.Failure.sealedRecord(.keyMissing(version: 2))) {
            _ = try await bank.verifier.read { ledger throws(StoreFailure) in
                try ledger.attempt(record.id, by: phone.id)
            }
        }
        #expect(bank.verifier.forgeries.count == 0)
        bank.verifier.use(both)
        let found = try await bank.verifier.read { ledger throws(StoreFailure) in
            try ledger.attempt(record.id, by: phone.id)
        }
        #expect(found != nil)
    }
}

/// An attacker writes values that no verifier writes.
@Suite(.onEveryStore) struct `A value of the wrong type` {
    private let scene: ForgeryScene
    private var premises: Premises { scene.premises }

    init() async throws {
        scene = try await ForgeryScene()
    }

    @Test(arguments: [true, false])
    func `SEC-101: does not end an audit without the name of its row`(
        _ withKeys: Bool
    ) async throws {
        await scene.bank.database.close()
        try premises.tamper(
            """
            UPDATE devices SET public_key = NULL, token_suite = 'other'
            WHERE id = (SELECT device FROM transactions WHERE state = 1)
            """
        )
        let rows = try await premises.audit(withKeys: withKeys).findings.compactMap(\.kind.row)
        #expect(rows.contains("devices id=\(scene.phone.id)"))
        #expect(rows.contains("transactions id=\(scene.approved.id)"))
    }
}
