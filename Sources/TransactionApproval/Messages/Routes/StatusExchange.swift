package import Cryptography
package import OneTimePassword

/// What a device asks when it does not know how the last thing ended: after a crash, a lost answer
/// or a restored backup.
package enum StatusExchange: DeviceExchange {
    package static let route = DeviceRoute.status

    package struct Request: DeviceMessage {
        /// What was sent and not answered, of which the answer decides how it ended.
        package let unanswered: Unanswered?

        package init(_ unanswered: Unanswered? = nil) {
            self.unanswered = unanswered
        }
    }

    package struct Response: DeviceMessage {
        /// Another one than before where the bank put it in the place of that.
        package let account: AccountKey
        package let credentials: [CredentialStatus]
        package let policy: DevicePolicy
        /// What the server will sign answers with one day, once that is decided.
        package let nextServerKey: P256.PublicKey?

        package init(
            account: AccountKey,
            credentials: [CredentialStatus],
            policy: DevicePolicy,
            nextServerKey: P256.PublicKey? = nil
        ) {
            self.account = account
            self.credentials = credentials
            self.policy = policy
            self.nextServerKey = nextServerKey
        }
    }
}

/// A credential as the verifier has it.
package struct CredentialStatus: Codable, Equatable, Sendable {
    package let id: CredentialID
    package let kind: CredentialKind
    package let position: CredentialPosition
    /// False while the bank has it switched off.
    package let isEnabled: Bool
    /// Nil where it is not locked.
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

/// Which code the verifier would take next: all that a device needs to fall into step.
package struct CredentialPosition: Codable, Equatable, Sendable {
    package let generation: Generation
    package let epoch: Epoch
    package let minimumCounter: Counter

    package init(generation: Generation, epoch: Epoch, minimumCounter: Counter) {
        self.generation = generation
        self.epoch = epoch
        self.minimumCounter = minimumCounter
    }
}

/// When a lock ends: in JSON `{"until":…}` or `{"never":true}`.
public enum LockEnd: Equatable, Sendable {
    case until(Timestamp)
    /// Only a new activation helps.
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
