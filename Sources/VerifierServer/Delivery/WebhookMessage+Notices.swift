import BankIntegration
import Cryptography
import ServerOperation
import TransactionApproval
import Verification

/// An event of an account, or of a whole enterprise.
struct EventContent: Encodable, Sendable {
    let enterprise: EnterpriseID
    /// Nil if the event concerns the whole enterprise.
    let account: AccountKey?
    /// The program, operator or device that caused the event.
    let actor: String
    /// The id of the transaction, device, credential or activation, for example.
    let subject: String
    /// The bank's reference of the transaction.
    let reference: ExternalReference?
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
    /// The bank's reference of the transaction.
    let reference: ExternalReference?
    let device: DeviceID
    let deadline: DateTime
}

extension WebhookMessage<EventContent> {
    init?(_ notice: EventNotice) {
        let (record, event) = (notice.record, notice.record.event)
        guard let concern = event.concern else { return nil }
        self.init(
            record.event.kind.rawValue,
            at: record.moment,
            EventContent(
                enterprise: concern.enterprise,
                account: concern.account?.key,
                actor: record.actor.text,
                subject: event.subject,
                reference: notice.reference,
                detail: event.shownDetail,
                sequence: record.sequence
            )
        )
    }
}

extension Event {
    /// The detail for the bank: the trail has the end of a lock in milliseconds.
    fileprivate var shownDetail: String {
        guard
            kind == .credentialLocked,
            let end = UInt64(detail).flatMap({ Timestamp(milliseconds: $0) })
        else { return detail }
        return end.rfc3339
    }
}

extension WebhookMessage<PushContent> {
    init(_ notice: PushNotice) {
        self.init(
            notice.record.event.kind.rawValue,
            at: notice.record.moment,
            PushContent(
                enterprise: notice.enterprise,
                payload: PushContent.Payload(notice.payload),
                reference: notice.reference,
                device: notice.device,
                deadline: DateTime(notice.deadline)
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
