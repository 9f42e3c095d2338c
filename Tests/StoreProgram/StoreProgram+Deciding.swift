import OneTimePassword
import TransactionApproval
package import Verification
import VerifierWorld

/// How a bank of many phones is kept at work.
package enum Deciding {
    package static let callers = 16
    package static let phonesOfEach = 4
    /// How many new phones take their first steps meanwhile.
    package static let beginners = 2
    /// Long, and time goes on with each decision, so that nobody has been asked too much lately.
    package static let policy = #"{"transactionSeconds":600}"#
    package static let accounts = (0..<callers * phonesOfEach).map { Bank.account("phone-\($0)") }
}

extension StoreProgram {
    /// Decides for all phones of the premises without a pause while new ones begin, and says what it
    /// was told.
    static func decide(in premises: Premises) async throws {
        let bank = try await premises.open()
        let phones = try premises.phones()
        await withTaskGroup { group in
            for caller in 0..<Deciding.callers {
                group.addTask { await decide(as: caller, for: phones, in: bank) }
            }
            for _ in 0..<Deciding.beginners { group.addTask { await begin(in: bank) } }
        }
    }

    private static func decide(as caller: Int, for phones: [Phone], in bank: Bank) async {
        for turn in 0... {
            let index = caller + turn % Deciding.phonesOfEach * Deciding.callers
            do {
                let payment = try await bank.pay(from: Deciding.accounts[index])
                // Every credential decides, and what is rejected is not too much in a row.
                let decision = turn % 5 == 4 ? Decision.reject(.noLongerWanted) : .approve
                if let told = try await phones[index].settle(payment, decision, in: bank) {
                    say(told.line)
                }
                bank.clock.advance(by: .seconds(10))
            } catch {
                say("failed: \(error)")
            }
        }
    }
}

extension Phone {
    /// Nil where the answer was no.
    fileprivate func settle(
        _ payment: Transaction,
        _ decision: Decision,
        in bank: Bank
    ) async throws -> ToldDecision? {
        let question = InBandQuestion.decision(try TransactionHash(of: payment), decision, nil)
        let kind: CredentialKind = decision == .approve ? .user : .device
        let attempt = try await attempt(kind, over: question, in: bank)
        let answer = try await send(decision, on: payment, attempt, to: bank.verifier)
        guard answer == .accepted(nil) else { return nil }
        return ToldDecision(
            transaction: payment.id,
            decision: decision,
            attempt: attempt.code.attempt,
            device: id,
            counter: attempt.code.counter
        )
    }
}
