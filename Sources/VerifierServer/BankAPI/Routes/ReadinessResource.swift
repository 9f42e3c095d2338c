import TransactionApproval
import Verification

/// Whether the person of an account can approve a request now.
struct ReadinessResource: Encodable {
    let ready: Bool
    let authentication: [AuthenticationType]
    let retryAfterSeconds: UInt32?
    let muted: Bool

    init(_ readiness: Readiness, retryAfterSeconds: UInt32?) {
        ready = readiness.isReady
        authentication = AuthenticationType.allCases.filter {
            readiness.authentication.contains($0)
        }
        self.retryAfterSeconds = retryAfterSeconds
        muted = readiness.isMuted
    }
}
