public import OneTimePassword

/// What recognises a person on this device, and then releases a key.
///
/// It gives a key and never a yes: a program that says yes in its place has nothing to open a
/// credential with. It makes the keys and keeps them, best in hardware that gives them to nobody but
/// the person. It counts failures, and says when a limit is reached.
public protocol BiometricProvider: Sendable {
    /// Makes 32 random bytes, in the place of any that have the name, once the person is recognised.
    func makeKey(named name: String) async -> BiometricResult

    /// Gives what was made under the name, once the person is recognised.
    func releaseKey(named name: String) async -> BiometricResult

    /// Does nothing where nothing has the name.
    func deleteKey(named name: String) async
}

/// What came of asking a person to be recognised.
public enum BiometricResult: Equatable, Sendable {
    case success(key: SecretBytes)
    /// Whoever it was may try again.
    case failure
    /// A failure after which the PIN is to be offered beside another try.
    case softLimitReached
    /// Only the PIN is left.
    case hardLimitReached
    /// The person would rather type the PIN.
    case fallbackToPIN
    case cancelled
    /// Nothing here recognises anybody, or there is no such key.
    case unavailable
}

extension AuthenticationError {
    /// Nil for a success; of what it offers next only those types are told that are `possible`.
    init?(_ answer: BiometricResult, possible: [AuthenticationType]) {
        let next: [AuthenticationType]
        switch answer {
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
            self.init(.biometricCancelled, cause: "the PIN is asked for")
            next = [.userPIN]
        case .cancelled:
            self.init(.biometricCancelled)
            next = [.biometric]
        case .unavailable:
            self.init(.biometricUnavailable)
            next = [.userPIN]
        }
        offeredTypes = next.filter(possible.contains)
    }
}
