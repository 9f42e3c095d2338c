import Cryptography
public import OneTimePassword

/// Recognises a person on this device and releases a key.
///
/// The result is a key and not only success: a program that claims success has nothing to open a
/// credential with. The provider makes and keeps the keys, preferably in hardware. It counts
/// failures and reports its limits.
public protocol BiometricProvider: Sendable {
    /// Makes 32 random bytes after the person is recognised, and replaces any key with this name.
    func makeKey(named name: String) async -> BiometricResult

    /// Returns the key with this name after the person is recognised.
    func releaseKey(named name: String) async -> BiometricResult

    /// Does nothing if no key has this name.
    func deleteKey(named name: String) async
}

/// The result of a biometric check.
public enum BiometricResult: Equatable, Sendable {
    case success(key: SecretBytes)
    /// The person can try again.
    case failure
    /// A failure; offer the PIN and another try.
    case softLimitReached
    /// Offer only the PIN.
    case hardLimitReached
    /// The person prefers the PIN.
    case fallbackToPIN
    case cancelled
    /// Biometrics are not available.
    case unavailable
    /// There is no such key: for example, the person was enrolled again.
    case keyMissing
    /// This machine failed, for example because all memory for secrets is in use.
    case systemFailure(SystemFailure)
}

extension AuthenticationError {
    /// Nil for a success; `offeredTypes` contains only types from `possible`.
    init?(_ result: BiometricResult, possible: [AuthenticationType]) {
        let next: [AuthenticationType]
        switch result {
        case .success: return nil
        case .failure:
            self.init(.biometricFailed)
            next = [.biometric]
        case .softLimitReached:
            self.init(.biometricFailed, cause: "soft limit")
            next = [.biometric, .userPIN]
        case .hardLimitReached:
            self.init(.biometricLockedOut)
            next = [.userPIN]
        case .fallbackToPIN:
            self.init(.biometricCancelled, cause: "the person prefers the PIN")
            next = [.userPIN]
        case .cancelled:
            self.init(.biometricCancelled)
            next = [.biometric]
        case .unavailable:
            self.init(.biometricUnavailable)
            next = [.userPIN]
        case .keyMissing:
            self.init(.biometricNotEnabled, cause: "no such key")
            next = [.userPIN]
        case .systemFailure(let failure):
            self.init(system: failure)
            return
        }
        offeredTypes = next.filter(possible.contains)
    }
}
