import Cryptography
import FailureTranslation
import PrivateFiles
import TransactionApproval

/// The accounts of this device: records in a folder, and secrets in a separate store.
struct Vault: Sendable {
    /// Why an account cannot be read or written.
    ///
    /// Each file has its old or its new contents.
    enum Failure: Error, Equatable, Sendable {
        case file(FileFailure)
        /// The reading of a file or folder failed because other users can access it.
        case exposed(ExposedFile)
        case record(AccountRecord.Failure)
        /// The secrets of the record are missing: it needs a new activation.
        case secretsMissing
        case secretStore(DeviceSecretFailure)
        case system(SystemFailure)
    }

    let folder: PrivateFolder
    let secretStore: any DeviceSecretStore

    /// The devices of all accounts.
    ///
    /// A foreign file is an error.
    func devices() throws(Failure) -> [DeviceID] {
        var devices: [DeviceID] = []
        let names = try translating(folder.names()) { failure($0) }
        for name in names where name != SeenReferences.fileName {
            guard let device = DeviceID(fileName: name) else { throw .file(.foreign) }
            devices.append(device)
        }
        return devices
    }

    /// All accounts, in the order of their activation.
    ///
    /// A damaged account does not affect the others.
    func contents() throws(Failure) -> VaultContents {
        var contents = VaultContents()
        for device in try devices() {
            do throws(Failure) {
                // Nil if another process has removed it meanwhile.
                if let account = try account(of: device) { contents.accounts.append(account) }
            } catch  where error.isOfOneAccount {
                let record = try sealedRecordIfReadable(of: device)?.record
                contents.damaged.append(
                    DamagedAccount(
                        device: device,
                        name: record?.name,
                        server: record?.server,
                        failure: error
                    )
                )
            }
        }
        contents.accounts.sort { $0.record.place < $1.record.place }
        return contents
    }

    /// Nil if there is no such account.
    func account(of device: DeviceID) throws(Failure) -> OpenAccount? {
        guard let sealed = try sealedRecord(of: device) else { return nil }
        guard sealed.record.device == device else { throw .record(.damaged) }
        let secrets = try secrets(of: device)
        guard try sealed.isAuthentic(under: secrets) else { throw .record(.damaged) }
        return OpenAccount(record: sealed.record, secrets: secrets)
    }

    private func sealedRecord(of device: DeviceID) throws(Failure) -> SealedRecord? {
        let contents = try translating(
            folder.contents(of: device.fileName, atMost: SealedRecord.maximumByteCount)
        ) { failure($0, reading: device.fileName) }
        guard let contents else { return nil }
        return try translating(SealedRecord(contents), to: Failure.record)
    }

    private func failure(_ failure: FileFailure, reading name: String? = nil) -> Failure {
        switch failure {
        case .unsafe(.folderOpenToOthers):
            let path = folder.parent.path
            return .exposed(ExposedFile(path: path, isFolder: true, holdsVault: true))
        case .unsafe(.openToOthers):
            guard let exposed = folder.openToOthers(name) else { return .file(failure) }
            return .exposed(ExposedFile(path: exposed.path, isFolder: exposed.kind == .folder))
        default: return .file(failure)
        }
    }

    private func sealedRecordIfReadable(of device: DeviceID) throws(Failure) -> SealedRecord? {
        do throws(Failure) {
            return try sealedRecord(of: device)
        } catch  where error.isOfOneAccount {
            return nil
        }
    }

    private func secrets(of device: DeviceID) throws(Failure) -> DeviceSecrets {
        let stored = try translating(
            secretStore.secret(named: device.description),
            to: Failure.secretStore
        )
        guard let stored else { throw .secretsMissing }
        let secrets = try translatingSystemFailure(DeviceSecrets.read(stored), to: Failure.system)
        guard let secrets else { throw .secretsMissing }
        return secrets
    }

    /// Waits for the lock of the vault.
    func locked(
        waiting timeout: Duration = PrivateFolder.timeout
    ) async throws(Failure) -> LockedVault {
        let folder = try await translatingAsync(await folder.locked(waiting: timeout)) {
            failure($0)
        }
        return LockedVault(vault: self, folder: folder)
    }
}

extension Vault {
    /// The lock for changes that need the verifier: one at a time, over all processes.
    func change() async throws(Failure) -> FolderLock {
        try await translatingAsync(await folder.lock(.changing)) { failure($0) }
    }

    /// Nil while another process holds it.
    func changeAtOnce() throws(Failure) -> FolderLock? {
        try translating(folder.lockAtOnce(.changing)) { failure($0) }
    }
}

/// The content of a vault.
struct VaultContents: Sendable {
    var accounts: [OpenAccount] = []
    var damaged: [DamagedAccount] = []
}

/// An account that is damaged or has lost its secrets, and needs a new activation.
struct DamagedAccount: Sendable {
    let device: DeviceID
    /// The name in the unverified record; nil if it cannot be read.
    let name: Account?
    /// The server in the unverified record; nil if it cannot be read.
    let server: ServerOrigin?
    let failure: Vault.Failure

    func isSameAccount(as other: OpenAccount) -> Bool {
        name == other.record.name && server == other.record.server
    }
}

/// An account with its secrets.
struct OpenAccount: Sendable {
    var record: AccountRecord
    let secrets: DeviceSecrets
}

extension DeviceID {
    private static let filePrefix = "account-"

    var fileName: String { Self.filePrefix + description }

    init?(fileName: String) {
        guard fileName.hasPrefix(Self.filePrefix) else { return nil }
        self.init(String(fileName.dropFirst(Self.filePrefix.count)))
    }
}

extension Vault.Failure {
    /// Whether the other accounts can be used.
    fileprivate var isOfOneAccount: Bool {
        [.secretsMissing, .record(.damaged), .file(.tooLarge)].contains(self)
    }
}

extension Vault.Failure: CustomStringConvertible {
    var description: String {
        switch self {
        case .file(.unsafe(.notRegular)): "the vault is not a folder, or a file in it is not a file"
        case .file(.unsafe(.symbolicLink)): "a file in the vault is a symbolic link"
        case .file(let failure): failure.sentence(about: "the vault")
        case .exposed(let file) where file.holdsVault:
            UnsafeFile.folderOpenToOthers.sentence(about: "the vault")
        case .exposed(let file): UnsafeFile.openToOthers.sentence(about: file.path)
        case .record(.newer(let version)): "an account of a later version (\(version))"
        case .record(.damaged): "a damaged account"
        case .secretsMissing: "the secrets of the account are missing"
        case .secretStore(let failure): failure.reason
        case .system(let failure): failure.text
        }
    }
}
