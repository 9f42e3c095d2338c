import Cryptography
import OneTimePassword
import Testing
import TransactionApproval
import Verification
import VerifierWorld

/// What came of calls that were made at once.
struct RaceOutcome: Equatable {
    /// How often each answer was given; an error counts as one.
    var answers: [String: Int]
    var events: [Event.Kind: Int]
    /// How far the customer's user credential, which is new, has counted; 0 where there is none.
    var counter: UInt64
    var failuresInARow = 0
}

/// Something that one customer's devices or bank send many times at once, as who lost patience does,
/// or a thief with many threads.
struct RaceScenario: Sendable, CustomTestStringConvertible {
    typealias Call = @Sendable (Verifier, Int) async throws -> String

    let testDescription: String
    var callers = 64
    /// All that may come of it.
    let outcomes: [RaceOutcome]
    /// The tables of which a call must see what those before it left: without that, the same
    /// contest ends otherwise.
    let guarding: [String]
    let prepare: @Sendable (Bank, Customer) async throws -> Call

    struct Customer: Sendable {
        let account: AccountReference
        let phone: Phone
    }

    /// Makes all calls at once, to each of `nodes` in turn.
    func hold(in bank: Bank, at nodes: [Verifier], _ round: Int) async throws -> RaceOutcome {
        let account = try await bank.addAccount("customer-\(round)")
        let phone = try Phone(agreeingWith: bank.agreementKey.publicKey)
        let customer = Customer(account: account, phone: phone)
        let call = try await prepare(bank, customer)
        let start = try await bank.auditEnd()
        let answers = await withTaskGroup(of: String.self) { group in
            for index in 0..<callers {
                let node = nodes[index % nodes.count]
                group.addTask {
                    do { return try await call(node, index) } catch { return "failed: \(error)" }
                }
            }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        return try await bank.outcome(answers, of: phone, since: start)
    }
}

extension Bank {
    func auditEnd() async throws -> UInt64 {
        try await read { ledger throws(StoreFailure) in try ledger.state().audit.sequence }
    }

    func outcome(
        _ answers: [String: Int],
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
            answers: answers,
            events: records.reduce(into: [:]) { $0[$1.event.kind, default: 0] += 1 },
            counter: state?.credential.counter.value ?? 0,
            failuresInARow: state?.failures.inARow ?? 0
        )
    }
}
