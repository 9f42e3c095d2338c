import TransactionApproval
import Verification

/// What the bank asks somebody to approve, before anybody looked at its rules.
package struct TransactionContent: Decodable, Sendable {
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
        package let account: String
    }

    let context: ContextName
    let title: String
    let fields: [Field]?
    let amounts: [Sum]?
    let payees: [Payee]?
    let reference: ExternalReference?
    let returnURL: String?
    let authentication: [AuthenticationType]?
}

package enum ContextName: String, Codable, Sendable {
    case payment, action, login
}

/// Which member breaks a rule, by its JSON pointer.
struct ContentFailure: Error {
    let pointer: String
}

extension TransactionRequest {
    init(_ content: TransactionContent, for account: AccountReference) throws(ContentFailure) {
        self.init(
            account: account,
            content: try Transaction.Content(content),
            reference: content.reference,
            returnURL: try content.returnURL.map { text throws(ContentFailure) in
                guard let url = ReturnURL(text) else { throw ContentFailure(pointer: "/returnURL") }
                return url
            },
            authentication: content.authentication.map { types in
                types.reduce(into: []) { $0.insert(AuthenticationTypes($1)) }
            }
        )
    }
}

extension Transaction.Content {
    fileprivate init(_ content: TransactionContent) throws(ContentFailure) {
        let title = try text(content.title, "/title")
        let fields = try mapped(content.fields, "/fields") {
            field,
            pointer throws(ContentFailure) in
            let label = try text(field.label, pointer + "/label")
            let value = try text(field.value, pointer + "/value")
            return try checked(pointer) { () throws(Transaction.Failure) in
                try Transaction.DisplayField(label: label, value: value)
            }
        }
        let amounts = try mapped(content.amounts, "/amounts") {
            sum,
            pointer throws(ContentFailure) in
            guard let currency = Currency(sum.currency) else {
                throw ContentFailure(pointer: pointer + "/currency")
            }
            guard let amount = Amount(minorUnits: sum.minorUnits, currency: currency) else {
                throw ContentFailure(pointer: pointer + "/minorUnits")
            }
            return amount
        }
        let payees = try mapped(content.payees, "/payees") {
            payee,
            pointer throws(ContentFailure) in
            let name = try text(payee.name, pointer + "/name")
            guard let account = AccountNumber(payee.account) else {
                throw ContentFailure(pointer: pointer + "/account")
            }
            return try checked(pointer) { () throws(Transaction.Failure) in
                try Transaction.Payee(name: name, account: account)
            }
        }
        self = try checked("") { () throws(Transaction.Failure) in
            try Transaction.Content(
                context: Transaction.Context(content.context),
                title: title,
                fields: fields,
                amounts: amounts,
                payees: payees
            )
        }
    }
}

private func text(_ text: String, _ pointer: String) throws(ContentFailure) -> DisplayText {
    do throws(DisplayText.Refusal) {
        return try DisplayText(text)
    } catch {
        throw ContentFailure(pointer: pointer)
    }
}

private func mapped<Source, Value>(
    _ values: [Source]?,
    _ pointer: String,
    _ read: (Source, String) throws(ContentFailure) -> Value
) throws(ContentFailure) -> [Value] {
    var made: [Value] = []
    for (index, value) in (values ?? []).enumerated() {
        made.append(try read(value, "\(pointer)/\(index)"))
    }
    return made
}

private func checked<Value>(
    _ pointer: String,
    _ make: () throws(Transaction.Failure) -> Value
) throws(ContentFailure) -> Value {
    do throws(Transaction.Failure) {
        return try make()
    } catch {
        throw ContentFailure(pointer: pointer.isEmpty ? error.pointer : pointer)
    }
}

extension Transaction.Failure {
    /// Of the whole content's member.
    fileprivate var pointer: String {
        switch self {
        case .missing(let field), .tooMany(let field), .tooLong(let field), .invalid(let field):
            switch field {
            case .title: "/title"
            case .displayFields: "/fields"
            case .amounts: "/amounts"
            case .payees: "/payees"
            default: ""
            }
        case .notCanonical: ""
        }
    }
}

extension Transaction.Context {
    fileprivate init(_ name: ContextName) {
        self =
            switch name {
            case .payment: .payment
            case .action: .action
            case .login: .login
            }
    }
}

extension ContextName {
    init(_ context: Transaction.Context) {
        self =
            switch context {
            case .payment: .payment
            case .action: .action
            case .login: .login
            }
    }
}
