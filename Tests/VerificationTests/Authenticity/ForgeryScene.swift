import Cryptography
import OneTimePassword
import TestSupport
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

/// A bank with rows of each kind, in the states that an attacker would edit.
struct ForgeryScene: Sendable {
    let premises: Premises
    var bank: Bank
    let phone: Phone
    let revoked: Phone
    /// A device whose user credential is locked, and its account.
    let locked: (account: AccountReference, phone: Phone)
    let approved: Transaction
    let payment: Transaction
    let login: TransactionID
    let wrongAttempt: Attempt
    let auditorToken: [UInt8]

    init() async throws {
        premises = try Premises()
        bank = try await premises.begin(policy: #"{"devicesPerAccount": 2}"#)
        phone = try await bank.activate()
        revoked = try await bank.activate()
        try await bank.revoke(revoked)
        locked = try await bank.activate("4713")
        try await locked.phone.failUntilLocked(in: bank)
        _ = try await bank.addLinkedAccount("4714")
        approved = try await bank.pay()
        try await phone.decide(on: approved, in: bank)
        payment = try await bank.pay()
        guard case .accepted(let granted?) = try await phone.logIn(in: bank) else {
            throw Bank.Unexpected()
        }
        login = granted
        wrongAttempt = try await phone.attempt(over: .pinCheck, with: .wrong, in: bank)
        _ = try await bank.verifier.checkPIN(wrongAttempt)
        _ = try await bank.makeToken("core")
        auditorToken = try await bank.makeToken("auditor", for: .auditor)
        try await phone.type("00000000", call: "call", in: bank)
    }

    func redeem() async throws {
        _ = try await bank.redeem(login)
    }

    func repeatCall() async throws {
        try await phone.type("00000000", call: "call", in: bank)
    }

    func webhooks() async throws -> [Delivery] {
        try await bank.verifier.takeDeliveries(to: .webhook, limit: 100)
    }
}

extension Premises {
    /// Translates a statement for SQLite to the SQL of the engine.
    func inEngine(_ statement: String) -> String {
        guard case .server = store else { return statement }
        return statement.replacing("AS BLOB", with: "AS BYTEA").replacing("x'", with: "'\\x")
    }

    /// Inserts rows like an open one, before all others in the order of their deadlines.
    func insertOpen(_ count: Int, into table: Table, like id: String, as name: String) throws {
        let columns = table.columns.map { "\($0.name)" }
        let values = columns.map { column in
            switch column {
            case "id": "'\(name)' || copy"
            case "deadline": "copy - \(count)"
            default: "original." + column
            }
        }
        try tamper(
            """
            WITH RECURSIVE copies (copy) AS
                (SELECT 1 UNION ALL SELECT copy + 1 FROM copies WHERE copy < \(count))
            INSERT INTO \(table.name) (\(columns.joined(separator: ", ")))
            SELECT \(values.joined(separator: ", ")) FROM \(table.name) AS original, copies
            WHERE original.id = '\(id)'
            """
        )
    }

    func backgroundAudit(
        of bank: Bank,
        through open: @escaping @Sendable (any Database) throws(StoreFailure) -> any Database = {
            $0
        }
    ) throws -> BackgroundAudit {
        BackgroundAudit(
            for: bank.verifier,
            against: try JournalFile(journalPath, signedBy: auditKey.publicKey)
        ) { [store] () throws(StoreFailure) in
            try open(try store.open(migrations: Schema.migrations))
        }
    }
}
