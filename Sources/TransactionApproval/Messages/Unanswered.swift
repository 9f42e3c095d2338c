package import Cryptography
package import OneTimePassword

/// What a device sent and heard nothing of.
///
/// The verifier that is asked about it ends it: what is still on its way finds nothing left that it
/// could change. A clock could not do that, since a message and the question about it may be of one
/// second, and nothing has to be kept for it but what decides about such a message anyhow.
package enum Unanswered: Equatable, Sendable {
    /// The second step of an activation. Where it did not arrive, its claim counts no more.
    case commit(SentCommit)
    /// A message with a code of the user credential. All codes below this counter are used up.
    case codes(below: Counter)
}

/// The second step of an activation, as a device names it that may be unknown to the verifier.
package struct SentCommit: Codable, Equatable, Sendable {
    package let activation: ActivationID
    /// Of the claim that it goes on from, which only its sender knows.
    package let claim: Digest
    /// The request is signed with it: where it is not the device's, there is no such device.
    package let deviceKey: P256.PublicKey

    package init(activation: ActivationID, claim: Digest, deviceKey: P256.PublicKey) {
        self.activation = activation
        self.claim = claim
        self.deviceKey = deviceKey
    }
}

/// In JSON `{"commit":{…}}` or `{"codesBelow":"18"}`.
extension Unanswered: Codable {
    private enum CodingKeys: CodingKey {
        case commit, codesBelow
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        guard members.contains(.commit) else {
            self = .codes(below: try members.decode(Counter.self, forKey: .codesBelow))
            return
        }
        self = .commit(try members.decode(SentCommit.self, forKey: .commit))
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .commit(let commit): try members.encode(commit, forKey: .commit)
        case .codes(let counter): try members.encode(counter, forKey: .codesBelow)
        }
    }
}
