import OneTimePassword
package import TransactionApproval

extension EnterprisePolicy {
    package var forDevices: DevicePolicy {
        DevicePolicy(pin: pin, authentication: authentication, returnAddresses: returnAddresses)
    }

    /// Whether requests for the account are accepted.
    func allows(_ account: Account) -> Bool { allowsTestAccounts || !account.isTest }

    /// Whether typed codes of this kind of device are accepted.
    func takesCodes(of kind: Device.Kind) -> Bool {
        switch kind {
        case .installation: true
        case .token(let suite):
            minimumTokenDigits.map { $0.rawValue <= suite.digits.rawValue } ?? false
        }
    }

    /// Why the bank's request does not become a transaction.
    package enum Refusal: Equatable, Sendable {
        /// The policy allows none of the requested authentication types for this content; these are
        /// the types that it allows.
        case authentication(allowed: AuthenticationTypes)
        /// The content has no field with this label.
        case requiredField(DisplayText)
        case returnURL(ReturnURL)
    }

    /// The authentication types for this content: the types that the bank requests, or all.
    package func acceptedAuthentication(
        for content: Transaction.Content,
        requested: AuthenticationTypes?
    ) -> AuthenticationTypes {
        var types = authentication.intersection(requested ?? .all)
        let isAskedFor = requested?.contains(.consent) ?? false
        if !allowsConsent(to: content, askedFor: isAskedFor) { types.remove(.consent) }
        return types
    }

    /// All reasons to refuse the request; none if it is accepted.
    package func refusals(
        of content: Transaction.Content,
        returnURL: ReturnURL?,
        requested: AuthenticationTypes?
    ) -> [Refusal] {
        let labels = Set(content.fields.map(\.label))
        let required = requiredFields.first { $0.context == content.context }?.labels ?? []
        var refusals = required.filter { !labels.contains($0) }.map { Refusal.requiredField($0) }
        if let returnURL, !returnAddresses.contains(ReturnAddress(of: returnURL)) {
            refusals.append(.returnURL(returnURL))
        }
        if acceptedAuthentication(for: content, requested: requested).isEmpty {
            let allowed = acceptedAuthentication(for: content, requested: .all)
            refusals.append(.authentication(allowed: allowed))
        }
        return refusals
    }

    /// The device alone is one factor: it is enough only up to the ceiling.
    private func allowsConsent(to content: Transaction.Content, askedFor isAskedFor: Bool) -> Bool {
        switch content.context {
        case .payment: isUnderCeilings(content)
        case .action: isAskedFor && isUnderCeilings(content)
        case .login: false
        }
    }

    private func isUnderCeilings(_ content: Transaction.Content) -> Bool {
        content.amounts.allSatisfy { amount in
            consentCeilings.contains {
                $0.currency == amount.currency && amount.minorUnits <= $0.minorUnits
            }
        }
    }
}
