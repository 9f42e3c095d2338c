import CommandLineTool
import Sealing

extension EncryptionKeys {
    /// Fails if the keys cannot be used; a descriptor could be read only once, so it is not read.
    func check() throws(CommandFailure) {
        guard file != nil else { return }
        _ = try opened()
    }

    func opened() throws(CommandFailure) -> KeyEncryptionKeys {
        try secretFile.reading(try KeyFile.encryptionKeys(in: source))
    }

    /// Adds the newest key to the file, and returns its version.
    func addKey() throws(CommandFailure) -> UInt32 {
        try secretFile.reading(try KeyFile.addEncryptionKey(at: text))
    }

    /// Removes all keys from the file except the newest one, which has this version.
    func removeKeys(olderThan version: UInt32) throws(CommandFailure) {
        try secretFile.reading(try KeyFile.removeEncryptionKeys(olderThan: version, at: text))
    }

    private var secretFile: SecretFile {
        SecretFile(
            path: text,
            content: "list of encryption keys",
            hint: "restore it from the backup of the keys; for a new ACS, run countersign-acs init",
            hintForLength: "run countersign-acs rotate --remove-old-keys"
        )
    }
}
