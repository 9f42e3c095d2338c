import AuthenticationHandler

/// A transaction in JSON, with the names of the bank API.
struct ShownTransaction: Encodable {
    struct Field: Encodable {
        let label, value: String
    }

    struct Amount: Encodable {
        let currency: String
        let minorUnits: UInt64
        let formatted: String
    }

    struct Payee: Encodable {
        let name: String
        let account, merchant: String?

        init(_ payee: PendingTransaction.Payee) {
            name = payee.name
            (account, merchant) =
                switch payee.recipient {
                case .account(let account): (account, nil)
                case .merchant(let merchant): (nil, merchant)
                }
        }
    }

    let id: String
    let account: ShownAccount
    let context: String
    let title: String
    let fields: [Field]
    let amounts: [Amount]
    let payees: [Payee]
    let reference: String?
    /// In milliseconds since 1970 (UTC).
    let deadline: UInt64
    let authentication: [AuthenticationType]
    let typedDigits: Int?

    init(_ transaction: PendingTransaction) {
        id = transaction.id
        account = ShownAccount(transaction.account)
        context = transaction.context.name
        title = transaction.title
        fields = transaction.fields.map { Field(label: $0.label, value: $0.value) }
        amounts = transaction.amounts.map {
            Amount(currency: $0.currency, minorUnits: $0.minorUnits, formatted: $0.formatted)
        }
        payees = transaction.payees.map(Payee.init)
        reference = transaction.reference
        deadline = transaction.deadline.milliseconds
        authentication = transaction.authenticationTypes
        typedDigits = transaction.typedDigits
    }
}
