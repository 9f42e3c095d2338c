import OneTimePassword
import TransactionApproval
import Verification
import VerifierWorld

extension StoreProgram {
    /// Takes the first steps of new phones without a pause, and prints each completed step.
    static func begin(in bank: Bank) async {
        while true {
            do {
                let id = try AttemptID.random().description
                let (account, phone) = try await bank.activate("new-\(id)")
                writeLine(ReportedStep(kind: .activated, device: phone.id, code: "").line)
                for kind in ReportedStep.Kind.allCases.dropFirst() {
                    guard let code = try await phone.take(kind, from: account, in: bank) else {
                        writeLine("failed: \(kind)")
                        break
                    }
                    writeLine(ReportedStep(kind: kind, device: phone.id, code: code).line)
                }
            } catch {
                writeLine("failed: \(error)")
            }
        }
    }
}

extension Phone {
    /// Returns the typed code, or an empty text for other steps; nil after an unexpected result.
    fileprivate func take(
        _ step: ReportedStep.Kind,
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
