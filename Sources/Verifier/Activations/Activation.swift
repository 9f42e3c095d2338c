package import TransactionApproval

/// One use of a one-time code that binds a device to an account and to those linked to it.
package struct Activation: Equatable, Sendable {
    package enum State: Equatable, Sendable {
        /// The sealed code is kept for as long as it is good for anything.
        case open(code: SealedValue, claim: Claim?)
        case closed(Outcome, at: Timestamp)
    }

    package enum Outcome: UInt8, Equatable, Sendable {
        case used = 1
        /// The bank took it back, or issued another one.
        case revoked
        case expired
    }

    /// A device that showed that it knows the code, and what it was offered.
    ///
    /// The last one to do so counts: whoever lost the answer begins again.
    package struct Claim: Equatable, Sendable {
        /// SHA-256 of what the device claimed, its proof included.
        package let digest: [UInt8]
        package let offer: [UInt8]

        package init(digest: [UInt8], offer: [UInt8]) {
            self.digest = digest
            self.offer = offer
        }
    }

    /// Why an activation does not go on; all a stranger ever hears is `codeInvalid`, or that there
    /// were too many codes.
    package enum Refusal: Equatable, Sendable {
        /// There is no such activation, it is over, or the code is wrong: nobody is told which.
        case codeInvalid
        /// Too many wrong codes lately; the right one helps again after this moment.
        case attemptsExhausted(until: Timestamp)
        /// Told only to who showed the right code.
        case expired
        /// Another device, or a later try of this one, claimed it since.
        case superseded
    }

    package let id: ActivationID
    package let account: AccountReference
    package let issued: Timestamp
    package let deadline: Timestamp
    /// When codes were wrong lately, oldest first.
    package private(set) var failures: [Timestamp]
    package private(set) var state: State

    package init(
        id: ActivationID,
        account: AccountReference,
        issued: Timestamp,
        deadline: Timestamp,
        failures: [Timestamp] = [],
        state: State
    ) {
        self.id = id
        self.account = account
        self.issued = issued
        self.deadline = deadline
        self.failures = failures
        self.state = state
    }
}

// MARK: The two steps

extension Activation {
    /// Takes a claim whose proof was found right or wrong; nil is a yes.
    ///
    /// A wrong code costs nobody the activation: with 90 random bits the rate alone is enough, and a
    /// stranger must not be able to burn it.
    package mutating func claim(
        _ claim: Claim,
        isProven: Bool,
        at now: Timestamp,
        events: inout [Event]
    ) -> Refusal? {
        guard case .open(let code, _) = state else { return .codeInvalid }
        if let refusal = refusal(isProven: isProven, at: now, events: &events) { return refusal }
        state = .open(code: code, claim: claim)
        events.append(event(.activationClaimed))
        return nil
    }

    /// Uses the activation up for the device of the claim with this digest; nil is a yes.
    ///
    /// A proof that no claim brought before counts like a claim: nobody tries codes here either.
    package mutating func commit(
        _ digest: [UInt8],
        isProven: Bool,
        at now: Timestamp,
        events: inout [Event]
    ) -> Refusal? {
        guard case .open(_, let claim) = state else { return .codeInvalid }
        guard let claim, claim.digest == digest else {
            return refusal(isProven: isProven, at: now, events: &events) ?? .superseded
        }
        guard now < deadline else { return .expired }
        state = .closed(.used, at: now)
        return nil
    }

    /// Why a proof does not help, which says nothing about a code that there were too many before.
    private mutating func refusal(
        isProven: Bool,
        at now: Timestamp,
        events: inout [Event]
    ) -> Refusal? {
        failures = failures.filter { now < $0 + Self.failureSpan }
        if failures.count >= Self.mostFailures {
            return .attemptsExhausted(until: failures[0] + Self.failureSpan)
        }
        guard isProven else {
            failures.append(now)
            events.append(event(.activationFailed))
            return .codeInvalid
        }
        return now < deadline ? nil : .expired
    }

    /// Ends it without a device; false where it had ended before.
    package mutating func close(
        as outcome: Outcome,
        at now: Timestamp,
        events: inout [Event]
    ) -> Bool {
        guard case .open = state else { return false }
        state = .closed(outcome, at: now)
        events.append(event(outcome == .expired ? .activationExpired : .activationRevoked))
        return true
    }

    private func event(_ kind: Event.Kind) -> Event { Event(kind, of: id, in: account) }

    static let mostFailures = 5
    static let failureSpan = Duration.seconds(60)
}
