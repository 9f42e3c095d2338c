package import TransactionApproval

/// A call of a token that takes effect only after another token repeats it (SEC-123).
///
/// It contains neither the content of the call nor a secret: the second person sends the whole call.
package struct RequestedCall: Equatable, Sendable {
    package let id: RequestedCallID
    let enterprise: EnterpriseID
    /// The token of the first person.
    let token: BankTokenID
    /// The key of the first call; nil if its operation takes none.
    let key: IdempotencyKey?
    /// Of method, path and content.
    let fingerprint: [UInt8]
    let epoch: Epoch
    package let created: Timestamp
    package private(set) var confirmed: Timestamp?

    static let lifetime = Duration.seconds(24 * 60 * 60)

    package var deadline: Timestamp { created + Self.lifetime }
}

package struct RequestedCallID: RandomIdentifier {
    package let bytes: [UInt8]
    package init(checked bytes: [UInt8]) { self.bytes = bytes }
}

/// Why a call of a second person is rejected; nothing was changed.
package enum ConfirmationRefusal: Sendable {
    /// Also if another enterprise has it.
    case unknown
    /// The first person cannot be the second one.
    case sameToken
    case otherCall
    case used
    /// Also after a restore: the lost records may contain its confirmation.
    case expired
    /// The token of the first person was revoked or expired.
    case requesterInvalid
}

/// A call of an operation that needs two persons.
package struct TwoPersonCall: Sendable {
    /// The id of the operation in the API's description.
    let operation: String
    let concern: EventConcern
    let token: BankTokenID
    let actor: Actor
    let fingerprint: [UInt8]
    /// Nil if the operation takes no idempotency key.
    let keyed: BankCall?
}

extension RequestedCall {
    /// Whether a second person can confirm it.
    func isOpen(at now: Timestamp, in epoch: Epoch) -> Bool {
        confirmed == nil && now < deadline && epoch == self.epoch
    }

    /// Uses it up for `call`; `requester` is the token of the first person.
    mutating func confirm(
        by call: TwoPersonCall,
        requester: BankToken?,
        at now: Timestamp,
        in epoch: Epoch
    ) -> RuleResult<ConfirmationRefusal> {
        guard enterprise == call.concern.enterprise else { return .refused(.unknown) }
        guard token != call.token, requester?.author.actor != call.actor else {
            return .refused(.sameToken)
        }
        guard fingerprint == call.fingerprint else { return .refused(.otherCall) }
        guard confirmed == nil else { return .refused(.used) }
        guard isOpen(at: now, in: epoch) else { return .refused(.expired) }
        guard let requester, requester.isGood(at: now) else { return .refused(.requesterInvalid) }
        confirmed = now
        return .accepted
    }
}
