package import BankIntegration
package import TransactionApproval
package import Verification

/// A pending or closed transaction as the bank sees it.
package struct TransactionResource: Codable, Sendable {
    package enum State: String, Codable, Sendable {
        case pending, approved, rejected, expired, withdrawn, void
    }

    package struct Field: Codable, Sendable {
        package let label: String
        package let value: String
    }

    package struct Sum: Codable, Sendable {
        package let currency: String
        package let minorUnits: UInt64
    }

    package struct Payee: Codable, Sendable {
        package let name: String
        /// Exactly one of account and merchant is not nil.
        package let account: String?
        package let merchant: String?

        package var recipient: String { account ?? merchant.map { "merchant \($0)" } ?? "" }

        fileprivate init(_ payee: Transaction.Payee) {
            name = payee.name.text
            (account, merchant) =
                switch payee.recipient {
                case .account(let account): (account.text, nil)
                case .merchant(let merchant): (nil, merchant.text)
                }
        }
    }

    package let id: TransactionID
    package let account: AccountKey
    package let state: State
    package let source: RequestSource
    package let context: ContextName
    package let title: String
    package let fields: [Field]
    package let amounts: [Sum]
    package let payees: [Payee]
    package let reference: ExternalReference?
    package let returnURL: String?
    package let authentication: [AuthenticationType]
    package let created: DateTime
    package let deadline: DateTime
    package let closed: DateTime?
    /// The authentication type of the approval.
    package let approvedWith: AuthenticationType?
    package let rejectedFor: RejectionReason?
    /// The device that decided.
    package let device: DeviceID?
    /// True if the device's signature is stored.
    package let hasEvidence: Bool
    package internal(set) var number: String?

    init(_ overview: TransactionOverview) {
        let transaction = overview.transaction
        let content = transaction.content
        id = transaction.id
        account = transaction.account
        source = overview.source
        context = ContextName(content.context)
        title = content.title.text
        fields = content.fields.map { .init(label: $0.label.text, value: $0.value.text) }
        amounts = content.amounts.map {
            .init(currency: $0.currency.code, minorUnits: $0.minorUnits)
        }
        payees = content.payees.map(Payee.init)
        reference = transaction.reference
        returnURL = transaction.returnURL?.text
        authentication = AuthenticationType.allCases.filter {
            transaction.acceptedAuthentication.contains($0)
        }
        created = DateTime(transaction.created)
        deadline = DateTime(transaction.deadline)
        let outcome: TransactionRecord.Outcome?
        switch overview.state {
        case .pending: (outcome, closed) = (nil, nil)
        case .closed(let end, let moment): (outcome, closed) = (end, DateTime(moment))
        }
        (state, approvedWith, rejectedFor, device) =
            switch outcome {
            case nil: (.pending, nil, nil, nil)
            case .approved(let type, let device): (.approved, type, nil, device)
            case .rejected(let reason, let device): (.rejected, nil, reason, device)
            case .expired: (.expired, nil, nil, nil)
            case .withdrawn: (.withdrawn, nil, nil, nil)
            case .void: (.void, nil, nil, nil)
            }
        hasEvidence = overview.hasEvidence
    }
}

package struct TransactionList: Codable, Sendable {
    package let transactions: [TransactionResource]
    /// The value of `before` for the next page.
    package let next: String?
}
