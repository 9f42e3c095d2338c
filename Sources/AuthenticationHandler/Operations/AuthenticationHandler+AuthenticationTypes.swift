import Cryptography
import OneTimePassword
import TransactionApproval

/// A way of authenticating that a person wants to use from now on, or no longer.
public enum AuthenticationTypeUpdate: ~Copyable, Sendable {
    /// The PIN shows that it is the person who wants it.
    case turnOn(AuthenticationType, pin: PIN)
    case turnOff(AuthenticationType)
}

extension AuthenticationHandler {
    /// Turns a way of authenticating on or off: biometrics, since the PIN is always there and consent
    /// is the bank's to allow.
    ///
    /// Turned on once more, biometrics begin anew. Where that fails once the person was asked they
    /// are off, and a wrong PIN counts. Turned off, they are off on this device whatever is thrown,
    /// which then says that the verifier has not heard of it: a repeat tells it.
    public func updateAuthenticationType(
        _ update: consuming AuthenticationTypeUpdate,
        for account: Account? = nil
    ) async throws(AuthenticationError) {
        switch consume update {
        case .turnOn(.biometric, let pin): try await turnOnBiometrics(pin, for: account)
        case .turnOff(.biometric): try await turnOffBiometrics(for: account)
        case .turnOff(.userPIN): throw AuthenticationError(.pinCannotBeDisabled)
        default: throw AuthenticationError(.invalidArgument, cause: "the type")
        }
    }

    /// Nothing is kept of a credential before the verifier has it.
    ///
    /// A change of the PIN needs a pending record, since the old seed ends with the new one. Here a
    /// lost answer loses nothing that a repeat does not make anew: there is no credential and no key,
    /// what the verifier may have is nobody's, and the next one follows it. A pending record would
    /// turn biometrics on after their person was told that they are off. What arrives late is refused,
    /// by its counter or by its generation.
    private func turnOnBiometrics(
        _ pin: consuming PIN,
        for name: Account?
    ) async throws(AuthenticationError) {
        guard let biometrics else { throw AuthenticationError(.biometricUnavailable) }
        try await settle()
        let record = try activeAccount(name).record
        guard record.policy.authentication.contains(.biometric) else {
            throw AuthenticationError(.authenticationTypeNotAllowed)
        }
        let change = try await beginChange()
        // Its key is about to go: with another one it would make wrong codes, which count.
        try await self.change(record.device) { $0.biometric = nil }
        do throws(AuthenticationError) {
            let answer = await biometrics.makeKey(named: record.device.description)
            let key = try answer.key(possible: [.biometric, .userPIN])
            try await handOver(key, authorisedBy: pin, of: record.device)
        } catch {
            await biometrics.deleteKey(named: record.device.description)
            throw error
        }
        change.end()
    }

    private func handOver(
        _ key: borrowing BiometricKey,
        authorisedBy pin: consuming PIN,
        of device: DeviceID
    ) async throws(AuthenticationError) {
        let status = try await refresh(try account(device))
        let account = try account(device)
        let (credential, rekey) = try await proposal(for: account, after: status, key, pin)
        let question = try AuthenticationError.onThisMachine { () throws(CryptographyFailure) in
            try rekey.question()
        }
        _ = try await ask(RekeyExchange.self, over: question, of: device, with: .pin(pin)) {
            envelope,
            _ throws(AuthenticationError) in
            RekeyExchange.Request(rekey: rekey, envelope: envelope)
        }
        try await change(device) { $0.biometric = credential }
    }

    /// A credential that follows the one that the verifier has, or the first.
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
                ingredients: try .random(generation, in: surroundings)
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
            throw AuthenticationError(machine: error)
        }
    }

    private func turnOffBiometrics(for name: Account?) async throws(AuthenticationError) {
        try await settle()
        let account = try activeAccount(name)
        try await change(account.record.device) { $0.biometric = nil }
        await deleteBiometricKey(of: account.record)
        let request = BiometricRemovalExchange.Request(attempt: try .new())
        _ = try await ask(BiometricRemovalExchange.self, request, by: try Peer(account))
    }

    /// What a provider no longer has opens nothing, whatever else is left.
    func deleteBiometricKey(of record: AccountRecord) async {
        guard record.biometric != nil else { return }
        await biometrics?.deleteKey(named: record.device.description)
    }
}
