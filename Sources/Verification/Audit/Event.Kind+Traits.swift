extension Event.Kind {
    /// The consequences of a record of this kind, in one table.
    private struct Traits: OptionSet {
        let rawValue: UInt8

        /// It may be a sign of an attack.
        static let alarm = Traits(rawValue: 1)
        /// A restore from an earlier backup must repeat the change.
        static let journaled = Traits(rawValue: 2)
        /// The bank gets a webhook: at each end of a transaction and at security events (SEC-56).
        static let webhook = Traits(rawValue: 4)
        /// The subject is a transaction.
        static let ofTransaction = Traits(rawValue: 8)
        /// The person's devices can get a push.
        static let push = Traits(rawValue: 16)
    }

    /// The kinds that may be signs of an attack.
    package static let alarms = allCases.filter { $0.traits.contains(.alarm) }
    var isJournaled: Bool { traits.contains(.journaled) }
    package var notifiesBank: Bool { traits.contains(.webhook) }
    var concernsTransaction: Bool { traits.contains(.ofTransaction) }
    var canBePushed: Bool { traits.contains(.push) }
    /// True if it may lead to a delivery.
    package var isDelivered: Bool { !traits.isDisjoint(with: [.webhook, .push]) }

    private var traits: Traits {
        switch self {
        case .enterpriseCreated: []
        case .policyChanged: [.alarm, .journaled, .webhook]
        case .accountCreated: []
        case .accountsLinked: [.webhook]
        case .accountsUnlinked: [.journaled]
        case .accountReplaced: [.alarm, .journaled, .webhook]
        case .activationIssued: [.webhook]
        case .activationFailed: [.alarm, .webhook]
        case .activationClaimed: []
        case .activationRevoked: [.journaled]
        case .activationExpired: []
        case .activationCodeRead: []
        case .deviceActivated: [.journaled, .webhook]
        case .tokenAdded: []
        case .tokenExported: [.alarm]
        case .deviceRevoked: [.journaled, .webhook]
        case .deviceCopied: [.alarm, .webhook]
        case .notificationsChanged: []
        case .credentialAdded: [.journaled, .webhook]
        case .credentialRekeyed: [.journaled, .webhook]
        case .credentialRemoved: [.journaled, .webhook]
        case .credentialOutdated: [.journaled, .webhook]
        case .credentialDisabled: [.journaled, .webhook]
        case .credentialEnabled: [.journaled, .webhook]
        case .credentialResynchronised: []
        case .codeAccepted: []
        case .codeRefused: []
        case .codeReused: [.alarm, .webhook]
        case .failuresRepeated: [.alarm, .webhook]
        case .credentialLocked: [.alarm, .webhook]
        case .blockImminent: [.alarm, .webhook]
        case .credentialBlocked: [.alarm, .journaled, .webhook]
        case .credentialUnlocked: [.webhook]
        case .transactionCreated: [.ofTransaction, .push]
        case .transactionNotified: [.ofTransaction, .push]
        case .transactionApproved: [.webhook, .ofTransaction]
        case .transactionRejected: [.webhook, .ofTransaction]
        case .transactionExpired: [.webhook, .ofTransaction]
        case .transactionWithdrawn: [.webhook, .ofTransaction]
        case .transactionVoided: [.webhook, .ofTransaction]
        case .transactionNumberRead: []
        case .personDenied: [.alarm, .webhook, .ofTransaction]
        case .loginRedeemed: []
        case .deliveryRetried: []
        case .bankTokenCreated: [.alarm, .webhook]
        case .bankTokenRevoked: [.journaled]
        case .callRequested: [.webhook]
        case .callConfirmed: [.webhook]
        case .storeRestored: [.journaled]
        case .keyRotated: []
        case .keysEnded: []
        case .timeRecorded: []
        case .rowForged: [.alarm]
        }
    }
}
