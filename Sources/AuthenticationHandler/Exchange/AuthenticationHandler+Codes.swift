import Cryptography
import OneTimePassword
import TransactionApproval

/// The input of a seed that is not stored: the PIN, a biometric key, or nothing for the device.
enum Factor: ~Copyable, Sendable {
    case pin(PIN)
    case device
    case biometric(BiometricKey)

    var kind: CredentialKind {
        borrowing get {
            switch self {
            case .pin: .user
            case .device: .device
            case .biometric: .biometric
            }
        }
    }
}

extension AuthenticationHandler {
    /// Sends a request with a code, and again if the counters of device and verifier differ.
    ///
    /// The used counter is on the disk before the code is computed. Operations at the same time
    /// overtake each other, so the expected counter can move several times.
    func send<Exchange: DeviceExchange>(
        _ exchange: Exchange.Type,
        over question: InBandQuestion,
        of device: DeviceID,
        with factor: borrowing Factor,
        request: (CodeEnvelope, OpenAccount) throws(AuthenticationError) -> Exchange.Request
    ) async throws(AuthenticationError) -> Exchange.Response {
        var position: CredentialPosition?
        var retriesLeft = 5
        while true {
            let (account, envelope) = try await code(
                over: question,
                of: device,
                with: factor,
                after: position
            )
            let request = try request(envelope, account)
            let peer = try Peer(account)
            switch try await outcome(exchange, request, by: peer) {
            case .done(let response): return response
            case .refused(.counterOutOfStep(let expected))
            where expected != position && retriesLeft > 0:
                (position, retriesLeft) = (expected, retriesLeft - 1)
            case .refused(let problem): throw refusal(problem, by: peer)
            }
        }
    }

    /// A code for the next counter, or for the counter that the verifier expects.
    private func code(
        over question: InBandQuestion,
        of device: DeviceID,
        with factor: borrowing Factor,
        after position: CredentialPosition?
    ) async throws(AuthenticationError) -> (OpenAccount, CodeEnvelope) {
        let kind = factor.kind
        let account = try account(device).synchronized(kind, with: position)
        let seed = try await seed(of: account, factor)
        // The person has left: no counter is used up.
        guard !Task.isCancelled else { throw AuthenticationError(.networkUnavailable) }
        let taken = try await takeCounter(kind, of: account, after: position)
        let envelope = try envelope(over: question, taken, seed)
        return (account, envelope)
    }

    func seed(
        of account: OpenAccount,
        _ factor: borrowing Factor
    ) async throws(AuthenticationError) -> CredentialSeed {
        do throws(CryptographyFailure) {
            switch factor {
            case .pin(let pin): return try await account.userSeed(pin)
            case .device: return try account.deviceSeed()
            case .biometric(let key):
                if let seed = try account.biometricSeed(key) { return seed }
            }
        } catch {
            throw AuthenticationError(system: SystemFailure(error))
        }
        throw AuthenticationError(.biometricNotEnabled)
    }

    func takeCounter(
        _ kind: CredentialKind,
        of account: OpenAccount,
        after position: CredentialPosition? = nil
    ) async throws(AuthenticationError) -> TakenCounter {
        guard let credential = account.record.credential(kind) else {
            throw AuthenticationError(.biometricNotEnabled)
        }
        let taken = try await changeVault { locked throws(Vault.Failure) in
            try locked.takeCounter(
                kind,
                of: account.record.device,
                generation: credential.ingredients.generation,
                after: position
            )
        }
        guard let taken else {
            let cause = "no counter is left, or the PIN was changed"
            throw AuthenticationError(.counterOutOfStep, cause: cause)
        }
        return taken
    }

    func envelope(
        over question: InBandQuestion,
        _ taken: TakenCounter,
        _ seed: borrowing CredentialSeed
    ) throws(AuthenticationError) -> CodeEnvelope {
        let code: OneTimeCode
        do throws(SystemFailure) {
            let codes = try InBandCodes(of: taken.context, seed: seed)
            code = try codes.code(for: question, in: taken.epoch, at: taken.counter)
        } catch {
            throw AuthenticationError(system: error)
        }
        guard let code = InBandCode(code) else { throw AuthenticationError(.invalidArgument) }
        return try translatingSystemFailure(
            CodeEnvelope(
                attempt: try .random(),
                generation: taken.context.generation,
                epoch: taken.epoch,
                counter: taken.counter,
                code: code,
                blind: try .random()
            )
        )
    }
}

extension AccountRecord {
    /// Rejects a position of the verifier that is too far ahead of this device.
    func checkReach(
        of position: CredentialPosition,
        _ kind: CredentialKind
    ) throws(AuthenticationError) {
        guard let credential = credential(kind) else { return }
        guard position.isWithinReach(of: credential.counter) else {
            throw AuthenticationError(.counterOutOfStep, cause: "the verifier is too far ahead")
        }
    }
}

extension OpenAccount {
    /// The account at the verifier's position.
    ///
    /// Another generation comes from a rekey whose response was lost, or from a PIN change after
    /// the backup of this vault.
    fileprivate func synchronized(
        _ kind: CredentialKind,
        with position: CredentialPosition?
    ) throws(AuthenticationError) -> OpenAccount {
        guard let position else { return self }
        var account = self
        try account.record.checkReach(of: position, kind)
        guard account.record.synchronize(kind, with: position) else {
            throw AuthenticationError(.deviceSecretMissing, cause: "of another generation")
        }
        return account
    }

    func userSeed(_ pin: borrowing PIN) async throws(CryptographyFailure) -> CredentialSeed {
        let context = record.context(.user, of: record.user)
        return try await record.user.ingredients.userSeed(of: context, pin: pin.digits, secrets)
    }

    func deviceSeed() throws(CryptographyFailure) -> CredentialSeed {
        let context = record.context(.device, of: record.deviceCredential)
        return try record.deviceCredential.ingredients.deviceSeed(of: context, secrets)
    }

    /// Nil if biometrics are not enabled.
    func biometricSeed(
        _ key: borrowing BiometricKey
    ) throws(CryptographyFailure) -> CredentialSeed? {
        guard let credential = record.biometric else { return nil }
        let context = record.context(.biometric, of: credential)
        return try credential.ingredients.biometricSeed(of: context, key: key, secrets)
    }
}
