import Cryptography
import FailureTranslation
import Sealing
import Storage
package import TransactionApproval

/// An activation with its code, or with a decoy.
struct OpenCode: ~Copyable {
    let code: ActivationCode
    /// Nil if the activation does not exist or is closed.
    let activation: Activation?
}

/// An unknown activation id costs the same work as a wrong code, and gets the same response. So
/// neither shows which activations exist (SEC-52).
extension Verifier {
    func openCode(of id: ActivationID) async throws(Failure) -> OpenCode {
        let found = try await read { ledger throws(StoreFailure) in try ledger.activation(id) }
        guard let activation = found, let code = try code(of: activation) else {
            return OpenCode(code: try decoy(for: id), activation: nil)
        }
        return OpenCode(code: code, activation: activation)
    }

    /// Nil if the activation is closed, because its code is then erased.
    private func code(of activation: Activation) throws(Failure) -> ActivationCode? {
        guard case .open(let sealed, _) = activation.state else { return nil }
        let text = try open(
            sealed,
            for: .code(of: activation.id, for: activation.account),
            in: .activations,
            [SQLValue(activation.id)]
        )
        return try text.withBytes { text throws(Failure) in
            try translating(ActivationCode(typed: text)) { (failure: ActivationCode.Failure) in
                if case .system(let failure) = failure { return Failure.system(failure) }
                return Failure.sealedRecord(.notAuthentic)
            }
        }
    }

    /// The code of an open activation, after the audit trail has the caller; nil if there is none.
    package func readCode(
        of id: ActivationID,
        of account: AccountReference,
        by author: ChangeAuthor
    ) async throws(Failure) -> ActivationCode? {
        let found = try await change(by: author) { context throws(StoreFailure) -> Activation? in
            guard
                let activation = try context.ledger.activation(id),
                activation.account == account, activation.isOpen,
                context.now < activation.deadline
            else { return nil }
            context.events.append(Event(.activationCodeRead, of: id, in: account))
            return activation
        }
        guard let activation = found else { return nil }
        return try code(of: activation)
    }

    /// A random code, made with the same work as opening a stored one.
    private func decoy(for id: ActivationID) throws(Failure) -> ActivationCode {
        let code = try translatingSystemFailure(ActivationCode.random(), to: Failure.system)
        let text = try translatingSystemFailure(code.text(), to: Failure.system)
        _ = try text.withBytes { text throws(Failure) in
            try seal(text, for: .code(of: id, for: .decoy))
        }
        return code
    }
}

extension AccountReference {
    fileprivate static let decoy = AccountReference(
        enterprise: EnterpriseID(checked: "nobody"),
        key: AccountKey(type: AccountType(checked: "nobody"), id: AccountID(checked: "nobody"))
    )
}
