package import StrictJSON
package import TransactionApproval

/// The parts of transactions and policies in the bank's documents.
extension CheckedValue {
    package func authenticationTypes() -> AuthenticationTypes {
        let all = AuthenticationType.allCases.map { ($0.rawValue, AuthenticationTypes($0)) }
        var types: AuthenticationTypes = []
        for element in elements(1...all.count) {
            guard let type = element.choice(of: all) else { continue }
            if types.contains(type) { element.violates(.repeated, "Each type can occur once.") }
            types.insert(type)
        }
        return types
    }

    /// No currency occurs twice.
    package func amounts(_ counts: ClosedRange<Int> = 0...Int.max) -> [Amount] {
        var amounts: [Amount] = []
        for element in elements(counts) {
            guard
                let members = element.object(["currency", "minorUnits"]),
                let amount = members.amount(besides: amounts.map(\.currency))
            else { continue }
            amounts.append(amount)
        }
        return amounts
    }

    fileprivate func currency() -> Currency? {
        guard let code = string() else { return nil }
        if let currency = Currency(code) { return currency }
        violates(.badCurrency, "Must be a current currency code of ISO 4217.")
        return nil
    }

    package func context() -> Transaction.Context? {
        choice(of: Transaction.Context.allCases.map { ($0.name, $0) })
    }

    package func displayText(atMost limit: Int = .max) -> DisplayText? {
        guard let string = string() else { return nil }
        do throws(DisplayText.Refusal) {
            let text = try DisplayText(string)
            if text.count <= limit { return text }
            violates(.tooLong, "Must have at most \(limit) characters.")
        } catch {
            let (rule, sentence) = error.rule.named
            violates(rule, sentence)
        }
        return nil
    }
}

extension CheckedObject {
    /// An amount in none of the earlier currencies.
    func amount(besides earlier: [Currency]) -> Amount? {
        let currency = required("currency")?.currency()
        let number = required("minorUnits")?.integer(in: 0...Amount.maximumMinorUnits)
        guard let currency, let number else { return nil }
        guard !earlier.contains(currency) else {
            optional("currency")?.violates(.repeated, "Each currency can occur once.")
            return nil
        }
        return Amount(minorUnits: number, currency: currency)
    }
}

extension Transaction.Context {
    package var name: String {
        switch self {
        case .payment: "payment"
        case .action: "action"
        case .login: "login"
        }
    }
}

// MARK: Rules

extension Violation.Rule {
    package static let tooLong = Self(rawValue: "tooLong")
    package static let badURL = Self(rawValue: "badURL")
    fileprivate static let badCurrency = Self(rawValue: "badCurrency")
}

extension DisplayText.Rule {
    fileprivate var named: (Violation.Rule, String) {
        let (name, sentence) =
            switch self {
            case .empty: ("empty", "Must not be empty.")
            case .hidden:
                ("hidden", "Must not contain control, formatting or unassigned characters.")
            case .whiteSpace: ("whiteSpace", "Must not contain white space other than U+0020.")
            case .spacing:
                (
                    "spacing",
                    "Must not begin or end with a space, or contain two spaces in a row."
                )
            case .unsupported:
                ("unsupported", "Must only contain characters of supported scripts.")
            case .marks:
                ("marks", "Must not stack combining marks, or use them without a letter.")
            case .mixedScripts: ("mixedScripts", "Must not mix scripts within a word.")
            case .mixedDigits:
                ("mixedDigits", "Must not mix digits of several scripts within a number.")
            case .notNormalized: ("notNormalized", "Must be in Unicode Normalization Form C.")
            }
        return (Violation.Rule(rawValue: name), sentence)
    }
}
