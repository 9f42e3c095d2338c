import TransactionApproval
import Verification

/// The content of a transaction as the bank sends it, not validated yet.
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

/// The member of a transaction's content that breaks a rule.
struct ContentFailure: Error, Equatable {
    /// A JSON pointer (RFC 6901).
    let pointer: String
    /// The member's value, or nil if it is missing or not a text or number.
    let value: String?
    /// The rule, as a sentence for the bank's developers.
    let rule: String

    init(_ pointer: String, _ value: String? = nil, _ rule: String) {
        self.pointer = pointer
        self.value = value.map { visible(String($0.prefix(Self.maximumValue))) }
        self.rule = rule
    }

    private static let maximumValue = 200
}

extension TransactionRequest {
    init(_ content: TransactionContent, for account: AccountReference) throws(ContentFailure) {
        self.init(
            account: account,
            content: try Transaction.Content(content),
            reference: content.reference,
            returnURL: try content.returnURL.map { text throws(ContentFailure) in
                guard let url = ReturnURL(text) else {
                    throw ContentFailure(
                        "/returnURL",
                        text,
                        "Must be an https URL or a URL of an app, without user, port or fragment."
                    )
                }
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
                throw ContentFailure(
                    pointer + "/currency",
                    sum.currency,
                    "Must be a current currency code of ISO 4217."
                )
            }
            guard let amount = Amount(minorUnits: sum.minorUnits, currency: currency) else {
                throw ContentFailure(
                    pointer + "/minorUnits",
                    String(sum.minorUnits),
                    "Must be at most \(Amount.maximumMinorUnits)."
                )
            }
            return amount
        }
        let payees = try mapped(content.payees, "/payees") {
            payee,
            pointer throws(ContentFailure) in
            let name = try text(payee.name, pointer + "/name")
            guard let account = AccountNumber(payee.account) else {
                throw ContentFailure(
                    pointer + "/account",
                    payee.account,
                    "Must be 1 to 34 upper-case letters and digits; an IBAN needs valid check digits."
                )
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
        throw ContentFailure(pointer, text, error.rule.sentence)
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
        throw ContentFailure(pointer.isEmpty ? error.pointer : pointer, nil, error.sentence)
    }
}

extension Transaction.Failure {
    /// The member that this failure is about.
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

extension Transaction.Failure {
    fileprivate var sentence: String {
        switch self {
        case .missing: "A payment must have at least one amount and one payee."
        case .tooMany:
            "At most \(Transaction.Content.maximumFields) fields, "
                + "\(Transaction.Content.maximumAmounts) amounts and "
                + "\(Transaction.Content.maximumPayees) payees are allowed."
        case .tooLong(.title):
            "At most \(Transaction.Content.maximumTitleLength) characters are allowed."
        case .tooLong(.displayFields):
            "A label has at most \(Transaction.DisplayField.maximumLabelLength) characters and a value "
                + "at most \(Transaction.DisplayField.maximumValueLength)."
        case .tooLong: "A name has at most \(Transaction.Payee.maximumNameLength) characters."
        case .invalid(.amounts): "Each currency can occur once."
        case .invalid, .notCanonical: "The content contradicts itself."
        }
    }
}

extension DisplayText.Rule {
    fileprivate var sentence: String {
        switch self {
        case .empty: "Must not be empty."
        case .hidden: "Must not contain control, formatting or unassigned characters."
        case .whiteSpace: "Must not contain white space other than U+0020."
        case .spacing: "Must not begin or end with a space, or contain two spaces in a row."
        case .unsupported: "Must only contain characters of supported scripts."
        case .marks: "Must not stack combining marks, or use them without a letter."
        case .mixedScripts: "Must not mix scripts within a word."
        case .mixedDigits: "Must not mix digits of several scripts within a number."
        case .notNormalized: "Must be in Unicode Normalization Form C."
        }
    }
}

extension EnterprisePolicy.Refusal {
    /// The violation of the policy by this content.
    func failure(in content: TransactionContent) -> ContentFailure {
        switch self {
        case .authentication(let allowed):
            let names = AuthenticationType.allCases.filter { allowed.contains($0) }.map(\.rawValue)
            return ContentFailure(
                "/authentication",
                content.authentication?.map(\.rawValue).joined(separator: ", "),
                "For this content the policy allows: \(names.isEmpty ? "none" : names.joined(separator: ", "))."
            )
        case .requiredField(let label):
            return ContentFailure(
                "/fields",
                nil,
                "The policy requires a field with the label \(label) (requiredFields)."
            )
        case .returnURL:
            return ContentFailure(
                "/returnURL",
                content.returnURL,
                "The policy does not list this address (returnAddresses)."
            )
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
