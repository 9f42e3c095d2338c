import Cryptography
import StrictJSON
import TransactionApproval
import Verification

/// The body of a webhook, with the members that Standard Webhooks recommends.
struct WebhookMessage<Content: Encodable & Sendable>: Encodable, Sendable {
    /// The kind of event in the audit trail.
    let type: String
    /// The time of the event, which can be long before the delivery.
    let timestamp: String
    let data: Content

    fileprivate init(_ record: AuditRecord, _ content: Content) {
        type = record.event.kind.rawValue
        timestamp = record.moment.rfc3339
        data = content
    }
}

/// An event of an account.
struct EventContent: Encodable, Sendable {
    let enterprise: EnterpriseID
    let accountType: AccountType
    let accountId: AccountID
    /// The id of the transaction, device, credential or activation.
    let subject: String
    /// For example how it was approved, or why it was rejected.
    let detail: String
    /// The number of the audit record; later events of an account have higher numbers.
    let sequence: UInt64
}

/// A device to wake, and its push payload.
struct PushContent: Encodable, Sendable {
    struct Payload: Encodable, Sendable {
        let transactionID: TransactionID
        let accountID: AccountID
        let accountType: AccountType

        enum CodingKeys: String, CodingKey {
            case transactionID = "sa_transaction_id"
            case accountID = "account_id"
            case accountType = "account_type"
        }

        init(_ payload: PushPayload) {
            transactionID = payload.transactionID
            accountID = payload.account.id
            accountType = payload.account.type
        }
    }

    let enterprise: EnterpriseID
    /// For the app, unchanged.
    let payload: Payload
    let device: DeviceID
    let deadline: String
}

extension WebhookMessage<EventContent> {
    init?(_ record: AuditRecord) {
        guard let account = record.event.account else { return nil }
        self.init(
            record,
            EventContent(
                enterprise: account.enterprise,
                accountType: account.key.type,
                accountId: account.key.id,
                subject: record.event.subject,
                detail: record.event.detail,
                sequence: record.sequence
            )
        )
    }
}

extension WebhookMessage<PushContent> {
    init(_ notice: PushNotice) {
        self.init(
            notice.record,
            PushContent(
                enterprise: notice.enterprise,
                payload: PushContent.Payload(notice.payload),
                device: notice.device,
                deadline: notice.deadline.rfc3339
            )
        )
    }
}

extension AuditRecord {
    /// The same at every node and in every retry.
    ///
    /// It differs for different records, even after a restore repeats their numbers.
    var webhookID: String {
        "msg_" + TextEncoding.hexadecimal.encode(hash.span.extracting(first: 16))
    }
}

extension PushNotice {
    /// Different for each device, because each is woken separately.
    var webhookID: String { "\(record.webhookID)_\(device)" }
}
