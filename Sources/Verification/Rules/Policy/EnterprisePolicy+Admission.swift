import OneTimePassword
package import TransactionApproval

extension EnterprisePolicy {
    /// The rules for a device of this kind.
    package func forDevice(isWeb: Bool) -> DevicePolicy {
        DevicePolicy(
            pin: pin,
            authentication: authentication,
            device: isWeb ? (webDevices.requiresPRF ? .webWithPRF : .web) : .app,
            returnAddresses: returnAddresses
        )
    }

    /// Whether a device of this kind may be activated, and may approve.
    func allowsDevice(isWeb: Bool) -> Bool { !isWeb || webDevices.isAllowed }

    func push(from source: RequestSource) -> PushPolicy {
        switch source {
        case .bank: push
        case .cards: cards
        }
    }

    /// Whether requests for the account are accepted.
    func allows(_ account: Account) -> Bool { allowsTestAccounts || !account.isTest }

    /// Whether typed codes of this device are accepted.
    ///
    /// A web device makes none (SEC-113).
    func takesCodes(of device: Device) -> Bool { !device.isWeb && takesCodes(of: device.kind) }

    /// Whether typed codes of this kind are accepted at all.
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
        /// Consent was requested, and the person must use PIN or biometrics first; these types are
        /// left.
        case consentExhausted(allowed: AuthenticationTypes)
        /// The content has no field with this label.
        case requiredField(DisplayText)
        case returnURL(ReturnURL)
        /// A request because of a card payment logs in, or pays an account.
        case source
        /// Longer than the policy allows.
        case lifetime(maximum: Duration)
    }

    /// The authentication types for this content: the types that the bank requests, or all.
    ///
    /// `consents` is nil if the earlier consents of the person are not known.
    package func acceptedAuthentication(
        for content: Transaction.Content,
        requested: AuthenticationTypes?,
        after consents: ConsentTotal?
    ) -> AuthenticationTypes {
        var types = authentication.intersection(requested ?? .all)
        let isAskedFor = requested?.contains(.consent) ?? false
        let isEnough = allowsConsent(to: content, askedFor: isAskedFor)
        if !isEnough || consents?.adding(content.amounts, within: consent) == nil {
            types.remove(.consent)
        }
        return types
    }

    /// All reasons to refuse the request; none if it is accepted.
    package func refusals(
        of content: Transaction.Content,
        from source: RequestSource,
        returnURL: ReturnURL?,
        lifetime: Duration? = nil,
        requested: AuthenticationTypes?,
        after consents: ConsentTotal?
    ) -> [Refusal] {
        let labels = Set(content.fields.map(\.label))
        let required = requiredFields.first { $0.context == content.context }?.labels ?? []
        var refusals = required.filter { !labels.contains($0) }.map { Refusal.requiredField($0) }
        if let returnURL, !allows(returnURL, from: source) {
            refusals.append(.returnURL(returnURL))
        }
        // The program for card payments must not speak for the bank's other services.
        if source == .cards,
            content.context == .login || !content.payees.allSatisfy(\.isMerchant)
        {
            refusals.append(.source)
        }
        if let lifetime, lifetime > transactionLifetime {
            refusals.append(.lifetime(maximum: transactionLifetime))
        }
        if let refusal = refusal(of: content, requested: requested, after: consents) {
            refusals.append(refusal)
        }
        return refusals
    }

    /// The bank knows its own addresses, but not those of all shops.
    private func allows(_ url: ReturnURL, from source: RequestSource) -> Bool {
        returnAddresses.contains { address in
            address.includes(url) && (source == .cards || !address.hasAnyHost)
        }
    }

    private func refusal(
        of content: Transaction.Content,
        requested: AuthenticationTypes?,
        after consents: ConsentTotal?
    ) -> Refusal? {
        func types(_ requested: AuthenticationTypes?, _ consents: ConsentTotal?)
            -> AuthenticationTypes
        {
            acceptedAuthentication(for: content, requested: requested, after: consents)
        }
        guard types(requested, consents).isEmpty else { return nil }
        let allowed = types(.all, consents)
        // Without earlier consents, the request would be accepted.
        return types(requested, .zero).isEmpty
            ? .authentication(allowed: allowed) : .consentExhausted(allowed: allowed)
    }

    /// The device alone is one factor: it is never enough for a login.
    private func allowsConsent(to content: Transaction.Content, askedFor isAskedFor: Bool) -> Bool {
        switch content.context {
        case .payment: true
        case .action: isAskedFor
        case .login: false
        }
    }
}
