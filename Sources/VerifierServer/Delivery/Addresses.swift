package import TransactionApproval
import Verification

/// Whom this verifier tells of what, and how its devices are woken.
package struct Addresses: Sendable {
    /// Banks that are told what happened.
    package var events: [EnterpriseID: Webhook] = [:]
    /// Banks that wake devices themselves.
    package var pushers: [EnterpriseID: Webhook] = [:]
    package var fcm: FCM?

    package init() {}

    func isForSomebody(_ delivery: Delivery) -> Bool {
        let enterprise = delivery.account.enterprise
        return switch delivery.target {
        case .webhook: events[enterprise] != nil
        case .push: fcm != nil || pushers[enterprise] != nil
        }
    }
}
