import BankIntegration
import Storage
import StrictJSON
import Transactions

extension StoredEvent {
    /// The event of a result that is final.
    init(_ result: AuthenticatedCard, at now: Timestamp) throws(StoreFailure) {
        let message = WebhookMessage("card.authenticated", at: now, result)
        let body = try orMisuse(StrictJSON.encode(message))
        self.init(of: result.acsTransID, body, at: now)
    }
}
