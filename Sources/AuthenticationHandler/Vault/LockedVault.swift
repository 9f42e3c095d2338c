import Cryptography
import FailureTranslation
import OneTimePassword
import PrivateFiles
import TransactionApproval

/// The vault while this process holds its lock.
struct LockedVault: ~Copyable, Sendable {
    let vault: Vault
    private let folder: LockedFolder

    init(vault: Vault, folder: consuming LockedFolder) {
        self.vault = vault
        self.folder = folder
    }

    /// Replaces a record, and returns when it is durable.
    borrowing func save(_ account: OpenAccount) throws(Vault.Failure) {
        let contents = try translatingSystemFailure(
            SealedRecord(account).contents,
            to: Vault.Failure.system
        )
        try replace(account.record.device.fileName, with: contents)
    }

    borrowing func replace(_ name: String, with contents: [UInt8]) throws(Vault.Failure) {
        try translating(folder.replace(name, with: contents.span), to: Vault.Failure.file)
    }

    /// Stores the secrets of a new account, and then its record.
    ///
    /// A crash or a failure in between leaves unused secrets and no account.
    borrowing func add(_ account: OpenAccount) throws(Vault.Failure) {
        let secret = try translatingSystemFailure(
            account.secrets.stored(),
            to: Vault.Failure.system
        )
        let name = account.record.device.description
        try translating(vault.secretStore.store(secret, named: name), to: Vault.Failure.secretStore)
        try save(account)
    }

    /// Removes the secrets of an account, and then its record.
    ///
    /// A crash in between leaves an account without secrets, which can be removed again.
    borrowing func remove(_ device: DeviceID) throws(Vault.Failure) {
        try translating(
            vault.secretStore.delete(named: device.description),
            to: Vault.Failure.secretStore
        )
        try translating(folder.erase(device.fileName), to: Vault.Failure.file)
    }
}

// MARK: Counters

/// A used counter, with all data of its code.
struct TakenCounter: Equatable, Sendable {
    let context: CredentialContext
    let epoch: Epoch
    let counter: Counter
}

extension LockedVault {
    /// Takes the next counter of a credential, at or after `position`.
    ///
    /// It returns when the following counter is on the disk, so no counter is used twice. Nil if no
    /// counter is left, or if the credential no longer has this `generation` because another
    /// process changed the PIN.
    borrowing func takeCounter(
        _ kind: CredentialKind,
        of device: DeviceID,
        generation: Generation,
        after position: CredentialPosition? = nil
    ) throws(Vault.Failure) -> TakenCounter? {
        guard var account = try vault.account(of: device) else { return nil }
        // If this fails, the generation differs.
        if let position { _ = account.record.synchronize(kind, with: position) }
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
    /// Moves forward to the verifier's position.
    ///
    /// False if the generation is unknown here, or if the counter is out of reach. Then nothing
    /// changes: no response can use up the counters of this device.
    /// The generation is the proposed one if a rekey succeeded and its response was lost.
    mutating func synchronize(with position: CredentialPosition) -> Bool {
        guard position.isWithinReach(of: counter) else { return false }
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
