import OneTimePassword
import StoreProgram
import Testing
import TransactionApproval
import Verification
import VerifierWorld

/// Two programs that send each approval 32 times at the same time.
struct CompetingPrograms {
    private let bank: Bank
    private let phone: Phone
    private let programs: [RunningProgram]

    /// Without a guard, they use stale reads of these tables.
    init(on kind: StoreKind, remembering tables: [String] = []) async throws {
        let premises = try Premises(on: kind)
        bank = try await premises.begin()
        phone = try await bank.activate()
        try premises.keep([phone])
        programs = try (0..<2).map { _ in
            try RunningProgram(["race", premises.path, premises.store.text] + tables)
        }
    }

    /// The outcome of one payment; all calls are one attempt, or each is its own.
    func approve(isOneAttempt: Bool) async throws -> RaceOutcome {
        bank.clock.advance(by: .seconds(600))
        let payment = try await bank.pay()
        let start = try await bank.auditEnd()
        let order = RaceOrder(
            transaction: payment.id,
            attempt: isOneAttempt ? try .random() : nil,
            counter: try await bank.credential(of: phone).credential.counter
        )
        for program in programs { try program.send(order.line) }
        for program in programs { #expect(try program.lines(1) == ["ready"]) }
        for program in programs { try program.send("go") }
        var results: [String: Int] = [:]
        for line in try programs.flatMap({ try $0.lines(RaceOrder.callers) }) {
            results[String(line), default: 0] += 1
        }
        return try await bank.outcome(results, of: phone, since: start)
    }

    static func outcome(isOneAttempt: Bool, counter: UInt64) -> RaceOutcome {
        RaceOutcome(
            results: isOneAttempt ? ["accepted": 64] : ["accepted": 1, "already decided": 63],
            events: [.transactionApproved: 1],
            counter: counter
        )
    }
}
