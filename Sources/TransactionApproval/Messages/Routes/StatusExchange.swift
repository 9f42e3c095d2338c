package import Cryptography
package import OneTimePassword

/// The state of a device, needed after a crash, a lost response or a restored backup.
package enum StatusExchange: DeviceExchange {
    package static let route = DeviceRoute.status

    package struct Request: DeviceMessage {
        /// The request without a response, which the verifier ends.
        package let unanswered: UnansweredRequest?

        package init(_ unanswered: UnansweredRequest? = nil) {
            self.unanswered = unanswered
        }
    }

    package struct Response: DeviceMessage {
        /// Changes if the bank replaces the account.
        package let account: AccountKey
        package let credentials: [CredentialStatus]
        package let policy: DevicePolicy
        /// The key that will sign responses after the next rotation.
        package let nextServerKey: P256.PublicKey?
        /// The key for activations and rekeys, from now on.
        package let nextAgreementKey: AgreementKeyAnnouncement?

        package init(
            account: AccountKey,
            credentials: [CredentialStatus],
            policy: DevicePolicy,
            nextServerKey: P256.PublicKey? = nil,
            nextAgreementKey: AgreementKeyAnnouncement? = nil
        ) {
            self.account = account
            self.credentials = credentials
            self.policy = policy
            self.nextServerKey = nextServerKey
            self.nextAgreementKey = nextAgreementKey
        }
    }
}

/// The verifier's state of a credential.
package struct CredentialStatus: Codable, Equatable, Sendable {
    package let id: CredentialID
    package let kind: CredentialKind
    package let position: CredentialPosition
    /// False if the bank disabled it.
    package let isEnabled: Bool
    package let lock: LockEnd?

    package init(
        id: CredentialID,
        kind: CredentialKind,
        position: CredentialPosition,
        isEnabled: Bool,
        lock: LockEnd? = nil
    ) {
        self.id = id
        self.kind = kind
        self.position = position
        self.isEnabled = isEnabled
        self.lock = lock
    }
}

/// The next code that the verifier accepts.
package struct CredentialPosition: Codable, Equatable, Sendable {
    package let generation: Generation
    package let epoch: Epoch
    package let minimumCounter: Counter

    package init(generation: Generation, epoch: Epoch, minimumCounter: Counter) {
        self.generation = generation
        self.epoch = epoch
        self.minimumCounter = minimumCounter
    }

    /// How far one side's counter may be ahead of the other's.
    ///
    /// It counts codes that never arrived, so the limit is large.
    package static let reach: UInt64 = 1 << 20

    /// Whether a device with this counter may move to the position, or is ahead of it.
    package func isWithinReach(of counter: Counter) -> Bool {
        minimumCounter <= counter || minimumCounter.value - counter.value <= Self.reach
    }
}

/// When a lock ends: in JSON `{"until":…}` or `{"never":true}`.
public enum LockEnd: Equatable, Sendable {
    case until(Timestamp)
    /// Until a new activation.
    case never
}

extension LockEnd: Codable {
    private enum CodingKeys: CodingKey {
        case until, never
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        guard members.contains(.never) else {
            self = .until(try members.decode(Timestamp.self, forKey: .until))
            return
        }
        guard try members.decode(Bool.self, forKey: .never) else {
            throw DecodingError.refused(in: decoder)
        }
        self = .never
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .until(let end): try members.encode(end, forKey: .until)
        case .never: try members.encode(true, forKey: .never)
        }
    }
}
