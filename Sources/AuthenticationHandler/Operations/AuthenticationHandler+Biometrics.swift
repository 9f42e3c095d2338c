import Cryptography
import OneTimePassword
import TransactionApproval

extension AuthenticationHandler {
    /// Approves by a key that this device releases to the person whom it recognises.
    ///
    /// Whoever is not recognised costs no attempt; `offeredTypes` of the error says what to offer now.
    public func authenticateUsingBiometrics(
        _ transaction: PendingTransaction,
        typedNumber: String? = nil
    ) async throws(AuthenticationError) {
        let provider = try provider(for: try account(transaction.device).record)
        let number = try number(typedNumber, approving: transaction, by: .biometric)
        let key = try await provider.key(
            of: transaction.device,
            possible: transaction.authenticationTypes
        )
        try await decide(
            .approve(.biometric),
            on: transaction,
            number,
            with: .biometric(key)
        )
    }

    /// Logs in to the bank as `verifyPIN` does, by a key that is released to the person.
    public func verifyBiometrics(
        signing data: [UInt8] = [],
        for account: Account? = nil
    ) async throws(AuthenticationError) -> String {
        try await settle()
        let record = try activeAccount(account).record
        let key = try await provider(for: record).key(
            of: record.device,
            possible: enabledTypes(of: record)
        )
        return try await logIn(over: data, by: .biometric, of: record.device, with: .biometric(key))
    }

    /// What the bank allows and this device has.
    func enabledTypes(of record: AccountRecord) -> [AuthenticationType] {
        let hasBiometrics = biometrics != nil && record.biometric != nil
        return AuthenticationType.allCases.filter { type in
            record.policy.authentication.contains(type) && (type != .biometric || hasBiometrics)
        }
    }

    /// Throws where biometrics are not there, or not turned on.
    private func provider(
        for record: AccountRecord
    ) throws(AuthenticationError) -> any BiometricProvider {
        guard let biometrics else { throw AuthenticationError(.biometricUnavailable) }
        guard record.biometric != nil else { throw AuthenticationError(.biometricNotEnabled) }
        return biometrics
    }
}

extension BiometricProvider {
    fileprivate func key(
        of device: DeviceID,
        possible types: [AuthenticationType]
    ) async throws(AuthenticationError) -> BiometricKey {
        try await releaseKey(named: device.description).key(possible: types)
    }
}

extension BiometricResult {
    func key(possible types: [AuthenticationType]) throws(AuthenticationError) -> BiometricKey {
        if let error = AuthenticationError(self, possible: types) { throw error }
        guard case .success(let secret) = self, let key = BiometricKey(secret) else {
            throw AuthenticationError(.biometricUnavailable, cause: "no key of 32 bytes")
        }
        return key
    }
}
