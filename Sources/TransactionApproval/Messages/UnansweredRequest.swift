package import Cryptography
package import OneTimePassword

/// A request without a response.
///
/// The verifier ends the request before it returns the status, so the request cannot change
/// anything later. Times could not ensure this: both messages may have the same second.
package enum UnansweredRequest: Equatable, Sendable {
    /// The commit of an activation. If it did not arrive, its claim no longer counts.
    case commit(SentCommit)
    /// A request with a code of the user credential. All codes below the counter become used.
    case codes(below: Counter)
}

/// Identifies a commit to a verifier that may not know the device.
package struct SentCommit: Codable, Equatable, Sendable {
    package let activation: ActivationID
    /// The digest of its claim, which only the sender knows.
    package let claim: Digest
    /// The key that signs the status request.
    ///
    /// The verifier has no such device if its key differs.
    package let deviceKey: P256.PublicKey

    package init(activation: ActivationID, claim: Digest, deviceKey: P256.PublicKey) {
        self.activation = activation
        self.claim = claim
        self.deviceKey = deviceKey
    }
}

/// In JSON `{"commit":{…}}` or `{"codesBelow":"18"}`.
extension UnansweredRequest: Codable {
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
