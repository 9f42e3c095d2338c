import TransactionApproval
import Verifier

/// A transaction as the bank sees it, waiting or over.
struct TransactionResource: Encodable, Sendable {
    enum State: String, Encodable {
        case pending, approved, rejected, expired, withdrawn, void
    }

    let id: TransactionID
    let account: AccountKey
    let state: State
    let context: ContextName
    let title: String
    let fields: [TransactionContent.Field]
    let amounts: [TransactionContent.Sum]
    let payees: [TransactionContent.Payee]
    let reference: ExternalReference?
    let returnURL: String?
    let authentication: [AuthenticationType]
    let created: Timestamp
    let deadline: Timestamp
    let closed: Timestamp?
    /// What the person said yes with.
    let approvedWith: AuthenticationType?
    let rejectedFor: RejectionReason?
    /// Which device the answer is from.
    let device: DeviceID?
    /// Whether what that device signed of it is kept.
    let hasEvidence: Bool
    var number: String?

    init(_ overview: TransactionOverview) {
        let transaction = overview.transaction
        let content = transaction.content
        let end = End(overview.state)
        id = transaction.id
        account = transaction.account
        context = ContextName(content.context)
        title = content.title.text
        fields = content.fields.map { .init(label: $0.label.text, value: $0.value.text) }
        amounts = content.amounts.map {
            .init(currency: $0.currency.code, minorUnits: $0.minorUnits)
        }
        payees = content.payees.map { .init(name: $0.name.text, account: $0.account.text) }
        reference = transaction.reference
        returnURL = transaction.returnURL?.text
        authentication = AuthenticationType.allCases.filter {
            transaction.acceptedAuthentication.contains($0)
        }
        created = transaction.created
        deadline = transaction.deadline
        (state, closed) = (end.state, end.moment)
        (approvedWith, rejectedFor, device) = (end.type, end.reason, end.device)
        hasEvidence = overview.hasEvidence
    }

    private struct End {
        var state = State.pending
        var moment: Timestamp?
        var type: AuthenticationType?
        var reason: RejectionReason?
        var device: DeviceID?

        init(_ record: TransactionRecord.State) {
            guard case .closed(let outcome, let moment) = record else { return }
            self.moment = moment
            switch outcome {
            case .approved(let type, let device):
                (state, self.type, self.device) = (.approved, type, device)
            case .rejected(let reason, let device):
                (state, self.reason, self.device) = (.rejected, reason, device)
            case .expired: state = .expired
            case .withdrawn: state = .withdrawn
            case .void: state = .void
            }
        }
    }
}

struct TransactionList: Encodable, Sendable {
    let transactions: [TransactionResource]
    /// For `before`, where there are more.
    let next: String?
}
