import Cryptography
package import TransactionApproval

/// An activation with its code, or a code that nobody has.
struct OpenCode: ~Copyable {
    let code: ActivationCode
    /// Nil where there is no such activation, or it is over.
    let activation: Activation?
}

/// Who names an activation that there is not costs as much as who is wrong about its code, and hears
/// the same: neither answer nor time tells what activations there are (SEC-52).
extension Verifier {
    func openCode(of id: ActivationID) async throws(Failure) -> OpenCode {
        let found = try await read { ledger throws(StoreFailure) in try ledger.activation(id) }
        guard let activation = found, let code = try code(of: activation) else {
            return OpenCode(code: try decoy(for: id), activation: nil)
        }
        return OpenCode(code: code, activation: activation)
    }

    /// Nil once it is over: nobody needs the code any more, or has it.
    package func code(of activation: Activation) throws(Failure) -> ActivationCode? {
        guard case .open(let sealed, _) = activation.state else { return nil }
        let text = try open(sealed, for: .code(of: activation.id, for: activation.account))
        do throws(ActivationCode.Failure) {
            return try text.withBytes { text throws(ActivationCode.Failure) in
                try ActivationCode(typed: text)
            }
        } catch {
            throw .sealedRecord(.notAuthentic)
        }
    }

    /// Counts a wrong code where there is something to guess at, and writes as much where there is
    /// nothing.
    ///
    /// Only the alarm, which is one, is written beside it.
    func chargeWrongCode(for id: ActivationID) async throws(Failure) {
        try await change(by: .verifier) { scene throws(StoreFailure) in
            guard let old = try scene.ledger.activation(id), old.isOpen else {
                return try scene.ledger.writeWithoutChange()
            }
            var new = old
            new.fail(at: scene.now, events: &scene.events)
            try scene.ledger.save(new, replacing: old)
        }
    }

    /// A code of nobody's, made with the work that it takes to open one: sealing is as much.
    private func decoy(for id: ActivationID) throws(Failure) -> ActivationCode {
        let code = try onThisMachine { () throws(CryptographyFailure) in
            try ActivationCode.random()
        }
        let text = try onThisMachine { () throws(CryptographyFailure) in try code.text() }
        _ = try text.withBytes { text throws(Failure) in
            try seal(text, for: .code(of: id, for: .nobody))
        }
        return code
    }
}

extension AccountReference {
    fileprivate static let nobody = AccountReference(
        enterprise: EnterpriseID(checked: "nobody"),
        key: AccountKey(type: AccountType(checked: "nobody"), id: AccountID(checked: "nobody"))
    )
}
