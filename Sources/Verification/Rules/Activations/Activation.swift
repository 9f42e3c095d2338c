package import Cryptography
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
    /// The last one to do so counts. Sent again it is offered the same: whichever answer arrives,
    /// the device goes on from the claim that counts.
    package struct Claim: Equatable, Sendable {
        /// SHA-256 of what the device claimed, its proof included.
        package let digest: [UInt8]
        package let offer: [UInt8]

        package init(digest: [UInt8], offer: [UInt8]) {
            self.digest = digest
            self.offer = offer
        }
    }

    /// Why an activation does not go on; all that is ever said to who did not show the right code
    /// is `codeInvalid`.
    package enum Refusal: Equatable, Sendable {
        /// There is no such activation, it is over, or the code is wrong: nobody is told which.
        case codeInvalid
        /// Too many wrong codes lately; the right one helps again after this moment.
        case attemptsExhausted(until: Timestamp)
        case expired
        /// Another device, or a later try of this one, claimed it since.
        case superseded
    }

    package let id: ActivationID
    package let account: AccountReference
    package let issued: Timestamp
    package let deadline: Timestamp
    /// When the last wrong codes were since the last right one, oldest first.
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
    /// Counts a wrong code, whose sender is told nothing but that.
    ///
    /// It costs nobody the activation: nobody guesses 90 random bits, at whatever rate, and a
    /// stranger must not be able to burn it. Nor can he fill the audit trail: the first one raises
    /// the alarm, and the next alarm comes after a right code.
    package mutating func fail(at now: Timestamp, events: inout [Event]) {
        guard isOpen, exhaustion(at: now) == nil else { return }
        if failures.isEmpty { events.append(event(.activationFailed)) }
        failures = failures.suffix(Self.maximumFailures - 1) + [now]
    }

    /// Takes a claim whose sender showed the right code, unless it is the one that counts; nil is a
    /// yes.
    package mutating func claim(
        _ claim: Claim,
        at now: Timestamp,
        events: inout [Event]
    ) -> Refusal? {
        guard case .open(let code, let earlier) = state else { return .codeInvalid }
        if let refusal = refusal(at: now) { return refusal }
        failures = []
        if earlier?.digest == claim.digest { return nil }
        state = .open(code: code, claim: claim)
        // Once: who has the code can claim without end, and the device that counts is named later.
        if earlier == nil { events.append(event(.activationClaimed)) }
        return nil
    }

    /// Uses the activation up for the device of the claim with this digest, whose sender showed the
    /// right code; nil is a yes.
    package mutating func commit(_ digest: [UInt8], at now: Timestamp) -> Refusal? {
        guard case .open(_, let claim) = state else { return .codeInvalid }
        guard let claim, claim.digest == digest else { return refusal(at: now) ?? .superseded }
        guard now < deadline else { return .expired }
        state = .closed(.used, at: now)
        return nil
    }

    /// Lets a claim count no more, so that no commit goes on from it; false where it did not count.
    package mutating func forget(_ digest: Digest) -> Bool {
        guard case .open(let code, let claim?) = state, claim.digest == digest.array else {
            return false
        }
        state = .open(code: code, claim: nil)
        return true
    }

    /// Why a right code does not help.
    private func refusal(at now: Timestamp) -> Refusal? {
        guard now < deadline else { return .expired }
        return exhaustion(at: now).map { .attemptsExhausted(until: $0) }
    }

    /// The end of the time in which no code helps, after too many wrong ones.
    private func exhaustion(at now: Timestamp) -> Timestamp? {
        guard failures.count == Self.maximumFailures else { return nil }
        let end = failures[0] + Self.failureSpan
        return now < end ? end : nil
    }

    /// Ends it without a device; false where it had ended before.
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

    /// The claim that counts.
    package var claim: Claim? {
        if case .open(_, let claim) = state { claim } else { nil }
    }

    package var isOpen: Bool {
        if case .open = state { true } else { false }
    }

    private func event(_ kind: Event.Kind) -> Event { Event(kind, of: id, in: account) }

    static let maximumFailures = 5
    static let failureSpan = Duration.seconds(60)
    /// How long after its deadline the code is kept, so that who shows it is told that it is too old.
    package static let afterlife = Duration.seconds(7 * 24 * 60 * 60)
}
