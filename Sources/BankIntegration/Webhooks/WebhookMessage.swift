package import Transactions

/// The body of a webhook, with the members that Standard Webhooks recommends.
package struct WebhookMessage<Content: Encodable & Sendable>: Encodable, Sendable {
    /// The kind of event.
    package let type: String
    /// The time of the event, which can be long before the delivery.
    package let timestamp: DateTime
    package let data: Content

    package init(_ type: String, at moment: Timestamp, _ content: Content) {
        self.type = type
        timestamp = DateTime(moment)
        data = content
    }
}
