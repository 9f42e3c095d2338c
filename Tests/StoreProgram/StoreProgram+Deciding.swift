import OneTimePassword
import TransactionApproval
package import Verification
import VerifierWorld

/// The load of a bank with many phones.
package enum Deciding {
    package static let callers = 16
    package static let phonesPerCaller = 4
    /// The number of concurrent callers that activate new phones.
    package static let activatingCallers = 2
    /// A long timeout: the clock advances with each decision, so that the rate limit is not reached.
    package static let policy = #"{"transactionSeconds":600}"#
    package static let accounts = (0..<callers * phonesPerCaller).map {
        Bank.account("phone-\($0)")
    }
}

extension StoreProgram {
    /// Decides with all phones of the premises without a pause, while new phones take their first
    /// steps; prints each accepted decision.
    static func decide(in premises: Premises) async throws {
        let bank = try await premises.open()
        let phones = try premises.phones()
        await withTaskGroup { group in
            for caller in 0..<Deciding.callers {
                group.addTask { await decide(as: caller, for: phones, in: bank) }
            }
            for _ in 0..<Deciding.activatingCallers { group.addTask { await begin(in: bank) } }
        }
    }

    private static func decide(as caller: Int, for phones: [Phone], in bank: Bank) async {
        for turn in 0... {
            let index = caller + turn % Deciding.phonesPerCaller * Deciding.callers
            do {
                let payment = try await bank.pay(from: Deciding.accounts[index])
                // Each credential decides, and there are few rejections in a row.
                let decision = turn % 5 == 4 ? Decision.reject(.noLongerWanted) : .approve
                if let reported = try await phones[index].settle(payment, decision, in: bank) {
                    writeLine(reported.line)
                }
                bank.clock.advance(by: .seconds(10))
            } catch {
                writeLine("failed: \(error)")
            }
        }
    }
}

extension Phone {
    /// Nil if the decision was not accepted.
    fileprivate func settle(
        _ payment: Transaction,
        _ decision: Decision,
        in bank: Bank
    ) async throws -> ReportedDecision? {
        let question = InBandQuestion.decision(try TransactionHash(of: payment), decision, nil)
        let kind: CredentialKind = decision == .approve ? .user : .device
        let attempt = try await attempt(kind, over: question, in: bank)
        let result = try await send(decision, on: payment, attempt, to: bank.verifier)
        guard result == .accepted(nil) else { return nil }
        return ReportedDecision(
            transaction: payment.id,
            decision: decision,
            attempt: attempt.code.attempt,
            device: id,
            counter: attempt.code.counter
        )
    }
}
