import Cryptography
import Storage
import TransactionApproval

package enum CallRequestResult: Sendable {
    case requested(RequestedCall)
    /// The same call requested it before.
    case repeated(RequestedCall)
    /// The call had its effect before; repeating it returns the stored result.
    case madeBefore
    /// The idempotency key was used for a different call.
    case keyReused
}

extension Verifier {
    /// `content` must contain method, path and content.
    package func twoPersonCall(
        _ operation: String,
        within concern: EventConcern,
        by token: BankTokenID,
        named actor: Actor,
        for content: [UInt8],
        keyed: BankCall?
    ) async throws(Failure) -> TwoPersonCall {
        TwoPersonCall(
            operation: operation,
            concern: concern,
            token: token,
            actor: actor,
            fingerprint: try await fingerprint(of: content),
            keyed: keyed
        )
    }

    /// Stores the call of the first person, without its effect.
    package func request(
        _ call: TwoPersonCall,
        by author: ChangeAuthor
    ) async throws(Failure) -> CallRequestResult {
        let id = try translatingSystemFailure(RequestedCallID.random(), to: Failure.system)
        return try await change(by: author) { context throws(StoreFailure) in
            try context.request(call, as: id)
        }
    }
}

extension ChangeContext {
    fileprivate mutating func request(
        _ call: TwoPersonCall,
        as id: RequestedCallID
    ) throws(StoreFailure) -> CallRequestResult {
        switch try ledger.earlier(call.keyed) {
        case .repeated: return .madeBefore
        case .keyReused: return .keyReused
        case nil: break
        }
        if let earlier = try ledger.requestedCall(like: call) {
            guard earlier.fingerprint == call.fingerprint else { return .keyReused }
            // A confirmed call with a key is repeated, too: it never has a second effect.
            let isDone = call.keyed != nil && earlier.confirmed != nil
            if isDone || earlier.isOpen(at: now, in: epoch) { return .repeated(earlier) }
        }
        let requested = RequestedCall(
            id: id,
            enterprise: call.concern.enterprise,
            token: call.token,
            key: call.keyed?.key,
            fingerprint: call.fingerprint,
            epoch: epoch,
            created: now
        )
        try ledger.add(requested)
        events.append(Event(.callRequested, of: id, within: call.concern, detail: call.operation))
        return .requested(requested)
    }
}

extension Ledger {
    /// Uses up the requested call, with its audit record, in the transaction of its effect.
    ///
    /// A call that had its effect before needs no confirmation: it is only repeated.
    func confirm(
        _ confirmation: Confirmation?,
        _ clock: VerifierClock
    ) throws(StoreFailure) -> RuleResult<ConfirmationRefusal> {
        guard let confirmation else { return .accepted }
        let call = confirmation.call
        if try earlier(call.keyed) != nil { return .accepted }
        guard let id = confirmation.id, var requested = try requestedCall(id) else {
            return .refused(.unknown)
        }
        let (state, requester) = (try state(), try bankToken(requested.token))
        let now = clock.now(in: state)
        let result = requested.confirm(by: call, requester: requester, at: now, in: state.epoch)
        guard result.refusal == nil else { return result }
        try save(requested)
        let event = Event(
            .callConfirmed,
            of: id,
            within: call.concern,
            detail: "\(call.operation) \(requester?.author.actor.text ?? "")"
        )
        try record([event], by: call.actor, at: now, after: state.audit)
        return .accepted
    }
}
