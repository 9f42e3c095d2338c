extension BankToken {
    /// Something that one program of the bank may do and another may not.
    ///
    /// The raw values are in the API's description. None of them says yes for a person (SEC-66).
    package enum Scope: String, CaseIterable, Sendable {
        /// See what there is, but for secrets and for the audit trail.
        case read
        case audit
        /// Make accounts, link them, and put one in the place of another.
        case accounts
        /// Issue activations, and see their codes.
        case activations
        /// Revoke devices; unlock, switch off and on, and bring into step their credentials.
        case support
        /// Ask for approvals, see the numbers that people type, and take requests back.
        case transactions
        /// Redeem logins, and have the codes judged that people type.
        case codes
        /// Make enterprises, set their policies, and have deliveries tried again.
        case administration
    }

    /// Whose program it is; the raw values are in stores.
    package enum Role: String, CaseIterable, Sendable {
        /// The bank's own systems, which people use.
        case issuer
        case customerService
        case auditor
        case administrator

        package var scopes: Set<Scope> {
            switch self {
            case .issuer: [.read, .accounts, .activations, .transactions, .codes]
            case .customerService: [.read, .activations, .support]
            case .auditor: [.read, .audit]
            case .administrator: [.read, .administration]
            }
        }
    }
}
