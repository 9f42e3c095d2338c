import Cryptography
import TransactionApproval
import Verification

extension StatusExchange: MessageService {
    /// A device that may not exist yet sends its key, as in an activation.
    static func signer(
        of request: Request?,
        named device: DeviceID,
        to api: DeviceAPI
    ) async throws(Verifier.Failure) -> Signer? {
        guard case .commit(let commit) = request?.unanswered else {
            return try await api.signer(named: device)
        }
        return Signer(point: commit.deviceKey.uncompressedPoint, nonces: api.claimantNonces)
    }

    static func outcome(
        of request: Request,
        from sender: Sender,
        by api: DeviceAPI
    ) async throws(Verifier.Failure) -> Outcome<Response> {
        switch request.unanswered {
        case .commit(let commit):
            let isMade = try await api.verifier.end(commit, of: sender.device)
            guard isMade else { return .refused(.noAccountActivated) }
        case .codes(let counter):
            try await api.verifier.end(codesBelow: counter, of: sender.device)
        case nil: break
        }
        guard
            let status = try await api.verifier.status(of: sender.device),
            status.status != .revoked
        else { return .refused(.deviceRevoked) }
        return .done(
            Response(
                account: status.account.key,
                credentials: status.credentials.map { CredentialStatus($0, of: status) },
                policy: status.policy,
                nextServerKey: api.nextResponseKey
            )
        )
    }
}

extension CredentialStatus {
    fileprivate init(_ credential: HeldCredential, of device: DeviceStatus) {
        self.init(
            id: credential.id,
            kind: credential.kind,
            position: CredentialPosition(credential, in: device.epoch),
            isEnabled: credential.isEnabled,
            lock: device.status == .active ? LockEnd(of: credential) : .never
        )
    }
}

extension HeldCredential {
    /// The device can enable biometrics again after it gave them up.
    fileprivate var isEnabled: Bool {
        status.isEnabled && !(status.isOutdated && kind == .biometric)
    }
}

extension LockEnd {
    /// Nil if neither time nor an activation is needed.
    fileprivate init?(of credential: HeldCredential) {
        switch (credential.status.isOutdated, credential.failures) {
        // The device has a newer secret than the store: only a new activation helps.
        case (true, _) where credential.kind != .biometric: self = .never
        case (_, .blocked): self = .never
        case (_, .locked(let end)): self = .until(end)
        case (_, .open): return nil
        }
    }
}

extension CredentialPosition {
    init(_ credential: HeldCredential, in epoch: Epoch) {
        self.init(
            generation: credential.generation,
            epoch: epoch,
            minimumCounter: credential.counter
        )
    }
}
