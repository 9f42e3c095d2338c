import OneTimePassword
import TransactionApproval
import Verification
import VerifierWorld

extension StoreProgram {
    /// Has new phones take their first steps without a pause, and says what it was told.
    static func begin(in bank: Bank) async {
        while true {
            do {
                let id = try AttemptID.random().description
                let (account, phone) = try await bank.activate("new-\(id)")
                say(ToldStep(kind: .activated, device: phone.id, code: "").line)
                for kind in ToldStep.Kind.allCases.dropFirst() {
                    guard let code = try await phone.take(kind, from: account, in: bank) else {
                        say("failed: \(kind)")
                        break
                    }
                    say(ToldStep(kind: kind, device: phone.id, code: code).line)
                }
            } catch {
                say("failed: \(error)")
            }
        }
    }
}

extension Phone {
    /// Gives the code that was typed, if one was; nil where the answer was another than it must be.
    fileprivate func take(
        _ step: ToldStep.Kind,
        from account: AccountReference,
        in bank: Bank
    ) async throws -> String? {
        switch step {
        case .activated: return ""
        case .refusedOnce:
            return try await checkPIN(with: .wrong, in: bank) == .wrong(left: 4) ? "" : nil
        case .refusedTwice:
            return try await checkPIN(with: .wrong, in: bank) == .wrong(left: 3) ? "" : nil
        case .typed:
            let code = try await typedCode(in: bank)
            return try await type(code, from: account, in: bank) == .accepted(nil) ? code : nil
        case .rekeyed: return try await changePIN(in: bank) == .accepted(nil) ? "" : nil
        }
    }
}
