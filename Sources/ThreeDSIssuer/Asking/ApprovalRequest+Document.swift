package import StrictJSON
import Transactions

extension ApprovalRequest {
    /// The body of `POST …/accounts/{type}/{id}/transactions`.
    package var document: JSONValue {
        let names = AuthenticationType.allCases.filter { authentication.contains($0) }
        return .object([
            .init(name: "source", value: .string("cards")),
            .init(name: "seconds", value: .number(JSONNumber(seconds))),
            .init(name: "context", value: .string(content.context.name)),
            .init(name: "title", value: .string(content.title.text)),
            .init(name: "amounts", value: .array(content.amounts.map(\.document))),
            .init(name: "payees", value: .array(content.payees.map(\.document))),
            .init(name: "fields", value: .array(content.fields.map(\.document))),
            .init(name: "reference", value: .string(reference.text)),
            .init(name: "authentication", value: .array(names.map { .string($0.rawValue) })),
        ])
    }
}

extension Transaction.Context {
    fileprivate var name: String {
        switch self {
        case .payment: "payment"
        case .action: "action"
        case .login: "login"
        }
    }
}

extension Amount {
    fileprivate var document: JSONValue {
        .object([
            .init(name: "currency", value: .string(currency.code)),
            .init(name: "minorUnits", value: .number(JSONNumber(minorUnits))),
        ])
    }
}

extension Transaction.Payee {
    fileprivate var document: JSONValue {
        let (name, text) =
            switch recipient {
            case .account(let account): ("account", account.text)
            case .merchant(let merchant): ("merchant", merchant.text)
            }
        return .object([
            .init(name: "name", value: .string(self.name.text)),
            .init(name: name, value: .string(text)),
        ])
    }
}

extension Transaction.DisplayField {
    fileprivate var document: JSONValue {
        .object([
            .init(name: "label", value: .string(label.text)),
            .init(name: "value", value: .string(value.text)),
        ])
    }
}
