import Cryptography
import OneTimePassword
import Sealing
import Storage
import TestSupport
import Testing
import TransactionApproval
import Verification
import VerifierWorld

/// A random history that the verifier and the model run side by side.
struct History {
    var bank: Bank
    var model: ReferenceModel
    let phones: [Phone]
    var random: SeededGenerator
    var transactions: [Transaction] = []
    var grants: [TransactionID] = []
    /// Earlier steps, for repetition.
    var tried: [Step] = []
    /// A log for the analysis of a difference.
    var lines: [String] = []

    struct Step {
        let trial: ReferenceModel.Trial
        let attempt: Attempt
        let target: Target
    }

    /// The purpose of a device API code.
    enum Target {
        case decision(Transaction, Decision, by: AuthenticationType)
        case pinCheck
        case login
        case rekey(Phone.Rekey)
    }

    static let accounts = [Bank.account, Bank.account("4712")]

    init(seed: Int) async throws {
        bank = try await Bank(
            policy: """
                {"pendingTransactions": 3, "transactionSeconds": 600,
                "authentication": ["userPIN", "consent"],
                "consentCeilings":
                    [{"currency": "EUR", "minorUnits": 300, "totalMinorUnits": 400}]}
                """
        )
        _ = try await bank.addLinkedAccount("4712")
        phones = try await bank.activateAll(Bank.account, 2)
        for phone in phones { try await bank.want(pushesOn: phone) }
        model = ReferenceModel(now: bank.clock.now)
        random = SeededGenerator(seed: seed)
    }

    /// Runs one random step; returns false if verifier and model differ.
    mutating func runStep() async throws -> Bool {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<22: return try await decide()
        case 22..<27: return try await send(.pinCheck, .user)
        case 27..<33: return try await send(.login, .user)
        case 33..<39: return try await redeem()
        case 39..<45: return try await type()
        case 45..<48: return try await resynchronise()
        case 48..<58: return try await repeatEarlier()
        case 58..<63: return try await rekey()
        case 63..<72: return try await requestTransaction()
        case 72..<75: return try await withdraw()
        case 75..<79: return try await unlock()
        case 79..<83: return try await setEnabled()
        case 83..<84: return try await revoke()
        case 84..<88: return try await expire()
        case 88..<90:
            lines.append("restart")
            try await bank.restart()
            return true
        case 90..<94: return try await notify()
        default:
            let spans = [1, 60, 599, 600, 1800, 3600, 24 * 3600, 9 * 24 * 3600]
            advance(by: .seconds(pick(spans) ?? 1))
            return true
        }
    }

    /// SEC-50: whether the audit trail is intact and has each change once.
    mutating func isOnTrail() async throws -> Bool {
        let records = try await bank.read { ledger throws(StoreFailure) in
            try ledger.auditRecords(after: 0, limit: .max)
        }
        var head = AuditHead.empty
        for record in records {
            guard try head.precedes(record) else { return false }
            head = AuditHead(record)
        }
        for kind in ReferenceModel.kinds {
            let found = records.count { $0.event.kind == kind }
            guard agree("records of \(kind)", found, model.events[kind] ?? 0) else { return false }
        }
        return true
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.randomElement(using: &random)
    }

    mutating func device() -> Int { Int.random(in: 0...1, using: &random) }

    mutating func agree<Value: Equatable>(
        _ step: String,
        _ found: Value,
        _ expected: Value
    ) -> Bool {
        lines.append("\(step): \(found)" + (found == expected ? "" : ", expected \(expected)"))
        return found == expected
    }

    mutating func advance(by distance: Duration) {
        lines.append("after \(distance)")
        bank.clock.advance(by: distance)
        model.now = bank.clock.now
    }
}
