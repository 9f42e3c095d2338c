import BankIntegration
import Storage
import StrictJSON
import Transactions

extension StoredEvent {
    /// The event of a result that is final.
    init(_ result: AuthenticatedCard, at now: Timestamp) throws(StoreFailure) {
        let body: [UInt8]
        do throws(StrictJSON.Unwritable) {
            body = try StrictJSON.encode(WebhookMessage("card.authenticated", at: now, result))
        } catch {
            // Its texts were checked when they came.
            throw .misuse
        }
        self.init(of: result.acsTransID, body, at: now)
    }
}
