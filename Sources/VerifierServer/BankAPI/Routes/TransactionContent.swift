import BankIntegration
import StrictJSON
import TransactionApproval
import Verification

/// The content of a transaction that the bank requests.
struct TransactionContent: RequestContent {
    let shown: Transaction.Content
    let reference: ExternalReference?
    let returnURL: ReturnURL?
    let authentication: AuthenticationTypes?
    let source: RequestSource
    let lifetime: Duration?

    init?(_ value: CheckedValue) {
        guard let members = value.object(Member.allCases.map(\.rawValue)) else { return nil }
        let context = members.required(.context)?.context()
        let title = members.required(.title)?
            .displayText(atMost: Transaction.Content.maximumTitleLength)
        let fields = members.optional(.fields)?
            .elements(0...Transaction.Content.maximumFields)
            .compactMap { Transaction.DisplayField($0) }
        let isPayment = context == .payment
        let amounts = members.member(.amounts, isRequired: isPayment)?
            .amounts((isPayment ? 1 : 0)...Transaction.Content.maximumAmounts)
        let listed = members.member(.payees, isRequired: isPayment)
        let payees = listed?.elements((isPayment ? 1 : 0)...Transaction.Content.maximumPayees)
            .compactMap { Transaction.Payee($0) }
        if let payees, payees.count > 1, payees.contains(where: { $0.isMerchant }) {
            listed?.violates(.severalMerchants, "A merchant must be the only payee.")
        }
        reference = members.optional(.reference)?.name()
        returnURL = members.optional(.returnURL)?.returnURL()
        authentication = members.optional(.authentication)?.authenticationTypes()
        let names = RequestSource.allCases.map { ($0.rawValue, $0) }
        source = members.optional(.source)?.choice(of: names) ?? .bank
        lifetime = members.optional(.seconds)?.integer(in: 30...600).map {
            Duration.seconds($0 as Int)
        }
        // The violations are noted: `try?`.
        guard
            let context, let title,
            let shown = try? Transaction.Content(
                context: context,
                title: title,
                fields: fields ?? [],
                amounts: amounts ?? [],
                payees: payees ?? []
            )
        else { return nil }
        self.shown = shown
    }

    fileprivate enum Member: String, CaseIterable {
        case context, title, fields, amounts, payees, reference, returnURL, authentication
        case source, seconds
    }
}

extension CheckedObject {
    fileprivate func required(_ member: TransactionContent.Member) -> CheckedValue? {
        required(member.rawValue)
    }

    fileprivate func optional(_ member: TransactionContent.Member) -> CheckedValue? {
        optional(member.rawValue)
    }

    fileprivate func member(
        _ member: TransactionContent.Member,
        isRequired: Bool
    ) -> CheckedValue? {
        isRequired ? required(member) : optional(member)
    }
}

// MARK: Parts

extension Transaction.DisplayField {
    fileprivate init?(_ value: CheckedValue) {
        guard let members = value.object(["label", "value"]) else { return nil }
        let label = members.required("label")?.displayText(atMost: Self.maximumLabelLength)
        let text = members.required("value")?.displayText(atMost: Self.maximumValueLength)
        guard let label, let text else { return nil }
        // The lengths are checked: `try?`.
        try? self.init(label: label, value: text)
    }
}

extension Transaction.Payee {
    fileprivate init?(_ value: CheckedValue) {
        guard let members = value.object(["name", "account", "merchant"]) else { return nil }
        let name = members.required("name")?.displayText(atMost: Self.maximumNameLength)
        let merchant = members.optional("merchant")
        let account = merchant == nil ? members.required("account") : members.optional("account")
        if account != nil {
            merchant?.violates(.twoRecipients, "Must be an account or a merchant.")
        }
        let recipient =
            merchant?.displayText(atMost: Self.maximumMerchantLength).map(Recipient.merchant)
            ?? account?.accountNumber().map(Recipient.account)
        guard let name, let recipient else { return nil }
        // The lengths are checked: `try?`.
        try? self.init(name: name, recipient: recipient)
    }
}

extension CheckedValue {
    fileprivate func accountNumber() -> AccountNumber? {
        guard let text = string() else { return nil }
        if let number = AccountNumber(text) { return number }
        if AccountNumber.hasForm(text) {
            violates(.badIBAN, "The check digits of this IBAN are wrong.")
        } else {
            violates(.badAccountNumber, "Must be 1 to 34 upper-case letters and digits.")
        }
        return nil
    }

    func name<Name: TextIdentifier>() -> Name? {
        guard let text = string() else { return nil }
        if let name = Name(text) { return name }
        violates(
            .badName,
            "Must be 1 to 64 letters, digits, dots, underscores and hyphens, but not . or .. alone."
        )
        return nil
    }

    fileprivate func returnURL() -> ReturnURL? {
        guard let text = string() else { return nil }
        if let url = ReturnURL(text) { return url }
        violates(
            .badURL,
            "Must be an https URL or a URL of an app, without user, port or fragment, of at most "
                + "\(ReturnURL.maximumByteCount) characters."
        )
        return nil
    }
}

// MARK: Rules

extension Violation.Rule {
    fileprivate static let twoRecipients = Self(rawValue: "twoRecipients")
    fileprivate static let severalMerchants = Self(rawValue: "severalMerchants")
    fileprivate static let badAccountNumber = Self(rawValue: "badAccountNumber")
    fileprivate static let badIBAN = Self(rawValue: "badIBAN")
    fileprivate static let badName = Self(rawValue: "badName")
}

extension EnterprisePolicy.Refusal {
    /// The violation of the policy by this content.
    func violation(by content: TransactionContent) -> Violation {
        switch self {
        case .authentication(let allowed):
            return content.violation("authentication", allowed)
        case .consentExhausted(let allowed):
            let sentence = "Consent is used up until the person uses PIN or biometrics. "
            return content.violation("consentExhausted", allowed, after: sentence)
        case .requiredField(let label):
            return Violation(
                "/fields",
                Violation.Rule(rawValue: "requiredField"),
                "The policy requires a field with the label \(label) (requiredFields)."
            )
        case .returnURL(let url):
            return Violation(
                "/returnURL",
                Violation.Rule(rawValue: "returnAddress"),
                value: url.text,
                "The policy does not list this address (returnAddresses)."
            )
        case .source:
            return Violation(
                "/source",
                .notAllowed,
                value: content.source.rawValue,
                "With cards, the content pays a merchant, or is an action."
            )
        case .lifetime(let maximum):
            return Violation(
                "/seconds",
                .outOfRange,
                value: content.lifetime.map { "\($0.components.seconds)" },
                "The policy allows at most \(maximum.components.seconds) (transactionSeconds)."
            )
        }
    }
}

extension TransactionContent {
    fileprivate func violation(
        _ rule: String,
        _ allowed: AuthenticationTypes,
        after sentence: String = ""
    ) -> Violation {
        let names = allowed.names.isEmpty ? "none" : allowed.names
        return Violation(
            "/authentication",
            Violation.Rule(rawValue: rule),
            value: authentication.map(\.names),
            "\(sentence)For this content the policy allows: \(names)."
        )
    }
}

extension AuthenticationTypes {
    fileprivate var names: String {
        AuthenticationType.allCases.filter { contains($0) }.map(\.rawValue).joined(separator: ", ")
    }
}

package enum ContextName: String, Codable, Sendable {
    case payment, action, login

    init(_ context: Transaction.Context) {
        self =
            switch context {
            case .payment: .payment
            case .action: .action
            case .login: .login
            }
    }
}
