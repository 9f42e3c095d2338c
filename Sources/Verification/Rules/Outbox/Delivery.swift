package import TransactionApproval

/// Something that must reach the bank or a device, and is tried until it does.
package struct Delivery: Equatable, Sendable {
    package enum Target: UInt8, CaseIterable, Sendable {
        /// The bank's own endpoint.
        case webhook = 1
        /// One of the person's devices.
        case push
    }

    package enum State: UInt8, Sendable {
        case waiting = 0
        /// Or of no use to anybody any more.
        case delivered
        /// Given up; an operator may have it tried again.
        case dead
    }

    /// What is there to be looked at or waited for.
    package enum Unfinished: String, CaseIterable, Sendable {
        case waiting, dead
    }

    /// The number of the audit record that it tells of, which is also the order among those of an
    /// account.
    package let sequence: UInt64
    package let target: Target
    /// The one that is woken; nil where the bank is told.
    package let device: DeviceID?
    package let account: AccountReference
    package let subject: String
    package private(set) var tries: Int
    /// When it came to be, or was begun anew.
    package private(set) var since: Timestamp
    /// Nil as long as an earlier one of its account waits.
    package private(set) var due: Timestamp?
    package private(set) var state: State

    package init(
        sequence: UInt64,
        target: Target,
        device: DeviceID? = nil,
        account: AccountReference,
        subject: String,
        tries: Int = 0,
        since: Timestamp,
        due: Timestamp?,
        state: State = .waiting
    ) {
        self.sequence = sequence
        self.target = target
        self.device = device
        self.account = account
        self.subject = subject
        self.tries = tries
        self.since = since
        self.due = due
        self.state = state
    }

    /// Some three days, so that a weekend is shorter.
    package static let maximumTries = 108
    package static let longestWait = Duration.seconds(60 * 60)
    static let longestAge = Duration.seconds(3 * 24 * 60 * 60)

    /// Keeps it from others until `end`.
    mutating func lease(until end: Timestamp) {
        due = end
    }

    /// Succeeded once, it cannot fail any more, however many have tried; its age counts from then.
    package mutating func succeed(at now: Timestamp) {
        guard state != .delivered else { return }
        state = .delivered
        due = now
    }

    /// Waits with all others for whoever is left alone meanwhile: that is no try.
    ///
    /// The longer it has waited, the longer it does: what waits for whoever is away for long is not
    /// written down again and again. It is given up when it is old, but for what was never tried.
    mutating func postpone(at now: Timestamp, by wait: Duration, jitter: Double) {
        guard state == .waiting else { return }
        let age = now.elapsed(since: since)
        guard age < Self.longestAge || tries == 0 else {
            state = .dead
            return
        }
        let longer = age / 4 * (1 - min(max(jitter, 0), 1) / 2)
        due = now + min(max(wait, longer), Self.longestWait)
    }

    /// Waits twice as long as the last time, up to the longest wait, or gives up.
    ///
    /// `jitter`, from 0 to 1, takes up to half of the wait away, so that what failed together does
    /// not come back together. Whoever is to get it may want it no sooner than after `minimumWait`.
    package mutating func fail(
        at now: Timestamp,
        jitter: Double,
        minimumWait: Duration = .zero
    ) {
        guard state == .waiting else { return }
        tries += 1
        guard tries < Self.maximumTries else {
            state = .dead
            return
        }
        // Doubled more often, it is no number any more.
        let wait = min(Duration.seconds(1 << min(tries, 32)), Self.longestWait)
        let shortened = wait * (1 - min(max(jitter, 0), 1) / 2)
        due = now + max(shortened, min(minimumWait, Self.longestWait))
    }

    /// Begins anew what was given up, at once or after what came before it; false where it was not.
    mutating func retry(
        at now: Timestamp,
        behindEarlier isBehind: Bool,
        events: inout [Event]
    ) -> Bool {
        guard state == .dead else { return false }
        tries = 0
        since = now
        due = isBehind ? nil : now
        state = .waiting
        events.append(Event(.deliveryRetried, of: sequence, in: account, detail: "\(target)"))
        return true
    }
}

extension Event.Kind {
    /// Whether the bank hears of it: every end of a transaction, and all that the person must be
    /// told by somebody other than the device (SEC-56).
    package var isToldToBank: Bool {
        switch self {
        case .deviceActivated, .deviceRevoked, .deviceCopied, .activationFailed,
            .credentialAdded, .credentialRekeyed, .credentialRemoved, .credentialOutdated,
            .credentialDisabled, .credentialEnabled, .failuresRepeated, .credentialLocked,
            .blockImminent,
            .credentialBlocked, .credentialUnlocked, .codeReused,
            .transactionApproved, .transactionRejected, .transactionExpired,
            .transactionWithdrawn, .transactionVoided, .personDenied:
            true
        case .enterpriseCreated, .policyChanged, .accountCreated, .accountsLinked,
            .accountReplaced, .activationIssued, .activationClaimed, .activationRevoked,
            .activationExpired, .tokenAdded, .tokenExported, .notificationsChanged,
            .credentialResynchronised,
            .codeAccepted,
            .codeRefused, .transactionCreated, .loginRedeemed, .deliveryRetried, .bankTokenCreated,
            .bankTokenRevoked, .storeRestored, .keyRotated, .keysEnded:
            false
        }
    }
}
