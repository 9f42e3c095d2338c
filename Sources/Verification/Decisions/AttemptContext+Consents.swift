import Storage
import TransactionApproval

extension AttemptContext {
    /// Begins a new count of the consents of the device's person.
    func resetConsents() throws(StoreFailure) {
        let new = ConsentTotal(beginningIn: conditions.epoch)
        // Nearly always there is nothing to do. A link, an import or a restore can leave the accounts of
        // a person with different counts.
        //
        // A row of another program must not stop a right code. The count then stays as it is.
        _ = try ledger.skippingForged { () throws(StoreFailure) in
            if try ledger.consents(of: account) != new { try save(new) }
        }
    }

    /// Stores the consents of the device's person.
    func save(_ consents: ConsentTotal) throws(StoreFailure) {
        // The attempt may have changed the account.
        guard let account = try ledger.account(account.reference) else { throw .damaged }
        try ledger.save(consents, of: account)
    }
}

extension CredentialKind {
    /// Whether a right code proves a second factor: the PIN or biometrics.
    var provesPerson: Bool {
        switch self {
        case .user, .biometric: true
        case .device: false
        }
    }
}
