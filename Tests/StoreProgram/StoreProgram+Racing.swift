package import OneTimePassword
import Storage
package import TransactionApproval
import Verification
import VerifierWorld

/// The calls that two programs make at the same time, as one line of input for both.
package struct RaceOrder: Sendable {
    package let transaction: TransactionID
    /// Nil if each call is its own attempt.
    package let attempt: AttemptID?
    package let counter: Counter

    package static let callers = 32

    package init(transaction: TransactionID, attempt: AttemptID?, counter: Counter) {
        self.transaction = transaction
        self.attempt = attempt
        self.counter = counter
    }

    package var line: String {
        "\(transaction) \(attempt?.description ?? "new") \(counter.value)"
    }

    init?(line: String) {
        let words = line.split(separator: " ").map(String.init)
        guard
            words.count == 3, let transaction = TransactionID(words[0]),
            let counter = UInt64(words[2])
        else { return nil }
        self.init(
            transaction: transaction,
            attempt: AttemptID(words[1]),
            counter: Counter(counter)
        )
    }
}

extension StoreProgram {
    /// Reads orders from lines, and approves each many times concurrently after the next line.
    ///
    /// The verifier uses stale reads of `tables`.
    static func race(in premises: Premises, _ tables: [String]) async throws {
        let bank = try Bank(premises)
        let verifier = bank.verifier(
            over: RememberingDatabase(store: bank.database, remembering: tables)
        )
        let phone = try premises.phones()[0]
        while let order = readLine().flatMap({ RaceOrder(line: $0) }) {
            let (hash, attempts) = try await phone.attempts(by: order, in: bank)
            writeLine("ready")
            guard readLine() != nil else { break }
            await withTaskGroup { group in
                for attempt in attempts {
                    group.addTask {
                        await printResult {
                            try await phone.send(on: order.transaction, hash, attempt, to: verifier)
                        }
                    }
                }
            }
        }
        await bank.database.close()
    }

    private static func printResult(of call: () async throws -> AttemptResult) async {
        do {
            writeLine(try await call().label)
        } catch {
            writeLine("failed: \(error)")
        }
    }
}

extension Phone {
    fileprivate func attempts(
        by order: RaceOrder,
        in bank: Bank
    ) async throws -> (TransactionHash, [Attempt]) {
        let record = try await bank.read { ledger throws(StoreFailure) in
            try ledger.transaction(order.transaction)
        }
        let hash = try TransactionHash(ofCanonicalBytes: record.unwrapped().canonicalBytes)
        let attempt = try await attempt(
            over: .decision(hash, .approve, nil),
            at: order.counter,
            id: order.attempt,
            in: bank
        )
        let attempts = try (0..<RaceOrder.callers).map { _ in
            order.attempt == nil ? try attempt.withNewID() : attempt
        }
        return (hash, attempts)
    }
}
