import Cryptography
import OneTimePassword
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Sealing
@testable import Storage
@testable import Verification

/// An attacker who knows the source writes to the database, but has no key.
@Suite(.onEveryStore) struct `A forged row` {
    private let scene: ForgeryScene

    init() async throws {
        scene = try await ForgeryScene()
    }

    /// One edit of the attacker, the table that it changes, and a use of the row.
    struct Attack: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let edit: @Sendable (ForgeryScene) -> String
        let table: String
        let use: @Sendable (ForgeryScene) async throws -> Void

        init(
            _ name: String,
            _ edit: @escaping @autoclosure @Sendable () -> String,
            of table: String,
            use: @escaping @Sendable (ForgeryScene) async throws -> Void
        ) {
            self.init(name, of: table, by: { _ in edit() }, use: use)
        }

        init(
            _ name: String,
            of table: String,
            by edit: @escaping @Sendable (ForgeryScene) -> String,
            use: @escaping @Sendable (ForgeryScene) async throws -> Void
        ) {
            testDescription = name
            self.edit = edit
            self.table = table
            self.use = use
        }
    }

    private static let attacks = [
        Attack(
            "a pending payment is set to approved with evidence of another payment",
            of: "transactions",
            by: { scene in
                """
                UPDATE transactions SET state = 1, closed = deadline - 1, detail = 'userPIN',
                    device = (SELECT device FROM transactions WHERE state = 1),
                    evidence = (SELECT evidence FROM transactions WHERE state = 1),
                    tag = (SELECT tag FROM transactions WHERE state = 1)
                WHERE id = '\(scene.payment.id)'
                """
            }
        ) { scene in
            _ = try await scene.bank.verifier.overview(of: scene.payment.id, of: Bank.account)
        },
        Attack(
            "an approved payment is listed for another amount",
            "UPDATE transactions SET canonical_bytes = substr(canonical_bytes, 2)",
            of: "transactions"
        ) { scene in
            _ = try await scene.bank.verifier.transactions(of: Bank.account, limit: 10)
        },
        Attack(
            "another authentication type is accepted",
            "UPDATE transactions SET accepted_authentication = 7 WHERE state = 0",
            of: "transactions"
        ) { scene in
            try await scene.phone.decide(on: scene.payment, by: .consent, in: scene.bank)
        },
        Attack(
            "an ended payment is pending again",
            """
            UPDATE transactions SET state = 0, closed = NULL, device = NULL, detail = NULL,
                evidence = NULL WHERE state = 1
            """,
            of: "transactions"
        ) { scene in
            try await scene.phone.decide(.reject(.notMe), on: scene.approved, in: scene.bank)
        },
        Attack(
            "a counter is set back",
            "UPDATE credentials SET counter = 0",
            of: "credentials"
        ) { scene in try await scene.phone.checkPIN(at: Counter(0), in: scene.bank) },
        Attack(
            "a count of failures is set back",
            "UPDATE credentials SET consecutive_failures = 0",
            of: "credentials"
        ) { scene in try await scene.phone.checkPIN(with: .wrong, in: scene.bank) },
        Attack(
            "a lock is removed",
            "UPDATE credentials SET locked_until = NULL, consecutive_locks = 0, blocked = 0",
            of: "credentials"
        ) { scene in
            try await scene.locked.phone.checkPIN(in: scene.bank)
        },
        Attack(
            "a credential is of another generation",
            "UPDATE credentials SET generation = 3 WHERE kind = 1",
            of: "credentials"
        ) { scene in
            _ = try await scene.bank.verifier.devices(of: Bank.account)
        },
        Attack(
            "a revoked device is active",
            "UPDATE devices SET status = 1",
            of: "devices"
        ) { scene in try await scene.revoked.checkPIN(in: scene.bank) },
        Attack(
            "a device has the attacker's key",
            "UPDATE devices SET public_key = (SELECT public_key FROM devices ORDER BY id LIMIT 1)",
            of: "devices"
        ) { scene in
            for phone in [scene.phone, scene.revoked, scene.locked.phone] {
                _ = try await scene.bank.verifier.publicKey(of: phone.id)
            }
        },
        Attack(
            "pushes go to the attacker's device",
            "UPDATE devices SET notifications = 'fcm:attacker'",
            of: "devices"
        ) { scene in _ = try await scene.bank.verifier.pushSetting(of: scene.phone.id) },
        Attack(
            "a login is redeemed",
            "UPDATE logins SET redeemed = 5",
            of: "logins"
        ) { scene in try await scene.redeem() },
        Attack(
            "a login is for another account",
            "UPDATE logins SET account_id = '4713'",
            of: "logins"
        ) { scene in try await scene.redeem() },
        Attack(
            "an attempt has another verdict",
            "UPDATE attempts SET verdict = 'accepted' WHERE verdict <> 'accepted'",
            of: "attempts"
        ) { scene in
            _ = try await scene.bank.verifier.checkPIN(scene.wrongAttempt)
        },
        Attack(
            "a policy is weaker",
            "UPDATE enterprises SET policy = '{}', policy_version = policy_version + 1",
            of: "enterprises"
        ) { scene in _ = try await scene.bank.pay() },
        Attack(
            "an account is of another person",
            "UPDATE accounts SET person = NULL",
            of: "accounts"
        ) { scene in _ = try await scene.bank.verifier.overview(of: Bank.account) },
        Attack(
            "an account is a test account",
            "UPDATE accounts SET is_test = 1",
            of: "accounts"
        ) { scene in _ = try await scene.bank.pay() },
        Attack(
            "an expired activation is open",
            "UPDATE activations SET deadline = deadline + 1000000",
            of: "activations"
        ) { scene in
            _ = try await scene.bank.verifier.activations(of: Bank.account, limit: 9)
        },
        Attack(
            "the token of an auditor is that of an administrator",
            "UPDATE bank_tokens SET role = 'administrator' WHERE name = 'auditor'",
            of: "bank_tokens"
        ) { scene in
            let name = BankTokenName(checked: "auditor")
            _ = try await scene.bank.verifier.revokeToken(named: name, by: .operatorCommand)
        },
        Attack(
            "a stored response of the bank API is another one",
            "UPDATE bank_calls SET outcome = 'other'",
            of: "bank_calls"
        ) { scene in try await scene.repeatCall() },
        Attack(
            "an old record is about a pending payment",
            of: "audit",
            by: { scene in
                """
                UPDATE audit SET kind = 'transaction.approved', subject = '\(scene.payment.id)'
                WHERE kind = 'activation.issued';
                UPDATE outbox SET subject = '\(scene.payment.id)' WHERE sequence IN
                    (SELECT sequence FROM audit WHERE kind = 'transaction.approved')
                """
            }
        ) { scene in
            for delivery in try await scene.webhooks() {
                _ = try await scene.bank.verifier.notice(of: delivery)
            }
        },
        Attack(
            "a message to the bank is about the account of another person",
            "UPDATE outbox SET account_id = '4713' WHERE target = 1",
            of: "outbox"
        ) { scene in
            for delivery in try await scene.webhooks() {
                _ = try await scene.bank.verifier.notice(of: delivery)
            }
        },
        Attack(
            "the epoch is an earlier one",
            "UPDATE verifier SET epoch = epoch + 1",
            of: "verifier"
        ) { scene in try await scene.phone.checkPIN(in: scene.bank) },
        Attack(
            "the trail ends at another record",
            "UPDATE verifier SET audit_sequence = audit_sequence + 1",
            of: "verifier"
        ) { scene in _ = try await scene.bank.pay() },
        Attack(
            "an old key is allowed again",
            "UPDATE verifier SET minimum_key_version = 0, audit_moment = audit_moment + 1",
            of: "verifier"
        ) { scene in _ = try await scene.bank.pay() },
        Attack(
            "a pending payment does not count in the limit of requests",
            "UPDATE transactions SET state = 3, closed = deadline WHERE state = 0",
            of: "transactions"
        ) { scene in _ = try await scene.bank.pay() },
        Attack(
            "a linked account is not muted",
            "UPDATE accounts SET muted_until = 5 WHERE id = '4714'",
            of: "accounts"
        ) { scene in _ = try await scene.bank.verifier.pendingNotifications(for: scene.phone.id) },
    ]

    @Test(arguments: attacks)
    func `SEC-101: an edited row is rejected at its next use, and named`(
        _ attack: Attack
    ) async throws {
        try scene.premises.tamper(attack.edit(scene))
        let failure = await #expect(throws: (any Error).self) { try await attack.use(scene) }
        let reason =
            switch failure {
            case let failure as StoreFailure: failure.reason
            case let failure as Verifier.Failure: failure.storeReason
            default: nil as StoreFailure.Reason?
            }
        guard case .forged(let row)? = reason else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(row.hasPrefix(attack.table + " "))
    }

    /// No tag covers the version of a policy.
    @Test func `SEC-101: a stricter policy stays although its version is set back`() async throws {
        let bank = scene.bank
        _ = try await bank.issue()
        try await bank.verifier.setPolicy(
            #"{"activationSeconds": 60}"#,
            of: Bank.enterprise,
            by: Bank.core
        )
        try scene.premises.tamper("UPDATE enterprises SET policy_version = 1")
        let issued = try await bank.issue()
        let activation = try await bank.verifier.activation(issued.id, of: Bank.account)
        #expect(activation?.deadline == bank.clock.now + .seconds(60))
    }

    @Test(arguments: attacks)
    func `the same use is accepted without the edit`(_ attack: Attack) async throws {
        try await attack.use(scene)
    }
}

extension Verifier.Failure {
    fileprivate var storeReason: StoreFailure.Reason? {
        if case .store(let failure) = self { failure.reason } else { nil }
    }
}
