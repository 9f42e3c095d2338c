/// A stable code for each error that an app or a bank can handle.
///
/// The raw values are part of the protocol and of banks' programs. Never change or reuse one.
public enum ErrorCode: String, CaseIterable, Sendable {
    // Accounts and their activation
    case noAccountActivated
    case accountAlreadyActivated
    case activationCodeInvalid
    case activationCodeExpired
    case activationForBrowser
    case deviceRevoked
    case deviceWaiting
    case amountAboveCeiling

    // Transactions
    case noPendingTransaction
    case unknownTransaction
    case transactionExpired
    case transactionAlreadyDecided
    case transactionNotDisplayable
    case signingDataMissing
    case pushMalformed
    case pushMismatch
    case returnURLRefused

    // Authentication
    case authenticationFailed
    case credentialLocked
    case authenticationTypeNotAllowed
    case counterOutOfStep
    case pinPolicy
    case pinChangedBefore
    case pinChangeUnfinished
    case pinCannotBeDisabled
    case biometricUnavailable
    case biometricNotEnabled
    case biometricLockedOut
    case biometricFailed
    case biometricCancelled

    // Network and server
    case networkUnavailable
    case responseMissing
    case serverUnavailable
    case serverUntrusted
    case clockSkew
    case rateLimited
    case upgradeRequired

    // The device
    case vaultDamaged
    case vaultLocked
    case vaultUnavailable
    case deviceSecretMissing
    case invalidArgument
}
