import TransactionApproval
import Verification

/// Whether the person was notified again, or why not.
struct NotificationResource: Encodable {
    enum Reason: String, Encodable {
        case tooSoon, tooOften, muted, noDevice
    }

    let notified: Bool
    let reason: Reason?
    let retryAfterSeconds: UInt32?

    /// The person was notified.
    init() {
        (notified, reason, retryAfterSeconds) = (true, nil, nil)
    }

    init(_ refusal: NotificationRefusal, seconds: (Timestamp) -> UInt32) {
        notified = false
        switch refusal {
        case .tooSoon(let end): (reason, retryAfterSeconds) = (.tooSoon, seconds(end))
        case .tooOften: (reason, retryAfterSeconds) = (.tooOften, nil)
        case .muted: (reason, retryAfterSeconds) = (.muted, nil)
        case .noDevice: (reason, retryAfterSeconds) = (.noDevice, nil)
        }
    }
}
