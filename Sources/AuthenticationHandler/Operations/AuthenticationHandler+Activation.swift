import Cryptography
import TransactionApproval

extension AuthenticationHandler {
    /// Checks id and code online, and returns the accounts and the PIN policy.
    ///
    /// If an earlier call of `setPIN` got no response and has set up the accounts, it throws
    /// `accountAlreadyActivated`.
    public func verifyActivation(
        _ activation: borrowing Activation
    ) async throws(AuthenticationError) -> VerifiedActivation {
        let unfinished = try unfinishedAccounts(of: activation)
        let failure = try await recover { _ in true }
        if try unfinished.contains(where: activeAccounts().map(\.record.name).contains) {
            throw AuthenticationError(.accountAlreadyActivated)
        }
        let inProgress = try await claim(activation)
        let offer = inProgress.session.offer
        let accounts = offer.enrolments.map { Account(offer.enterprise, $0.account) }
        let active = try activeAccounts().map(\.record.name)
        let (existing, lost) = try await predecessors(of: inProgress)
        guard !accounts.allSatisfy(active.contains) || !lost.isEmpty else {
            throw AuthenticationError(.accountAlreadyActivated)
        }
        if existing == nil, let reason = try reasonForUnknownPIN(after: failure) { throw reason }
        return VerifiedActivation(
            accounts: accounts,
            pinPolicy: inProgress.policy.pin,
            existingAccount: existing?.record.name,
            lostAccounts: lost.map(\.record.name),
            inProgress: inProgress
        )
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
