import Cryptography
import Foundation
import TestSupport
import TransactionApproval
import Verification
import VerifierWorld

extension Bank {
    /// The first pending transaction of the phone.
    func pendingTransaction(of phone: Phone) async throws -> Transaction {
        let list = try await verifier.pendingTransactions(for: phone.id)
        guard
            case .found(let ids) = list, let id = ids.first,
            case .found(let pending) = try await verifier.transaction(id, for: phone.id)
        else { throw Unexpected() }
        return try pending.transaction.unwrapped()
    }
}

extension Phone {
    /// Activates a device with the bank's response.
    func activate(_ id: String, with code: String, in bank: Bank) async throws {
        let characters = Array(code.utf8)
        let code = try ActivationCode(typed: characters.span)
        let submitted = try claim(ActivationID(id).unwrapped(), code)
        let commit = try await bank.offered(submitted, to: [self], code)
        try await bank.complete(commit)
    }
}
