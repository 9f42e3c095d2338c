package import Cryptography
package import Sealing

extension SecurityModule {
    /// Why an HSM cannot be used; no case contains a PIN.
    package enum Failure: Error, Equatable, Sendable {
        /// The library cannot be loaded.
        case unloadable(reason: String)
        /// Another user could replace the library, which runs in this process; with the file or the
        /// folder that they can change.
        case libraryOpenToOthers(path: String)
        /// This process uses the library with another token or PIN file.
        case libraryInUse
        case noToken
        /// Several tokens have the label.
        case severalTokens
        case pinFile(KeyFile.Failure)
        /// It is never tried again: some tokens lock after three wrong PINs.
        case wrongPIN
        /// The token accepts no PIN, or one more wrong PIN would lock it.
        case lockedPIN
        /// A wrong PIN was entered since the last login, maybe that of the configuration.
        case wrongPINCounted
        /// The login failed with a code after which the token may have counted a wrong PIN.
        case login(code: UInt)
        /// The token did not respond to the login in time, and may count it.
        case loginUnfinished
        case keyMissing(label: String)
        /// Several private keys have the label.
        case severalKeys(label: String)
        /// The key can leave the token, so it is not used.
        case extractable(label: String)
        /// The key is not on P-256, or its public half belongs to another key.
        case otherKey(label: String)
        /// A function of PKCS#11 failed; `code` is its CKR value.
        case call(String, code: UInt)
        /// The library did not return in time.
        case timedOut
        case system(SystemFailure)
    }
}

extension SecurityModule.Failure {
    /// The failure in messages, with the members of the configuration.
    package var text: String {
        switch self {
        case .unloadable(let reason): "pkcs11.library cannot be loaded: \(reason)"
        case .libraryOpenToOthers(let path):
            "other users can replace pkcs11.library, because of \(path)"
        case .libraryInUse: "this process uses pkcs11.library with other settings of pkcs11"
        case .noToken: "the HSM has no token with pkcs11.token or pkcs11.slot"
        case .severalTokens: "several tokens have the label in pkcs11.token"
        case .pinFile: "pkcs11.pinFile is missing or unusable"
        case .wrongPIN: "the token rejects the PIN in pkcs11.pinFile"
        case .lockedPIN: "the PIN of the token is locked, or one wrong PIN away from it"
        case .wrongPINCounted: "a wrong PIN was entered at the token since its last login"
        case .login(let code):
            "the token rejects the login with 0x\(String(code, radix: 16)), and may count it"
        case .loginUnfinished: "the token does not respond to the login, and may count it"
        case .keyMissing(let label): "the token has no key with the label \(label)"
        case .severalKeys(let label): "the token has several private keys with the label \(label)"
        case .extractable(let label): "the key \(label) can be read out of the token"
        case .otherKey(let label): "the key \(label) of the token is another key"
        case .call(let function, let code):
            "\(function) of pkcs11.library failed with 0x\(String(code, radix: 16))"
        case .timedOut: "the HSM does not respond"
        case .system(let failure): failure.text
        }
    }

    /// Of a key in use, for callers that only distinguish failures of this machine.
    var cryptographyFailure: CryptographyFailure { .keyUnavailable(reason: text) }
}
