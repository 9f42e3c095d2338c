extension DeviceRoute {
    /// The refusals that any route may return.
    package static let commonRefusals: Set<ErrorCode> = [
        .clockSkew, .invalidArgument, .rateLimited, .serverUnavailable, .upgradeRequired,
    ]

    /// All refusals that the verifier may return on this route.
    package var refusals: Set<ErrorCode> { Self.commonRefusals.union(ownRefusals) }

    private var ownRefusals: Set<ErrorCode> {
        switch self {
        case .activationClaim: Self.activationRefusals
        case .activationCommit: Self.activationRefusals.union([.accountAlreadyActivated])
        case .status: [.deviceRevoked, .noAccountActivated]
        case .transactionList, .biometricRemoval, .push, .events, .accountChanges:
            Self.statusRefusals
        case .transaction: Self.statusRefusals.union(Self.transactionRefusals)
        case .decision:
            Self.codeRefusals.union(Self.transactionRefusals)
                .union([.amountAboveCeiling, .deviceWaiting])
        case .login, .pinCheck, .rekey: Self.codeRefusals
        case .deletion: [.deviceRevoked]
        }
    }

    private static let activationRefusals: Set<ErrorCode> = [
        .activationCodeInvalid, .activationCodeExpired,
    ]
    private static let statusRefusals: Set<ErrorCode> = [.deviceRevoked, .credentialLocked]
    private static let transactionRefusals: Set<ErrorCode> = [
        .unknownTransaction, .transactionExpired, .transactionAlreadyDecided,
    ]
    private static let codeRefusals = statusRefusals.union([
        .authenticationFailed, .authenticationTypeNotAllowed, .counterOutOfStep,
    ])
}
