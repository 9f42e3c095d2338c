import Localization
import StrictJSON

/// The access that a verifier grants to the token of an ACS, for an operator.
package enum VerifierInspection: Equatable, Sendable {
    /// Nil for a verifier of an earlier release, or without an account.
    case granted(PolicyRules?)
    case tokenRefused
    /// The token has another role than `cards`, with fewer or more rights.
    case otherRole
    /// The token can be one of another enterprise, too.
    case noEnterprise
    case noAccount
    case refused(code: String)

    /// The rules of the enterprise's policy that requests because of card payments must meet.
    package struct PolicyRules: Equatable, Sendable {
        package let transactionSeconds: Int
        /// The labels that a request must have, by the name of its context.
        let requiredLabels: [String: [String]]
        package let numberMatchingDigits: Int
    }
}

extension VerifierClient {
    /// Uses the token without a change at the verifier; `account` is that of a card, if there is one.
    package func inspect(
        with account: CardAccount?
    ) async throws(VerifierFailure) -> VerifierInspection {
        let path = try path(of: account ?? unknownAccount)
        var rules: VerifierInspection.PolicyRules?
        switch try await get(path + "/readiness?source=cards") {
        case .document(let body): rules = VerifierInspection.PolicyRules(try Self.read(body))
        case .problem("notFound", "enterprise"): return .noEnterprise
        case .problem("notFound", "account"): if account != nil { return .noAccount }
        case .problem("unauthorized", _): return .tokenRefused
        case .problem("scopeMissing", _): return .otherRole
        case .problem(let code, _): return .refused(code: code)
        }
        // A call that needs another role.
        switch try await get(path + "/transactions?limit=1") {
        case .problem("scopeMissing", _): return .granted(rules)
        case .document, .problem("notFound", _): return .otherRole
        case .problem(let code, _): return .refused(code: code)
        }
    }

    private func get(_ target: String) async throws(VerifierFailure) -> Response {
        try await response(
            to: Call(method: .get, target: target, content: nil, key: nil, wait: .zero)
        )
    }
}

extension VerifierInspection.PolicyRules {
    /// Nil if the verifier does not return them.
    fileprivate init?(_ readiness: JSONValue) {
        guard case .number(let number)? = readiness["transactionSeconds"],
            let seconds = number.integer(Int.self), let required = readiness["requiredFields"]
        else { return nil }
        transactionSeconds = seconds
        // Earlier verifiers do not return it.
        if case .number(let digits)? = readiness["numberMatchingDigits"] {
            numberMatchingDigits = digits.integer(Int.self) ?? 0
        } else {
            numberMatchingDigits = 0
        }
        let pairs = required.elements.map { fields in
            (fields["context"]?.text ?? "", fields["labels"]?.elements.compactMap(\.text) ?? [])
        }
        requiredLabels = Dictionary(pairs) { $0 + $1 }
    }

    /// The required labels that no request of an ACS with these settings has.
    package func missingLabels(by settings: IssuerSettings) -> [String] {
        let language = settings.language
        let own = [
            "payment": [IssuerText.card, IssuerText.shopClock],
            "action": settings.takesNonPayments ? [IssuerText.card, IssuerText.shop] : nil,
        ]
        return own.sorted { $0.key < $1.key }.flatMap { context, texts -> [String] in
            guard let texts else { return [] }
            let labels = texts.map { $0.text(in: language) }
            return (requiredLabels[context] ?? []).filter { !labels.contains($0) }
        }
    }
}
