import TransactionApproval

/// The limits of the policy for one decision.
struct DecisionLimits: Equatable, Sendable {
    /// Nil if the device is not a web device.
    var web: WebDevicePolicy?
    /// The waiting period of the device; nil if it does not wait.
    var wait: DeviceWait?
    /// An approval by consent alone needs it; nil for any other decision.
    var consent: ConsentLimits?

    enum Outcome: Equatable {
        /// An approval adds these sums.
        case allowed(waiting: CurrencySums?, consents: ConsentTotal?)
        case refused(Refusal)
    }

    /// The sums to count, or the refusal by the first limit that is exceeded.
    ///
    /// A rejection has no limits. Bytes that cannot be parsed exceed each one.
    func outcome(
        of choice: DecisionExchange.Choice,
        on transaction: TransactionRecord
    ) -> Outcome {
        guard choice.decision == .approve else { return .allowed(waiting: nil, consents: nil) }
        if let web, !web.isAllowed { return .refused(.typeNotAllowed) }
        let isConsent = choice == .approve(.consent)
        guard web?.ceilings != nil || wait != nil || isConsent else {
            return .allowed(waiting: nil, consents: nil)
        }
        let content = Transaction(wireBytes: transaction.canonicalBytes)?.content
        if let web, web.ceilings != nil, content.map(web.allows) != true {
            return .refused(.amountAboveCeiling)
        }
        let waiting = content.flatMap { wait?.amounts(of: $0) }
        if let wait, waiting == nil { return .refused(.deviceWaiting(until: wait.end)) }
        guard isConsent else { return .allowed(waiting: waiting, consents: nil) }
        let consents = content.flatMap { consent?.total(with: $0) }
        guard let consents else { return .refused(.consentExhausted) }
        return .allowed(waiting: waiting, consents: consents)
    }
}
