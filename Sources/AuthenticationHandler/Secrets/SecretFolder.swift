public import OneTimePassword
import PrivateFiles

/// Keeps each secret in a file (0600) in its own folder (0700).
///
/// The folder must not be in backups or copies of the vault: with both, only the PIN is missing.
public struct SecretFolder: DeviceSecretStore {
    let folder: PrivateFolder

    /// The first secret creates the folder; its parent must exist.
    public init(_ path: String) {
        folder = PrivateFolder(path)
    }

    public func secret(named name: String) throws(DeviceSecretFailure) -> SecretBytes? {
        let contents = try run { () throws(FileFailure) in
            do throws(FileFailure) {
                return try folder.contents(
                    of: try checked(name),
                    atMost: SecretBytes.maximumByteCount
                )
            } catch .tooLarge {
                return nil
            }
        }
        // `consume`, because wiping a shared array would wipe a copy.
        guard var bytes = consume contents else { return nil }
        defer { bytes.wipe() }
        // This file and one that is too large are not ours: only one account has lost its secret.
        guard !bytes.isEmpty else { return nil }
        return try SecretBytes(copying: bytes.span, from: Self.name)
    }

    private static let name = "the folder of secrets"

    public func store(
        _ secret: SecretBytes,
        named name: String
    ) throws(DeviceSecretFailure) {
        try run { () throws(FileFailure) in
            let name = try checked(name)
            let locked = try folder.lockedWhileBlocking()
            try secret.withBytes { bytes throws(FileFailure) in
                try locked.replace(name, with: bytes)
            }
        }
    }

    public func delete(named name: String) throws(DeviceSecretFailure) {
        try run { () throws(FileFailure) in
            try folder.lockedWhileBlocking().erase(try checked(name))
        }
    }

    /// No name can leave the folder or name a lock file.
    private func checked(_ name: String) throws(FileFailure) -> String {
        let isPlain = name.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        let isLock = FolderLock.Purpose(rawValue: name) != nil
        guard (1...64).contains(name.utf8.count), isPlain, !isLock else { throw .foreign }
        return name
    }

    private func run<Result>(
        _ body: () throws(FileFailure) -> Result
    ) throws(DeviceSecretFailure) -> Result {
        do throws(FileFailure) {
            return try body()
        } catch {
            throw DeviceSecretFailure(reason: "\(Self.name): \(error)")
        }
    }
}
