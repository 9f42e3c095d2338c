import Cryptography
import TransactionApproval

extension AuthenticationHandler {
    /// Checks id and code online, and returns the accounts and the PIN policy.
    public func verifyActivation(
        _ activation: consuming Activation
    ) async throws(AuthenticationError) -> VerifiedActivation {
        try await recover()
        let inProgress = try await claim(activation)
        let offer = inProgress.session.offer
        let accounts = offer.enrolments.map { Account(offer.enterprise, $0.account) }
        let replaced = try activeAccounts().filter { accounts.contains($0.record.name) }
        let lost = try await lostAccounts(among: replaced)
        let isComplete = accounts.allSatisfy(replaced.map(\.record.name).contains)
        guard !isComplete || !lost.isEmpty else {
            throw AuthenticationError(.accountAlreadyActivated)
        }
        var unusable = lost.map(\.record.device)
        var existing: Account?
        for account in try accountsWithPIN(for: inProgress, without: unusable) where existing == nil
        {
            // The status of a replaced account is known already.
            let isKnown = replaced.contains { $0.record.device == account.record.device }
            let loss = isKnown ? nil : try await loss(of: account)
            if loss == .ofDevice {
                unusable.append(account.record.device)
            } else {
                existing = account.record.name
            }
        }
        return VerifiedActivation(
            accounts: accounts,
            pinPolicy: inProgress.policy.pin,
            existingAccount: existing,
            lostAccounts: lost.map(\.record.name),
            unusable: unusable,
            inProgress: inProgress
        )
    }

    private func lostAccounts(
        among accounts: [OpenAccount]
    ) async throws(AuthenticationError) -> [OpenAccount] {
        var lost: [OpenAccount] = []
        for account in accounts {
            if try await loss(of: account) != nil { lost.append(account) }
        }
        return lost
    }

    private enum Loss {
        /// The bank revoked the device.
        case ofDevice
        /// The PIN is locked permanently, or the verifier and the device have different secrets.
        case ofPIN
    }

    /// Why only a new activation makes the account usable again; nil if it is usable.
    private func loss(of account: OpenAccount) async throws(AuthenticationError) -> Loss? {
        do throws(AuthenticationError) {
            let status = try await refresh(account)
            guard let user = status.credentials.first(where: { $0.kind == .user }) else {
                return nil
            }
            let held = try self.account(account.record.device).record.user.ingredients.generation
            return user.lock == .never || user.position.generation != held ? .ofPIN : nil
        } catch  where error.meansDeviceIsGone {
            return .ofDevice
        }
    }

    /// Proves the code, and accepts the offer only if the verifier proves the code too.
    private func claim(
        _ activation: borrowing Activation
    ) async throws(AuthenticationError) -> ActivationInProgress {
        let (server, device) = (activation.server, try newDevice())
        let ephemeral = try translatingSystemFailure(P256.PrivateKey())
        let claim = try claim(activation.id, device, ephemeral.publicKey, server)
        let session = try translatingSystemFailure(
            ActivationSession(
                claim,
                ephemeral: ephemeral,
                server: server.activationKey,
                code: activation.code
            )
        )
        let submitted = SubmittedClaim(claim, proof: session.proof)
        let peer = try Peer(device, at: server)
        let response = try await send(ActivationClaimExchange.self, submitted, by: peer)
        let enrolment = try accept(response, in: session)
        guard let enrolment, let policy = DevicePolicy(enrolment.offer.policy) else {
            throw AuthenticationError(.response, cause: "the offer")
        }
        // The bank allowed a web browser, which has other limits than an app.
        guard !policy.device.isWeb else { throw AuthenticationError(.activationForBrowser) }
        var devices = [device]
        while devices.count < enrolment.offer.enrolments.count { devices.append(try newDevice()) }
        return ActivationInProgress(
            devices: devices,
            claim: submitted,
            session: enrolment,
            server: server,
            policy: policy
        )
    }

    private func accept(
        _ response: ActivationClaimExchange.Response,
        in session: consuming ActivationSession
    ) throws(AuthenticationError) -> EnrolmentSession? {
        do throws(CryptographyFailure) {
            return try session.accepting(response.offer, mac: response.mac)
        } catch {
            throw AuthenticationError(system: SystemFailure(error))
        }
    }

    private func newDevice() throws(AuthenticationError) -> NewDevice {
        try translatingSystemFailure(
            NewDevice(
                id: DeviceID(checked: dependencies.randomness.bytes(DeviceID.byteCount)),
                key: P256.PrivateKey()
            )
        )
    }

    private func claim(
        _ id: ActivationID,
        _ device: NewDevice,
        _ ephemeralKey: P256.PublicKey,
        _ server: TrustedServer
    ) throws(AuthenticationError) -> ActivationClaim {
        try translatingSystemFailure(
            ActivationClaim(
                activation: id,
                serverKey: try ServerKeyID(of: server.activationKey),
                device: device.id,
                ephemeralKey: ephemeralKey,
                deviceKey: device.key.publicKey,
                deviceName: deviceName
            )
        )
    }
}
