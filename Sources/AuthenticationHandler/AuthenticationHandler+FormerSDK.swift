public import OneTimePassword
public import TransactionApproval

// The names of the CA Strong Authentication SDK, for apps that move from it. Each is an alias of the
// operation in its documentation comment. Names that are the same in both are not listed:
// `verifyActivation`, `setPIN`, `changePIN`, `isPINSetUp`, `deleteAccount`, `pendingTransactions`,
// `setPush` and `configurePinning`.

// MARK: Transactions

extension AuthenticationHandler {
    /// `pendingTransaction()`.
    public func getTransaction() async throws(AuthenticationError) -> PendingTransaction? {
        try await pendingTransaction()
    }

    /// `pendingTransaction(push:)`.
    public func getTransaction(
        push payload: [UInt8]
    ) async throws(AuthenticationError) -> PendingTransaction {
        try await pendingTransaction(push: payload)
    }

    /// `pendingTransaction(id:of:)`, with the account's names at any enterprise.
    public func getTransaction(
        id: String,
        accountID: String,
        accountType: String
    ) async throws(AuthenticationError) -> PendingTransaction {
        guard let type = AccountType(accountType), let account = AccountID(accountID) else {
            throw AuthenticationError(.invalidArgument)
        }
        let key = AccountKey(type: type, id: account)
        return try await pendingTransaction(id: id) { $0.account == key }
    }

    /// `decideNextTransaction(confirm:)`.
    public func fetchAuthnRequest(
        confirm: @Sendable (PendingTransaction) async -> UserDecision
    ) async throws(AuthenticationError) -> ApprovalResult? {
        try await decideNextTransaction(confirm: confirm)
    }

    /// `approve(_:with: .consent)`.
    public func authenticateUsingConsent(
        _ transaction: PendingTransaction,
        typedNumber: String? = nil
    ) async throws(AuthenticationError) {
        try await approve(transaction, with: .consent, typedNumber: typedNumber)
    }

    /// `approve(_:with: .pin(…))`.
    public func authenticateUsingUserPIN(
        _ transaction: PendingTransaction,
        pin: consuming PIN,
        typedNumber: String? = nil
    ) async throws(AuthenticationError) {
        try await approve(transaction, with: .pin(pin), typedNumber: typedNumber)
    }

    /// `approve(_:with: .biometrics)`.
    public func authenticateUsingBiometrics(
        _ transaction: PendingTransaction,
        typedNumber: String? = nil
    ) async throws(AuthenticationError) {
        try await approve(transaction, with: .biometrics, typedNumber: typedNumber)
    }

    /// `reject(_:reason:)`.
    public func cancelTransaction(
        _ transaction: PendingTransaction,
        reason: RejectionReason = .unspecified
    ) async throws(AuthenticationError) {
        try await reject(transaction, reason: reason)
    }
}

// MARK: Logins and codes

extension AuthenticationHandler {
    /// `logIn(with: .pin(…), signing:for:)`.
    public func verifyPIN(
        _ pin: consuming PIN,
        signing data: [UInt8]?,
        for account: Account? = nil
    ) async throws(AuthenticationError) -> String {
        try await logIn(with: .pin(pin), signing: data, for: account)
    }

    /// `logIn(with: .biometrics, signing:for:)`.
    public func verifyBiometrics(
        signing data: [UInt8]?,
        for account: Account? = nil
    ) async throws(AuthenticationError) -> String {
        try await logIn(with: .biometrics, signing: data, for: account)
    }

    /// `oneTimeCode(pin:signing:for:)`.
    public func generateOTP(
        for account: Account? = nil,
        using pin: consuming PIN,
        signing data: [UInt8]? = nil
    ) async throws(AuthenticationError) -> OneTimeCode {
        try await oneTimeCode(pin: pin, signing: data, for: account)
    }
}

// MARK: Accounts and settings

extension AuthenticationHandler {
    /// `accounts()`.
    public func getAllEnrolledAccounts() throws(AuthenticationError) -> [Account] {
        try accounts()
    }

    /// `profile(for:)`.
    public func getProfileInfo(
        for account: Account? = nil
    ) async throws(AuthenticationError) -> Profile {
        try await profile(for: account)
    }

    /// `warnings()`.
    public func getWarnings() -> [DeviceWarning] { warnings() }

    /// `enabledAuthenticationTypes(for:)`.
    public func getEnabledAuthenticationTypes(
        for account: Account? = nil
    ) throws(AuthenticationError) -> [AuthenticationType] {
        try enabledAuthenticationTypes(for: account)
    }

    /// `AuthenticationType.allCases`.
    public nonisolated func getAllAuthenticationModes() -> [AuthenticationType] {
        AuthenticationType.allCases
    }

    /// `enableBiometrics(pin:for:)` or `disableBiometrics(for:)`; other types cannot be changed.
    public func updateAuthenticationType(
        _ update: consuming AuthenticationTypeUpdate,
        for account: Account?
    ) async throws(AuthenticationError) {
        switch consume update {
        case .turnOn(.biometric, let pin): try await enableBiometrics(pin: pin, for: account)
        case .turnOff(.biometric): try await disableBiometrics(for: account)
        case .turnOff(.userPIN): throw AuthenticationError(.pinCannotBeDisabled)
        default: throw AuthenticationError(.invalidArgument, cause: "the type")
        }
    }
}

/// A change of the types that an account can use.
public enum AuthenticationTypeUpdate: ~Copyable, Sendable {
    case turnOn(AuthenticationType, pin: PIN)
    case turnOff(AuthenticationType)
}
