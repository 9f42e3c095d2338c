import Cryptography
import OneTimePassword
import Storage
import Testing
import TransactionApproval
import Verification
import VerifierWorld

/// The outcome of concurrent calls.
struct RaceOutcome: Equatable {
    /// The count of each result; an error counts as one result.
    var results: [String: Int]
    var events: [Event.Kind: Int]
    /// The user credential's counter, which starts at 0; 0 if there is no credential.
    var counter: UInt64
    var failuresInARow = 0
}

/// A request that one customer's devices or bank send many times at once, like an impatient client
/// or a thief with many threads.
struct RaceScenario: Sendable, CustomTestStringConvertible {
    typealias Call = @Sendable (Verifier, Int) async throws -> String

    let testDescription: String
    var callers = 64
    /// All allowed outcomes.
    let outcomes: [RaceOutcome]
    /// The tables of which each call must see the earlier calls' changes; otherwise the outcome
    /// differs.
    let guarding: [String]
    let prepare: @Sendable (Bank, Customer) async throws -> Call

    struct Customer: Sendable {
        let account: AccountReference
        let phone: Phone
    }

    /// Makes all calls at once, to each of `nodes` in turn.
    func run(in bank: Bank, at nodes: [Verifier], _ round: Int) async throws -> RaceOutcome {
        let account = try await bank.addAccount("customer-\(round)")
        let phone = try Phone(agreeingWith: bank.agreementKey.publicKey)
        let customer = Customer(account: account, phone: phone)
        let call = try await prepare(bank, customer)
        let start = try await bank.auditEnd()
        let results = await withTaskGroup(of: String.self) { group in
            for index in 0..<callers {
                let node = nodes[index % nodes.count]
                group.addTask {
                    do { return try await call(node, index) } catch { return "failed: \(error)" }
                }
            }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        return try await bank.outcome(results, of: phone, since: start)
    }
}

extension Bank {
    func auditEnd() async throws -> UInt64 {
        try await read { ledger throws(StoreFailure) in try ledger.state().audit.sequence }
    }

    func outcome(
        _ results: [String: Int],
        of phone: Phone,
        since start: UInt64
    ) async throws -> RaceOutcome {
        let records = try await read { ledger throws(StoreFailure) in
            try ledger.auditRecords(after: start, limit: 1_000)
        }
        let device = phone.id
        let state = try await read { ledger throws(StoreFailure) in
            try ledger.credentialState(.user, on: device)
        }
        return RaceOutcome(
            results: results,
            events: records.reduce(into: [:]) { $0[$1.event.kind, default: 0] += 1 },
            counter: state?.credential.counter.value ?? 0,
            failuresInARow: state?.failures.consecutiveFailures ?? 0
        )
    }
}
