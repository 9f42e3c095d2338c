import Cryptography
import OneTimePassword
import PrivateFiles
import TransactionApproval

extension AuthenticationHandler {
    /// Enables biometrics for an account; the PIN proves that the person wants it.
    ///
    /// If biometrics are enabled already, they get a new key. First it fetches the status of the
    /// account: if this fails, or the bank does not allow biometrics, nothing changes. After any other
    /// failure they are disabled, and a wrong PIN counts. With nil as `account`, it uses the first
    /// of `accounts()`.
    public func enableBiometrics(
        pin: consuming PIN,
        for account: Account?
    ) async throws(AuthenticationError) {
        guard let biometrics else { throw AuthenticationError(.biometricUnavailable) }
        try await recover { $0.name == account }
        let account = try await currentAccount(account)
        let device = account.record.device
        let change = try await beginChange()
        let status = try await refresh(account)
        guard status.policy.authentication.contains(.biometric) else {
            throw AuthenticationError(.authenticationTypeNotAllowed)
        }
        // The old key is about to be replaced, and wrong codes would count.
        try await self.change(device) { $0.biometric = nil }
        do throws(AuthenticationError) {
            let result = await biometrics.makeKey(named: device.description)
            let key = try result.key(possible: [.biometric, .userPIN])
            try await register(key, authorisedBy: pin, after: status, of: device)
        } catch {
            await biometrics.deleteKey(named: device.description)
            throw error
        }
        change.end()
    }

    /// Disables biometrics for an account.
    ///
    /// After `vaultLocked`, nothing changed. After another error they are disabled on this device, but
    /// the verifier did not confirm it, and a repeated call notifies it. With nil as `account`, it uses
    /// the first of `accounts()`.
    public func disableBiometrics(
        for account: Account?
    ) async throws(AuthenticationError) {
        try await recover { $0.name == account }
        let account = try await currentAccount(account)
        let change = try await beginChange()
        try await self.change(account.record.device) { $0.biometric = nil }
        await deleteBiometricKey(of: account.record.device)
        let request = BiometricRemovalExchange.Request(attempt: try .new())
        _ = try await send(BiometricRemovalExchange.self, request, by: try Peer(account))
        change.end()
    }

    /// Registers a credential with the verifier, and stores it only after the verifier has it.
    ///
    /// Unlike a PIN change this needs no pending record. If the response is lost, neither device
    /// nor provider keeps a key, and a repeated call makes a new credential. A late request is
    /// rejected by its counter or its generation.
    private func register(
        _ key: borrowing BiometricKey,
        authorisedBy pin: consuming PIN,
        after status: StatusExchange.Response,
        of device: DeviceID
    ) async throws(AuthenticationError) {
        let account = try account(device)
        let (credential, rekey) = try await proposal(for: account, after: status, key, pin)
        let question = try translatingSystemFailure(rekey.question())
        _ = try await send(RekeyExchange.self, over: question, of: device, with: .pin(pin)) {
            envelope,
            _ throws(AuthenticationError) in
            RekeyExchange.Request(rekey: rekey, envelope: envelope)
        }
        try await change(device) { $0.biometric = credential }
    }

    /// The next generation of the credential that the verifier has, or the first.
    private func proposal(
        for account: OpenAccount,
        after status: StatusExchange.Response,
        _ key: borrowing BiometricKey,
        _ pin: borrowing PIN
    ) async throws(AuthenticationError) -> (CredentialRecord, RekeyRequest) {
        let former = status.credentials.first { $0.kind == .biometric }
        do throws(CryptographyFailure) {
            let first = try CredentialID.random()
            let generation = former.map(\.position.generation.next) ?? .first
            guard let generation else { throw CryptographyFailure.invalidArgument }
            let credential = CredentialRecord(
                id: former?.id ?? first,
                counter: former?.position.minimumCounter ?? Counter(0),
                epoch: account.record.user.epoch,
                ingredients: try .random(generation, in: dependencies)
            )
            let context = account.record.context(.biometric, of: credential)
            let seed = try credential.ingredients.biometricSeed(
                of: context,
                key: key,
                account.secrets
            )
            let userSeed = try await account.userSeed(pin)
            return (credential, try account.rekey(context, to: seed, authorisedBy: userSeed))
        } catch {
            throw AuthenticationError(system: SystemFailure(error))
        }
    }

    /// Also without a credential in the record: a crash can have left the key.
    private func deleteBiometricKey(of device: DeviceID) async {
        await biometrics?.deleteKey(named: device.description)
    }

    /// Removes an account with its biometric key, which has no name without the account.
    func removeWithBiometricKey(_ device: DeviceID) async throws(AuthenticationError) {
        await deleteBiometricKey(of: device)
        try await remove(device)
    }
}
