import Cryptography
import StrictJSON
import TransactionApproval
import Verification

/// What a webhook says, in the members that Standard Webhooks recommends.
struct WebhookMessage<Content: Encodable & Sendable>: Encodable, Sendable {
    /// The name that the audit trail has for it.
    let type: String
    /// When it happened, which may be long before it is told.
    let timestamp: String
    let data: Content

    fileprivate init(_ record: AuditRecord, _ content: Content) {
        type = record.event.kind.rawValue
        timestamp = record.moment.rfc3339
        data = content
    }
}

/// What happened to an account, to the bank that it is of.
struct EventContent: Encodable, Sendable {
    let enterprise: EnterpriseID
    let accountType: AccountType
    let accountId: AccountID
    /// The transaction, the device or the credential.
    let subject: String
    /// What else there is to know: the way that it was approved, why it was rejected.
    let detail: String
    /// Of the record on the audit trail: of one account, what comes later has a larger one.
    let sequence: UInt64
}

/// Which device the bank's own pusher is to wake, and what with.
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
    /// As the app takes it.
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
    /// The same on every node and at every try, and of no other record, also where a store was
    /// restored and counts its records anew.
    var webhookID: String {
        "msg_" + TextEncoding.hexadecimal.encode(hash.span.extracting(first: 16))
    }
}

extension PushNotice {
    /// Another one for each device: each is woken for itself.
    var webhookID: String { "\(record.webhookID)_\(device)" }
}
