import TransactionApproval
import Verifier

extension StatusExchange: DeviceService {
    static func outcome(
        of request: Request,
        from sender: Sender,
        by api: DeviceAPI
    ) async throws(Verifier.Failure) -> Outcome<Answer> {
        guard
            let status = try await api.verifier.status(of: sender.device),
            status.standing != .revoked
        else { return .refused(.deviceRevoked) }
        return .done(
            Answer(
                credentials: status.credentials.map { CredentialStatus($0, of: status) },
                policy: status.policy,
                nextServerKey: api.nextAnswerKey
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
            isEnabled: credential.standing != .disabled,
            lock: device.standing == .active ? LockEnd(of: credential) : .never
        )
    }
}

extension LockEnd {
    /// Nil where a code would be looked at.
    fileprivate init?(of credential: HeldCredential) {
        switch (credential.standing, credential.failures) {
        // The device has a later secret than the store: only a new activation helps.
        case (.outdated, _), (_, .blocked): self = .never
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
            leastCounter: credential.counter
        )
    }
}
