/// A stable code for each error that an app or a bank can handle.
///
/// The raw values are part of the protocol and of banks' programs. Never change or reuse one.
public enum ErrorCode: String, CaseIterable, Sendable {
    // Accounts and their activation
    case noAccountActivated
    case accountAlreadyActivated
    case activationCodeInvalid
    case activationCodeExpired
    case activationAttemptsExhausted
    case deviceRevoked

    // Transactions
    case noPendingTransaction
    case unknownTransaction
    case transactionExpired
    case transactionAlreadyDecided
    case transactionNotDisplayable
    case signingDataMissing
    case pushMismatch
    case returnURLRefused

    // Authentication
    case authenticationFailed
    case credentialLocked
    case authenticationTypeNotAllowed
    case counterOutOfStep
    case pinPolicy
    case pinCannotBeDisabled
    case biometricUnavailable
    case biometricNotEnabled
    case biometricLockedOut
    case biometricFailed
    case biometricCancelled

    // Network and server
    case networkUnavailable
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

extension ErrorCode {
    /// One sentence for the support desk: the error, then the remedy.
    public var supportSentence: String {
        switch self {
        case .noAccountActivated:
            "No account is set up on this device yet; set one up with an activation code."
        case .accountAlreadyActivated:
            "This account is already set up on this device; use it, or remove it first."
        case .activationCodeInvalid:
            "The activation code is not right; check every character, or ask for a new code."
        case .activationCodeExpired:
            "The activation code is too old; ask for a new one."
        case .activationAttemptsExhausted:
            "Wrong activation codes were entered too often; check every character, and try again "
                + "in a minute."
        case .deviceRevoked:
            "The bank no longer accepts this device; set it up again with a new activation code."
        case .noPendingTransaction:
            "Nothing is waiting for approval; start again where the request was made."
        case .unknownTransaction:
            "The bank has no such request for this device; start again where it was made."
        case .transactionExpired:
            "The time to decide is over and nothing was approved; start the request again."
        case .transactionAlreadyDecided:
            "This request was decided before and cannot be changed; check where it was made."
        case .transactionNotDisplayable:
            "The request cannot be shown safely, so it cannot be approved; report it to the bank."
        case .signingDataMissing:
            "There is nothing to sign; enter the details that the code is to confirm."
        case .pushMismatch:
            "The notification does not match the bank's request, so nothing is shown; do not approve, "
                + "and report it to the bank if you did not expect it."
        case .returnURLRefused:
            "The address to return to is not one that the bank allows; go back by hand."
        case .authenticationFailed:
            "The approval was not accepted; check the details and the PIN, and try again."
        case .credentialLocked:
            "Approving is locked after too many failures; wait until the lock ends, or ask the bank."
        case .authenticationTypeNotAllowed:
            "The bank does not allow this way of approving here; choose another one."
        case .counterOutOfStep:
            "Device and bank were out of step; try again."
        case .pinPolicy:
            "The PIN is not allowed because it is too easy to guess, or too short or too long; "
                + "choose another one."
        case .pinCannotBeDisabled:
            "The PIN cannot be turned off; other ways of approving can be used as well."
        case .biometricUnavailable:
            "This device has no fingerprint or face recognition that can be used; use the PIN."
        case .biometricNotEnabled:
            "Fingerprint or face recognition is not turned on for this account; use the PIN."
        case .biometricLockedOut:
            "Fingerprint or face recognition failed too often and is locked; use the PIN."
        case .biometricFailed:
            "Fingerprint or face was not recognized; try again, or use the PIN."
        case .biometricCancelled:
            "Recognizing fingerprint or face was cancelled; try again, or use the PIN."
        case .networkUnavailable:
            "This device cannot connect to the bank; check the network and try again."
        case .serverUnavailable:
            "The bank's service is not available at the moment; try again in a few minutes."
        case .serverUntrusted:
            "The response is not verified as the bank's, so its result is unknown; try again on "
                + "another network, and call the bank if the problem continues."
        case .clockSkew:
            "The clock of the device is wrong; set date and time automatically and try again."
        case .rateLimited:
            "There were too many requests in a short time; wait a few minutes and try again."
        case .upgradeRequired:
            "This app is too old for the bank's service; install the latest version of the app."
        case .vaultDamaged:
            "The data stored on this device are damaged; set the account up again with a new "
                + "activation code."
        case .vaultLocked:
            "Another program is using the data stored on this device; close it and try again."
        case .vaultUnavailable:
            "The data on this device cannot be read or written safely and were not changed; make "
                + "room, check that only the app can access them, update it, and try again."
        case .deviceSecretMissing:
            "The key of this device is gone, as after a move to another device; set the account up "
                + "again with a new activation code."
        case .invalidArgument:
            "The app asked for something that cannot be done; update it, or contact its developer."
        }
    }
}
