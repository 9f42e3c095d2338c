package import BankIntegration
package import TransactionApproval
import Verification

/// The receivers of events and pushes.
package struct Addresses: Sendable {
    /// Webhooks that receive events.
    package var events: [EnterpriseID: Webhook] = [:]
    /// Webhooks of banks with a push service.
    package var pushers: [EnterpriseID: Webhook] = [:]
    package var fcm: FCM?
    /// The push services of browsers.
    package var webPush: WebPush?

    package init() {}

    func hasReceiver(of delivery: Delivery) -> Bool {
        let enterprise = delivery.concern.enterprise
        return switch delivery.target {
        case .webhook: events[enterprise] != nil
        case .push: fcm != nil || webPush != nil || pushers[enterprise] != nil
        }
    }
}
