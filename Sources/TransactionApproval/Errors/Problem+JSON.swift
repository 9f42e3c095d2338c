/// A problem document (RFC 9457) with the members of its code.
///
/// A device that does not know the code treats the result as unknown.
extension Problem: DeviceMessage {
    package static let contentType = "application/problem+json"

    package static let namespace = "urn:countersign:"
    private static let maximumTitleLength = 512

    private enum CodingKeys: CodingKey {
        case type, title, status
        case attemptsLeft, finalState, lock, position, retryAfterSeconds, serverTime, waitsUntil
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(Self.namespace + code.rawValue, forKey: .type)
        try members.encode(ownTitle ?? code.supportSentence, forKey: .title)
        try members.encode(status, forKey: .status)
        switch self {
        case .authenticationFailed(let left): try members.encode(left, forKey: .attemptsLeft)
        case .clockSkew(let time): try members.encode(time, forKey: .serverTime)
        case .counterOutOfStep(let position): try members.encode(position, forKey: .position)
        case .credentialLocked(let lock): try members.encode(lock, forKey: .lock)
        case .deviceWaiting(let end): try members.encode(end, forKey: .waitsUntil)
        case .rateLimited(let wait): try members.encode(wait, forKey: .retryAfterSeconds)
        case .transactionAlreadyDecided(let state): try members.encode(state, forKey: .finalState)
        default: break
        }
    }

    /// Nil if the sentence for a person is right here: on a device, a code can have another cause.
    private var ownTitle: String? {
        guard case .accountAlreadyActivated = self else { return nil }
        return "Each account of the activation has the maximum number of devices; remove another "
            + "one first."
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let type = try members.decode(String.self, forKey: .type)
        // The title may change in any release, and is never displayed.
        let title = try members.decode(String.self, forKey: .title)
        guard
            type.hasPrefix(Self.namespace), title.utf8.count <= Self.maximumTitleLength,
            let code = ErrorCode(rawValue: String(type.dropFirst(Self.namespace.count)))
        else { throw DecodingError.refused(in: decoder) }
        guard let problem = try Self(code, members) else {
            throw DecodingError.refused(in: decoder)
        }
        guard try members.decode(Int.self, forKey: .status) == problem.status else {
            throw DecodingError.refused(in: decoder)
        }
        self = problem
    }

    /// Nil for codes that only a device uses.
    private init?(_ code: ErrorCode, _ members: KeyedDecodingContainer<CodingKeys>) throws {
        switch code {
        case .noAccountActivated: self = .noAccountActivated
        case .deviceRevoked: self = .deviceRevoked
        case .clockSkew:
            self = .clockSkew(serverTime: try members.decode(Timestamp.self, forKey: .serverTime))
        case .invalidArgument: self = .invalidArgument
        case .rateLimited:
            let wait = try members.decode(UInt32.self, forKey: .retryAfterSeconds)
            self = .rateLimited(retryAfterSeconds: wait)
        case .serverUnavailable: self = .serverUnavailable
        case .upgradeRequired: self = .upgradeRequired
        case .accountAlreadyActivated: self = .accountAlreadyActivated
        case .activationCodeInvalid: self = .activationCodeInvalid
        case .activationCodeExpired: self = .activationCodeExpired
        case .unknownTransaction: self = .unknownTransaction
        case .transactionExpired: self = .transactionExpired
        case .transactionAlreadyDecided:
            let state = try members.decode(FinalState.self, forKey: .finalState)
            self = .transactionAlreadyDecided(state)
        case .authenticationFailed:
            let left = try members.decode(UInt8.self, forKey: .attemptsLeft)
            self = .authenticationFailed(attemptsLeft: left)
        case .credentialLocked:
            self = .credentialLocked(try members.decode(LockEnd.self, forKey: .lock))
        case .deviceWaiting:
            self = .deviceWaiting(until: try members.decode(Timestamp.self, forKey: .waitsUntil))
        case .amountAboveCeiling: self = .amountAboveCeiling
        case .authenticationTypeNotAllowed: self = .authenticationTypeNotAllowed
        case .counterOutOfStep:
            let position = try members.decode(CredentialPosition.self, forKey: .position)
            self = .counterOutOfStep(position)
        default: return nil
        }
    }
}
