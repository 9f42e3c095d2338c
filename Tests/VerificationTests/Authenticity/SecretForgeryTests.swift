import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Sealing
@testable import Storage
@testable import Verification

/// An attacker without keys exchanges, empties or removes secrets, which have no tag.
@Suite(.onEveryStore) struct `A forged secret` {
    private let scene: ForgeryScene
    private let activation: ActivationID

    init() async throws {
        scene = try await ForgeryScene()
        activation = try await scene.bank.issue().id
    }

    /// One edit, the table that it changes, and a use of the row.
    struct Attack: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let edit: String
        let table: String
        let use: @Sendable (ForgeryScene, ActivationID) async throws -> Void

        init(
            _ name: String,
            _ edit: String,
            of table: String,
            use: @escaping @Sendable (ForgeryScene, ActivationID) async throws -> Void
        ) {
            (testDescription, self.edit, self.table, self.use) = (name, edit, table, use)
        }
    }

    private static let attacks = [
        Attack(
            "a seed is exchanged",
            """
            UPDATE credentials SET seed =
                (SELECT seed FROM credentials WHERE kind = 2 ORDER BY seed LIMIT 1)
            WHERE kind = 1
            """,
            of: "credentials"
        ) { scene, _ in try await scene.phone.checkPIN(in: scene.bank) },
        Attack(
            "a seed is emptied",
            "UPDATE credentials SET seed = CAST('' AS BLOB)",
            of: "credentials"
        ) { scene, _ in _ = try await scene.bank.verifier.devices(of: Bank.account) },
        Attack(
            "an activation code is removed",
            "UPDATE activations SET code = NULL WHERE closed IS NULL",
            of: "activations"
        ) { scene, id in
            let claim = try scene.bank.phone().claim(id, ActivationCode.random())
            _ = try await scene.bank.verifier.claim(claim)
        },
        Attack(
            "an activation code is exchanged",
            "UPDATE activations SET code = (SELECT seed FROM credentials ORDER BY seed LIMIT 1)",
            of: "activations"
        ) { scene, id in
            _ = try await scene.bank.verifier.readCode(of: id, of: Bank.account, by: Bank.core)
        },
        Attack(
            "the times of wrong activation codes are malformed",
            "UPDATE activations SET failure_times = CAST('bad' AS BLOB)",
            of: "activations"
        ) { scene, id in
            let claim = try scene.bank.phone().claim(id, ActivationCode.random())
            _ = try await scene.bank.verifier.claim(claim)
        },
        Attack(
            "the key for fingerprints is removed",
            "UPDATE verifier SET fingerprint_key = NULL",
            of: "verifier"
        ) { scene, _ in
            try await scene.bank.verifier(over: scene.bank.database).checkKeys()
        },
        Attack(
            "the key for fingerprints is exchanged",
            """
            UPDATE verifier
            SET fingerprint_key = (SELECT seed FROM credentials ORDER BY seed LIMIT 1)
            """,
            of: "verifier"
        ) { scene, _ in
            try await scene.bank.verifier(over: scene.bank.database).checkKeys()
        },
    ]

    @Test(arguments: attacks)
    func `SEC-101: is rejected at its next use, named, and an alarm`(
        _ attack: Attack
    ) async throws {
        let (bank, premises) = (scene.bank, scene.premises)
        try premises.tamper(premises.inEngine(attack.edit))
        let failure = await #expect(throws: Verifier.Failure.self) {
            try await attack.use(scene, activation)
        }
        guard case .store(let reason)? = failure, case .forged(let row) = reason.reason else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(row.hasPrefix(attack.table + " "))
        #expect(!bank.verifier.outages.isOutage)
        // The checks of keys run in a verifier that starts.
        guard attack.table != "verifier" else { return }
        #expect(bank.verifier.forgeries.count == 1)
        try await bank.verifier.recordForgeries()
        #expect(try await bank.count(of: .rowForged) == 1)
    }

    @Test(arguments: attacks)
    func `the same use is accepted without the edit`(_ attack: Attack) async throws {
        try await attack.use(scene, activation)
        #expect(scene.bank.verifier.forgeries.count == 0)
    }

    @Test(arguments: attacks.filter { !$0.edit.contains("failure_times") })
    func `SEC-101: is found by an audit with the keys`(_ attack: Attack) async throws {
        let premises = scene.premises
        await scene.bank.database.close()
        #expect(try await premises.audit(withKeys: true).findings == [])
        try premises.tamper(premises.inEngine(attack.edit))
        let findings = try await premises.audit(withKeys: true).findings
        #expect(findings != [])
        for finding in findings {
            guard case .unopened(let row) = finding.kind else {
                Issue.record("\(finding)")
                continue
            }
            #expect(row.hasPrefix(attack.table + " "))
        }
    }

    /// Otherwise the bank's calls would no longer be compared with earlier ones.
    @Test func `SEC-101: the key for fingerprints is not created again`() async throws {
        let bank = scene.bank
        try scene.premises.tamper("UPDATE verifier SET fingerprint_key = NULL")
        await #expect(throws: Verifier.Failure.store(.forged(row: "verifier id=1"))) {
            try await bank.verifier(over: bank.database).checkKeys()
        }
        let output = try scene.premises.store.output(
            of: "SELECT count(*) FROM verifier WHERE fingerprint_key IS NULL"
        )
        #expect(output.hasPrefix("1"))
    }

    @Test func `a forged tag is found by an audit with the keys`() async throws {
        let premises = scene.premises
        await scene.bank.database.close()
        let edit = "UPDATE accounts SET tag = (SELECT tag FROM devices ORDER BY tag LIMIT 1)"
        try premises.tamper(edit)
        let findings = try await premises.audit(withKeys: true).findings
        #expect(findings != [])
        for finding in findings {
            guard case .forged(let row) = finding.kind else {
                Issue.record("\(finding)")
                continue
            }
            #expect(row.hasPrefix("accounts "))
        }
        #expect(try await premises.audit().findings == [])
    }
}
