import CommandLineTool
import HardwareKeys

// The table from failures of an HSM to exit codes and hints.

extension SecurityModule.Failure {
    var exitCode: ExitCode {
        switch self {
        case .unloadable, .pinFile, .keyMissing: .noInput
        // The unit of systemd does not restart after this code: each start would enter the PIN again.
        case .libraryOpenToOthers, .wrongPIN, .lockedPIN, .wrongPINCounted, .login,
            .loginUnfinished:
            .noPermission
        case .libraryInUse, .severalTokens, .severalKeys, .extractable, .otherKey: .malformedInput
        case .noToken, .call, .timedOut: .tryLater
        case .system: .internalFailure
        }
    }

    var hint: String? {
        switch self {
        case .unloadable: "name the PKCS#11 library of the vendor, with its absolute path"
        case .libraryOpenToOthers: "run chmod go-w on it; only root or this user may own it"
        case .libraryInUse: "use the same token, slot and pinFile in the whole process"
        case .noToken: "connect the token; pkcs11-tool --list-token-slots shows tokens"
        case .severalTokens: "set pkcs11.slot in place of pkcs11.token"
        case .pinFile, .system: nil
        case .wrongPIN: "correct the file before the next start: wrong PINs lock the token"
        case .lockedPIN, .wrongPINCounted, .login, .loginUnfinished:
            "check pinFile, and log in with the tool of the vendor: that resets the count of wrong PINs"
        case .keyMissing: "connect the right token; init and rotate --seal-keys create keys"
        case .severalKeys: "remove or rename one of them with the tool of the vendor"
        case .extractable: "create a key with CKA_SENSITIVE true and CKA_EXTRACTABLE false"
        case .otherKey: "connect the token that init used; its public keys must be its own"
        case .call, .timedOut: "check the HSM, and read the documents of its vendor"
        }
    }
}

extension SecretFile {
    /// The file of `pkcs11.pinFile`.
    static func pin(_ path: String) -> SecretFile {
        let missing = CommandFailure(.noInput, "the PIN file \(path) does not exist")
            .suggesting("create it: (umask 077; cat >FILE)")
        return SecretFile(path: path, missing: missing) { failure in
            CommandFailure(.malformedInput, "the PIN file \(path) \(failure.reason)")
                .suggesting("write the PIN in its only line")
        }
    }
}
