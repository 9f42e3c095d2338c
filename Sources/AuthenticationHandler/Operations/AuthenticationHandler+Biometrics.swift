import Cryptography
import TransactionApproval

extension AuthenticationHandler {
    /// The types that the bank allowed when the account's status was last fetched, and this device has.
    ///
    /// `profile(for:)`, for example, fetches it. With nil as `account`, it uses the first of `accounts()`.
    public func enabledAuthenticationTypes(
        for account: Account? = nil
    ) throws(AuthenticationError) -> [AuthenticationType] {
        enabledTypes(of: try activeAccount(account).record)
    }

    func enabledTypes(of record: AccountRecord) -> [AuthenticationType] {
        let hasBiometrics = biometrics != nil && record.biometric != nil
        return AuthenticationType.allCases.filter { type in
            record.policy.authentication.contains(type) && (type != .biometric || hasBiometrics)
        }
    }

    /// Converts a method to the input of the seed; for biometrics, the provider recognises the
    /// person.
    func factor(
        _ method: consuming AuthenticationMethod,
        of device: DeviceID,
        possible types: [AuthenticationType]
    ) async throws(AuthenticationError) -> Factor {
        switch consume method {
        case .consent: return .device
        case .pin(let pin): return .pin(pin)
        case .biometrics:
            let provider = try checkBiometrics(of: device)
            let credential = try account(device).record.biometric
            let result = await provider.releaseKey(named: device.description)
            // It can never be opened again, unless it was replaced meanwhile.
            if result == .keyMissing {
                try await change(device) { record in
                    if record.biometric?.ingredients == credential?.ingredients {
                        record.biometric = nil
                    }
                }
            }
            return .biometric(try result.key(possible: types))
        }
    }

    /// Throws if biometrics are not available, or not enabled for this account.
    @discardableResult
    func checkBiometrics(
        of device: DeviceID
    ) throws(AuthenticationError) -> any BiometricProvider {
        let record = try account(device).record
        guard let biometrics else { throw AuthenticationError(.biometricUnavailable) }
        guard record.biometric != nil else { throw AuthenticationError(.biometricNotEnabled) }
        return biometrics
    }
}

extension BiometricResult {
    func key(possible types: [AuthenticationType]) throws(AuthenticationError) -> BiometricKey {
        if let error = AuthenticationError(self, possible: types) { throw error }
        guard case .success(let secret) = self,
            let key = try translatingSystemFailure(BiometricKey(secret))
        else { throw AuthenticationError(.biometricUnavailable, cause: "no key of 32 bytes") }
        return key
    }
}
