import TransactionApproval
import Verification

extension StatusExchange: MessageService {
    /// A device that may not exist yet sends its key, as in an activation.
    static func signingKey(of request: Request?, named device: DeviceID) -> SigningKey {
        guard case .commit(let commit) = request?.unanswered else { return .stored }
        return .message(commit.deviceKey)
    }

    static func outcome(of call: Call) async throws(Verifier.Failure) -> Outcome<Response> {
        switch call.request.unanswered {
        case .commit(let commit):
            switch try await call.verifier.end(commit, of: call.device) {
            case .enrolled: break
            case .cancelled: return .refused(.noAccountActivated)
            case .unknown:
                let limit = call.api.unknownCommitLimit
                return .refused(call.limited(.noAccountActivated, by: limit))
            }
        case .codes(let counter):
            try await call.verifier.end(codesBelow: counter, of: call.device)
        case nil: break
        }
        guard
            let status = try await call.verifier.status(of: call.device),
            status.status != .revoked
        else { return .refused(.deviceRevoked) }
        return .done(
            Response(
                account: status.account.key,
                credentials: status.credentials.map { CredentialStatus($0, of: status) },
                policy: status.policy,
                nextServerKey: call.api.nextResponseKey,
                nextAgreementKey: call.api.nextAgreementKey
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
