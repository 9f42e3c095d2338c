package import Cryptography
package import Sealing
package import TransactionApproval

/// One use of a one-time code that binds a device to an account and to its linked accounts.
package struct Activation: Equatable, Sendable {
    package enum State: Equatable, Sendable {
        /// The sealed code is kept only while the activation can still be used.
        case open(code: SealedValue, claim: Claim?)
        case closed(Outcome, at: Timestamp)
    }

    package enum Outcome: UInt8, Equatable, Sendable {
        case used = 1
        /// The bank revoked it, or issued another one.
        case revoked
        case expired
    }

    /// A device that proved that it knows the code, and the offer that it got.
    ///
    /// The last claim counts. If the device repeats that claim, it gets the same offer again, so a
    /// lost response does no harm.
    package struct Claim: Equatable, Sendable {
        /// SHA-256 of the device's claim, including its proof.
        package let digest: [UInt8]
        package let offer: [UInt8]
    }

    /// Why an activation does not continue.
    ///
    /// A sender without the right code gets only `codeInvalid`.
    package enum Refusal: Error, Equatable, Sendable {
        /// The activation does not exist, is closed, or the code is wrong; the sender cannot
        /// distinguish these.
        case codeInvalid
        case expired
        /// A later claim, of this device or another one, replaced this claim.
        case superseded
    }

    package let id: ActivationID
    package let account: AccountReference
    /// Whether it is for a web browser, as the bank's call decided (SEC-113).
    package let isWeb: Bool
    package let issued: Timestamp
    package let deadline: Timestamp
    /// The time of the audit event about wrong codes; nil if there is none since the last right one.
    private(set) var failureReported: Timestamp?
    package private(set) var state: State
}

// MARK: The two steps

extension Activation {
    /// Reports wrong codes; returns false if they are reported already.
    ///
    /// A wrong code never closes or pauses the activation, so a stranger cannot stop the person. The
    /// code cannot be guessed: it has 90 random bits. Only the first wrong code adds an audit event,
    /// so a stranger cannot fill the audit trail.
    mutating func reportFailure(at now: Timestamp, events: inout [Event]) -> Bool {
        guard failureReported == nil else { return false }
        events.append(event(.activationFailed))
        failureReported = now
        return true
    }

    /// Accepts a claim whose sender proved the right code.
    package mutating func claim(
        _ claim: Claim,
        at now: Timestamp,
        events: inout [Event]
    ) -> RuleResult<Refusal> {
        guard case .open(let code, let earlier) = state else { return .refused(.codeInvalid) }
        guard now < deadline else { return .refused(.expired) }
        failureReported = nil
        if earlier?.digest == claim.digest { return .accepted }
        state = .open(code: code, claim: claim)
        // Only once: a sender with the code can repeat claims without limit, and a later event
        // names the device.
        if earlier == nil { events.append(event(.activationClaimed)) }
        return .accepted
    }

    /// Closes the activation for the device that made this claim.
    package mutating func commit(_ digest: [UInt8], at now: Timestamp) -> RuleResult<Refusal> {
        guard case .open(_, let claim) = state else { return .refused(.codeInvalid) }
        guard now < deadline else { return .refused(.expired) }
        guard let claim, claim.digest == digest else { return .refused(.superseded) }
        state = .closed(.used, at: now)
        return .accepted
    }

    /// Drops a claim, so that no commit can follow it; returns false if it is not the current
    /// claim.
    package mutating func forget(_ digest: Digest) -> Bool {
        claim?.digest == digest.array && dropClaim()
    }

    /// Drops the current claim; returns false if there is none.
    mutating func dropClaim() -> Bool {
        guard case .open(let code, .some) = state else { return false }
        state = .open(code: code, claim: nil)
        return true
    }

    /// Closes the activation without a device; returns false if it was closed before.
    package mutating func close(
        as outcome: Outcome,
        at now: Timestamp,
        events: inout [Event]
    ) -> Bool {
        guard isOpen else { return false }
        state = .closed(outcome, at: now)
        events.append(event(outcome == .expired ? .activationExpired : .activationRevoked))
        return true
    }

    package var claim: Claim? {
        if case .open(_, let claim) = state { claim } else { nil }
    }

    package var isOpen: Bool {
        if case .open = state { true } else { false }
    }

    private func event(_ kind: Event.Kind) -> Event { Event(kind, of: id, in: account) }

    /// The code is kept this long after its deadline, so that a late device gets `expired`.
    package static let afterlife = Duration.seconds(7 * 24 * 60 * 60)
}
