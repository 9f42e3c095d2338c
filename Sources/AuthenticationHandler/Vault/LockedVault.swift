import Cryptography
import OneTimePassword
import TransactionApproval

/// The vault while nobody else changes it.
struct LockedVault: ~Copyable, Sendable {
    let vault: Vault
    private let folder: LockedFolder

    init(vault: Vault, folder: consuming LockedFolder) {
        self.vault = vault
        self.folder = folder
    }

    /// Puts a record in the place of the one before, and returns when it is durable.
    borrowing func save(_ account: OpenAccount) throws(Vault.Failure) {
        let contents = try Vault.Failure.ofMachine { () throws(CryptographyFailure) in
            try SealedRecord(account).contents
        }
        try replace(account.record.device.fileName, with: contents)
    }

    borrowing func replace(_ name: String, with contents: [UInt8]) throws(Vault.Failure) {
        do throws(FileFailure) {
            try folder.replace(name, with: contents.span)
        } catch {
            throw .file(error)
        }
    }

    /// Keeps the secrets of a new account, and then its record.
    ///
    /// A crash between leaves secrets that nothing refers to, and no account.
    borrowing func add(_ account: OpenAccount) throws(Vault.Failure) {
        let secret = try Vault.Failure.ofMachine { () throws(CryptographyFailure) in
            try account.secrets.stored()
        }
        do throws(DeviceSecretFailure) {
            try vault.secretStore.store(secret, named: account.record.device.description)
        } catch {
            throw .secretStore(error)
        }
        try save(account)
    }

    /// Removes the secrets of an account, and then its record.
    ///
    /// A crash between leaves an account without its secrets, which can be removed again.
    borrowing func remove(_ device: DeviceID) throws(Vault.Failure) {
        do throws(DeviceSecretFailure) {
            try vault.secretStore.delete(named: device.description)
        } catch {
            throw .secretStore(error)
        }
        do throws(FileFailure) {
            try folder.erase(device.fileName)
        } catch {
            throw .file(error)
        }
    }
}

// MARK: Counters

/// A counter that is used up, with all that says which code it is of.
struct TakenCounter: Equatable, Sendable {
    let context: CredentialContext
    let epoch: Epoch
    let counter: Counter
}

extension LockedVault {
    /// Takes the next counter of a credential, at or after `position`, and returns when the disk has
    /// the one after it: no code is ever made twice.
    ///
    /// Nil where the last counter is used up, or the credential is of another generation than
    /// `generation` by now: another process has changed the PIN.
    borrowing func takeCounter(
        _ kind: CredentialKind,
        of device: DeviceID,
        generation: Generation,
        after position: CredentialPosition? = nil
    ) throws(Vault.Failure) -> TakenCounter? {
        guard var account = try vault.account(of: device) else { return nil }
        // Where it cannot, the generation is not the one that is meant.
        if let position { _ = account.record.catchUp(kind, with: position) }
        guard
            var credential = account.record.credential(kind),
            credential.ingredients.generation == generation, let next = credential.counter.next
        else { return nil }
        let taken = TakenCounter(
            context: account.record.context(kind, of: credential),
            epoch: credential.epoch,
            counter: credential.counter
        )
        credential.counter = next
        account.record.set(credential, kind)
        try save(account)
        return taken
    }
}

extension CredentialRecord {
    /// Moves to where the verifier is, and never back; false where it has a generation that was
    /// never made here.
    ///
    /// It has the proposed one where a rekey got through whose answer did not.
    mutating func catchUp(with position: CredentialPosition) -> Bool {
        if let proposed, proposed.generation == position.generation {
            ingredients = proposed
            self.proposed = nil
        }
        guard ingredients.generation == position.generation else { return false }
        counter = max(counter, position.minimumCounter)
        if position.epoch.value > epoch.value { epoch = position.epoch }
        return true
    }
}
