extension BankToken {
    /// A permission of one bank program.
    ///
    /// The raw values are in the API's description. No scope can approve for a person (SEC-66).
    package enum Scope: String, CaseIterable, Sendable {
        /// Read everything except secrets and the audit trail.
        case read
        case audit
        /// Create, link, unlink and replace accounts.
        case accounts
        /// Issue activations, without their codes.
        case activations
        /// Read the codes of open activations.
        case activationCodes = "activations.codes"
        /// Revoke devices; unlock, disable, enable and resynchronise credentials.
        case support
        /// Request approvals, notify of them again, read the numbers that people type, and withdraw
        /// requests.
        case transactions
        /// Request approvals of card payments; show, await and withdraw these requests, and notify of
        /// them again; read whether an account is ready for them.
        case cards
        /// Redeem logins and verify typed codes.
        case codes
        /// Create enterprises, set policies and retry deliveries.
        case administration
    }

    /// The kind of bank program; the raw values are in stores.
    package enum Role: String, CaseIterable, Sendable {
        /// The bank's own systems.
        case issuer
        case customerService
        case auditor
        case administrator
        /// The program that sends activation codes, for example by letter.
        case codeDelivery
        /// The program that represents the bank in card payments.
        case cards

        package var scopes: Set<Scope> {
            switch self {
            case .issuer:
                [.read, .accounts, .activations, .activationCodes, .transactions, .codes]
            case .customerService: [.read, .activations, .support]
            case .auditor: [.read, .audit]
            case .administrator: [.read, .administration]
            case .codeDelivery: [.activationCodes]
            case .cards: [.cards]
            }
        }
    }
}
