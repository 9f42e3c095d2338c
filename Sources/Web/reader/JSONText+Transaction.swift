extension JSONText {
    /// The content in the order of the canonical bytes.
    ///
    /// Times are texts of digits: a number in JavaScript would round the latest ones.
    init(_ transaction: Transaction) {
        append(syntax: #"{"enterprise":"#)
        append(transaction.enterprise.text)
        append(syntax: #","id":"#)
        append(transaction.id.text)
        append(syntax: #","account":{"type":"#)
        append(transaction.account.type.text)
        append(syntax: #","id":"#)
        append(transaction.account.id.text)
        append(syntax: "}")
        append(transaction.content)
        append(syntax: #","reference":"#)
        append(transaction.reference?.text)
        append(syntax: #","returnAddress":"#)
        append(transaction.returnURL?.text)
        append(syntax: #","authentication":"#)
        let accepted = transaction.acceptedAuthentication
        append(AuthenticationType.allCases.filter { accepted.contains($0) }) {
            $0.append($1.rawValue)
        }
        append(syntax: #","created":"#)
        append(String(transaction.created.milliseconds))
        append(syntax: #","deadline":"#)
        append(String(transaction.deadline.milliseconds))
        append(syntax: "}")
    }

    private mutating func append(_ content: Transaction.Content) {
        append(syntax: #","context":"#)
        append(content.context.name)
        append(syntax: #","title":"#)
        append(content.title.text)
        append(syntax: #","fields":"#)
        append(content.fields) { $0.append($1) }
        append(syntax: #","amounts":"#)
        append(content.amounts) { $0.append($1.formatted) }
        append(syntax: #","payees":"#)
        append(content.payees) { $0.append($1) }
    }

    private mutating func append(_ field: Transaction.DisplayField) {
        append(syntax: #"{"label":"#)
        append(field.label.text)
        append(syntax: #","value":"#)
        append(field.value.text)
        append(syntax: "}")
    }

    private mutating func append(_ payee: Transaction.Payee) {
        append(syntax: #"{"name":"#)
        append(payee.name.text)
        switch payee.recipient {
        case .account: append(syntax: #","account":"#)
        case .merchant: append(syntax: #","merchant":"#)
        }
        append(payee.recipient.shown)
        append(syntax: "}")
    }
}

extension Transaction.Context {
    /// As in the bank's API.
    fileprivate var name: String {
        switch self {
        case .payment: "payment"
        case .action: "action"
        case .login: "login"
        }
    }
}
